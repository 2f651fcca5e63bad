//! What `src/ffi` exports, read with `syn`: the one source that header and C# are written from.

use super::expand;
use super::sections::{self, SECTIONS};
use anyhow::{Context, Result, bail};
use std::path::Path;

/// Everything the boundary consists of.
pub struct Abi {
    /// The items that cross, in the order of the header: what cbindgen reads.
    pub items: Vec<syn::Item>,
    /// `#[repr(C)]` structs.
    pub structs: Vec<Struct>,
    /// `#[repr(i32)]` enums.
    pub enums: Vec<Enum>,
    /// Integer constants.
    pub constants: Vec<Constant>,
    /// Function pointer types.
    pub callbacks: Vec<Callback>,
    /// Exported functions.
    pub functions: Vec<Function>,
    /// Functions that exist under a `cfg` only: neither in the header nor in the C#.
    pub hidden_functions: Vec<String>,
    /// Names `X` for which a checked integer alias `XArg` exists.
    pub enum_args: Vec<String>,
    /// For each section of the header, the names of its items in order.
    pub sections: Vec<Vec<String>>,
}

/// A struct and its fields.
pub struct Struct {
    /// C name.
    pub name: String,
    /// Documentation, one entry per line.
    pub doc: Vec<String>,
    /// Fields in memory order.
    pub fields: Vec<Field>,
}

impl Struct {
    /// Whether this is a handle: one 64-bit field called `bits`.
    pub fn is_handle(&self) -> bool {
        self.fields.len() == 1 && self.fields[0].name == "bits"
    }
}

/// A field of a struct or a parameter of a function.
pub struct Field {
    /// Name as in Rust.
    pub name: String,
    /// Documentation, one entry per line; none for parameters, whose text is in the function's.
    pub doc: Vec<String>,
    /// Type.
    pub ty: Type,
}

/// An enum with explicit numbers.
pub struct Enum {
    /// C name.
    pub name: String,
    /// Documentation.
    pub doc: Vec<String>,
    /// Name, documentation, number.
    pub variants: Vec<(String, Vec<String>, i64)>,
}

/// An integer constant.
pub struct Constant {
    /// C name.
    pub name: String,
    /// Documentation.
    pub doc: Vec<String>,
    /// The expression, valid in Rust, C and C# alike.
    pub expression: String,
    /// Its type.
    pub ty: Type,
}

/// A function pointer type.
pub struct Callback {
    /// C name.
    pub name: String,
    /// Documentation.
    pub doc: Vec<String>,
    /// Parameters.
    pub parameters: Vec<Field>,
    /// What it returns; `None`: nothing.
    pub output: Option<Type>,
}

/// An exported function. All return SinewResult.
pub struct Function {
    /// C name.
    pub name: String,
    /// Documentation.
    pub doc: Vec<String>,
    /// Parameters.
    pub parameters: Vec<Field>,
    /// Whether a parameter is read and written: a mutable pointer whose name is not `out_…`.
    pub has_in_out: bool,
    /// The file of `src/ffi` that defines it, without `.rs`.
    pub module: String,
    /// Whether it is an `unsafe fn`.
    pub is_unsafe: bool,
    /// The Rust type of each parameter.
    pub rust_types: Vec<String>,
}

impl Function {
    /// The struct that this function fills with defaults, if that is what it does; a kind may stand
    /// before it.
    pub fn fills(&self) -> Option<&str> {
        match &self.parameters.last().filter(|_| self.name.ends_with("_default"))?.ty {
            Type::Pointer { to } => match &**to {
                Type::Named(name) => Some(name),
                _ => None,
            },
            _ => None,
        }
    }
}

/// A type that may cross.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// A number, `c_char`, `c_void`, struct, enum or callback by its Rust name.
    Named(String),
    /// A pointer or reference.
    Pointer {
        /// What it points to.
        to: Box<Type>,
    },
    /// A fixed-size array; only in structs.
    Array(Box<Type>, usize),
}

impl Abi {
    /// Reads `src/ffi` below `root`.
    pub fn read(root: &Path) -> Result<Abi> {
        let ffi = root.join("src/ffi");
        sections::check(&exported_modules(&ffi, "mod.rs", "")?)?;
        let mut abi = Abi {
            items: vec![],
            structs: vec![],
            enums: vec![],
            constants: vec![],
            callbacks: vec![],
            functions: vec![],
            hidden_functions: vec![],
            enum_args: vec![],
            sections: vec![],
        };
        for section in SECTIONS {
            let first = abi.names().map(|n| n.len());
            for file in section.files {
                let file = ffi.join(format!("{file}.rs"));
                for item in expand::items(root, &file)? {
                    if abi.add(&item, &file).with_context(|| format!("in {}", file.display()))? {
                        abi.items.push(exported(item));
                    }
                }
            }
            let added = abi.names().into_iter().zip(first).flat_map(|(names, first)| names.into_iter().skip(first));
            let added = added.collect();
            abi.sections.push(added);
        }
        Ok(abi)
    }

    /// Names by kind, in the order of the kinds in a section.
    fn names(&self) -> [Vec<String>; 5] {
        [
            self.constants.iter().map(|x| x.name.clone()).collect(),
            self.enums.iter().map(|x| x.name.clone()).collect(),
            self.structs.iter().map(|x| x.name.clone()).collect(),
            self.callbacks.iter().map(|x| x.name.clone()).collect(),
            self.functions.iter().map(|x| x.name.clone()).collect(),
        ]
    }

    /// Adds an item; returns whether it crosses.
    fn add(&mut self, item: &syn::Item, file: &Path) -> Result<bool> {
        match item {
            syn::Item::Struct(s) if has_repr(&s.attrs) => {
                let mut fields = Vec::new();
                for field in &s.fields {
                    let name = field.ident.as_ref().context("a tuple struct cannot cross")?.to_string();
                    fields.push(Field { name, doc: doc(&field.attrs), ty: self.ty(&field.ty)? });
                }
                self.structs.push(Struct { name: s.ident.to_string(), doc: doc(&s.attrs), fields });
            }
            syn::Item::Enum(e) if has_repr(&e.attrs) => {
                let mut variants = Vec::new();
                for variant in &e.variants {
                    let (_, number) = variant.discriminant.as_ref().context("a variant without a number")?;
                    let number = quote::quote!(#number).to_string().replace(' ', "").parse()?;
                    variants.push((variant.ident.to_string(), doc(&variant.attrs), number));
                }
                self.enums.push(Enum { name: e.ident.to_string(), doc: doc(&e.attrs), variants });
            }
            syn::Item::Const(c) if is_public(&c.vis) => self.constants.push(Constant {
                name: c.ident.to_string(),
                doc: doc(&c.attrs),
                expression: {
                    let expression = &c.expr;
                    quote::quote!(#expression).to_string()
                },
                ty: self.ty(&c.ty)?,
            }),
            syn::Item::Type(t) if is_public(&t.vis) => {
                let name = t.ident.to_string();
                if let syn::Type::BareFn(function) = &*t.ty {
                    let mut parameters = Vec::new();
                    for input in &function.inputs {
                        let (name, _) = input.name.as_ref().context("a callback parameter without a name")?;
                        parameters.push(Field { name: name.to_string(), doc: vec![], ty: self.ty(&input.ty)? });
                    }
                    let output = match &function.output {
                        syn::ReturnType::Default => None,
                        syn::ReturnType::Type(_, ty) => Some(self.ty(ty)?),
                    };
                    self.callbacks.push(Callback { name, doc: doc(&t.attrs), parameters, output });
                } else if let Some(stem) = name.strip_suffix("Arg") {
                    self.enum_args.push(stem.to_string());
                } else {
                    bail!("{name}: only callbacks and the checked integers (…Arg) may be public aliases");
                }
            }
            syn::Item::Fn(f) if is_export(f) => {
                let name = f.sig.ident.to_string();
                if f.attrs.iter().any(|a| a.path().is_ident("cfg")) {
                    self.hidden_functions.push(name);
                    return Ok(false);
                }
                let output = &f.sig.output;
                if quote::quote!(#output).to_string() != "-> SinewResult" {
                    bail!("{name} does not return SinewResult");
                }
                let (mut parameters, mut has_in_out, mut rust_types) = (Vec::new(), false, Vec::new());
                for input in &f.sig.inputs {
                    let syn::FnArg::Typed(input) = input else { bail!("{name} takes self") };
                    let syn::Pat::Ident(ident) = &*input.pat else { bail!("{name}: a parameter is a pattern") };
                    let ty = self.ty(&input.ty).with_context(|| format!("{name}, parameter {}", ident.ident))?;
                    rust_types.push(type_text(&input.ty));
                    has_in_out |= is_mutable(&input.ty) && !ident.ident.to_string().starts_with("out_");
                    parameters.push(Field { name: ident.ident.to_string(), doc: vec![], ty });
                }
                let module = file.file_stem().context("a file without a name")?.to_string_lossy().into_owned();
                let (doc, is_unsafe) = (doc(&f.attrs), f.sig.unsafety.is_some());
                self.functions.push(Function { name, doc, parameters, has_in_out, module, is_unsafe, rust_types });
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn ty(&self, ty: &syn::Type) -> Result<Type> {
        let pointer = |to: &syn::Type| Ok(Type::Pointer { to: Box::new(self.ty(to)?) });
        match ty {
            syn::Type::Ptr(p) => pointer(&p.elem),
            syn::Type::Reference(r) => pointer(&r.elem),
            syn::Type::Array(a) => {
                let length = &a.len;
                let length = quote::quote!(#length).to_string().parse().context("the length of an array")?;
                Ok(Type::Array(Box::new(self.ty(&a.elem)?), length))
            }
            syn::Type::Path(p) => {
                let last = p.path.segments.last().context("an empty path")?;
                let name = last.ident.to_string();
                if name != "Option" {
                    return Ok(Type::Named(name));
                }
                let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else { bail!("Option of what?") };
                match arguments.args.first() {
                    Some(syn::GenericArgument::Type(inner @ syn::Type::Reference(_))) => self.ty(inner),
                    Some(syn::GenericArgument::Type(inner @ syn::Type::Path(_))) => self.ty(inner),
                    _ => bail!("Option of something that is neither a reference nor a callback"),
                }
            }
            other => bail!("a type that cannot cross: {}", quote::quote!(#other)),
        }
    }

    /// Size and alignment where they are the same on 32 and 64 bits; `None` when there is a
    /// pointer inside.
    pub fn layout(&self, ty: &Type) -> Option<(usize, usize)> {
        self.layout_for(ty, None)
    }

    /// Size and alignment in the 32-bit memory of WebAssembly.
    pub fn wasm_layout(&self, ty: &Type) -> Option<(usize, usize)> {
        self.layout_for(ty, Some(4))
    }

    /// Size and alignment where a pointer has this many bytes.
    pub fn layout_with(&self, ty: &Type, pointer: usize) -> Option<(usize, usize)> {
        self.layout_for(ty, Some(pointer))
    }

    fn layout_for(&self, ty: &Type, pointer: Option<usize>) -> Option<(usize, usize)> {
        let address = pointer.map(|size| (size, size));
        match ty {
            Type::Pointer { .. } => address,
            Type::Array(element, count) => self.layout_for(element, pointer).map(|(size, align)| (size * count, align)),
            Type::Named(name) => match name.as_str() {
                "u8" | "i8" | "c_char" => Some((1, 1)),
                "u16" | "i16" => Some((2, 2)),
                "u32" | "i32" | "f32" => Some((4, 4)),
                "u64" | "i64" | "f64" => Some((8, 8)),
                "usize" => address,
                name if self.callbacks.iter().any(|c| c.name == name) => address,
                name => {
                    let found = self.structs.iter().find(|s| s.name == name)?;
                    let (mut size, mut align) = (0usize, 1usize);
                    for field in &found.fields {
                        let (s, a) = self.layout_for(&field.ty, pointer)?;
                        size = size.next_multiple_of(a) + s;
                        align = align.max(a);
                    }
                    Some((size.next_multiple_of(align), align))
                }
            },
        }
    }
}

/// The files with items that cross: modules that a `mod.rs` re-exports unconditionally, sub-folders
/// included, and those with functions that `exports.rs` exports.
fn exported_modules(ffi: &Path, path: &str, prefix: &str) -> Result<Vec<String>> {
    let read = |path: &str| std::fs::read_to_string(ffi.join(path)).with_context(|| format!("reading src/ffi/{path}"));
    let mut found = Vec::new();
    for item in syn::parse_file(&read(path)?).with_context(|| format!("parsing src/ffi/{path}"))?.items {
        match item {
            syn::Item::Use(item) if is_public(&item.vis) && !is_conditional(&item.attrs) => {
                let syn::UseTree::Path(path) = item.tree else { continue };
                let name = format!("{prefix}{}", path.ident);
                let folder = format!("{name}/mod.rs");
                if name == "exports" {
                    continue;
                } else if ffi.join(&folder).exists() {
                    found.extend(exported_modules(ffi, &folder, &format!("{name}/"))?);
                } else {
                    found.push(name);
                }
            }
            syn::Item::Mod(item) if prefix.is_empty() && !is_conditional(&item.attrs) => {
                let file = format!("{}.rs", item.ident);
                if ffi.join(&file).exists() && has_exports(&read(&file)?) {
                    found.push(item.ident.to_string());
                }
            }
            _ => {}
        }
    }
    Ok(found)
}

/// Whether a text defines functions that cross.
fn has_exports(text: &str) -> bool {
    text.lines().any(|line| {
        line.starts_with("accessors! {")
            || line.starts_with("pub extern \"C\" fn sinew_")
            || line.starts_with("pub unsafe extern \"C\" fn sinew_")
    })
}

fn is_conditional(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|a| a.path().is_ident("cfg"))
}

/// Whether a type is a pointer or reference to something that may be written.
fn is_mutable(ty: &syn::Type) -> bool {
    let text = quote::quote!(#ty).to_string();
    text.starts_with("* mut") || text.contains("& mut")
}

fn is_public(visibility: &syn::Visibility) -> bool {
    matches!(visibility, syn::Visibility::Public(_))
}

fn has_repr(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|a| a.path().is_ident("repr"))
}

/// Whether `src/ffi/exports.rs` exports the function: `pub extern "C" fn sinew_…`.
fn is_export(function: &syn::ItemFn) -> bool {
    is_public(&function.vis) && function.sig.abi.is_some() && function.sig.ident.to_string().starts_with("sinew_")
}

/// The item as `exports.rs` exports it, for cbindgen.
fn exported(mut item: syn::Item) -> syn::Item {
    if let syn::Item::Fn(function) = &mut item {
        function.attrs.push(syn::parse_quote!(#[unsafe(no_mangle)]));
    }
    item
}

/// A type as `rustfmt` writes it.
fn type_text(ty: &syn::Type) -> String {
    let text = quote::quote!(#ty).to_string();
    let pairs = [(" < ", "<"), (" >", ">"), ("& mut", "&mut"), ("& ", "&"), ("* const", "*const"), ("* mut", "*mut")];
    pairs.iter().fold(text, |text, (from, to)| text.replace(from, to))
}

/// The doc lines of an item without the blank that follows `///` and without notes to cbindgen.
fn doc(attributes: &[syn::Attribute]) -> Vec<String> {
    let mut lines = Vec::new();
    for attribute in attributes.iter().filter(|a| a.path().is_ident("doc")) {
        let syn::Meta::NameValue(value) = &attribute.meta else { continue };
        let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) = &value.value else { continue };
        let line = text.value();
        let line = line.strip_prefix(' ').unwrap_or(&line).trim_end();
        if !line.starts_with("cbindgen:") {
            lines.push(line.to_string());
        }
    }
    while lines.last().is_some_and(|l| l.is_empty()) {
        lines.pop();
    }
    lines
}
