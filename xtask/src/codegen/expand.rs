//! Files of `src/ffi` as the compiler sees them: exports written with `accessors!` as functions,
//! and enums that are re-exported from a layer above as enums of this one.

use anyhow::{Context, Result, bail};
use std::path::Path;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Ident, Token, Type, parenthesized, parse_quote};

/// The items of a file below `root`, the repository.
pub fn items(root: &Path, file: &Path) -> Result<Vec<syn::Item>> {
    let mut items = Vec::new();
    for item in parse(file)?.items {
        match &item {
            syn::Item::Macro(m) if m.mac.path.is_ident("accessors") => {
                let entries: Entries =
                    m.mac.parse_body().with_context(|| format!("accessors! in {}", file.display()))?;
                items.extend(entries.0.iter().map(Entry::function).collect::<Result<Vec<_>>>()?);
            }
            syn::Item::Use(u) if matches!(u.vis, syn::Visibility::Public(_)) => match enum_of(root, &u.tree)? {
                Some(found) => items.push(found),
                None => items.push(item),
            },
            _ => items.push(item),
        }
    }
    Ok(items)
}

fn parse(file: &Path) -> Result<syn::File> {
    let text = std::fs::read_to_string(file).with_context(|| format!("reading {}", file.display()))?;
    syn::parse_file(&text).with_context(|| format!("parsing {}", file.display()))
}

/// The enum that `crate::a::b::X as Y` names, called Y; `None` for paths that do not begin with
/// `crate`.
fn enum_of(root: &Path, tree: &syn::UseTree) -> Result<Option<syn::Item>> {
    let (mut tree, mut file, mut is_ours) = (tree, root.join("src"), false);
    while let syn::UseTree::Path(path) = tree {
        match path.ident == "crate" {
            true => is_ours = true,
            false => file.push(path.ident.to_string()),
        }
        tree = &path.tree;
    }
    let syn::UseTree::Rename(rename) = tree else { return Ok(None) };
    if !is_ours {
        return Ok(None);
    }
    file.set_extension("rs");
    for item in parse(&file)?.items {
        if let syn::Item::Enum(mut found) = item
            && found.ident == rename.ident
        {
            found.ident = rename.rename.clone();
            found.attrs.retain(|a| a.path().is_ident("doc") || a.path().is_ident("repr"));
            return Ok(Some(syn::Item::Enum(found)));
        }
    }
    bail!("{} has no enum {}", file.display(), rename.ident)
}

/// What stands in `accessors!`; see src/ffi/accessors.rs.
struct Entries(Vec<Entry>);

/// One function: `KIND NAME(ARGUMENT: TYPE => READER, …) -> OUT: TYPE = METHOD;`
struct Entry {
    attributes: Vec<Attribute>,
    kind: Ident,
    name: Ident,
    arguments: Punctuated<Argument, Token![,]>,
    out: Option<(Ident, Type)>,
}

/// `ARGUMENT: TYPE => READER`
struct Argument {
    name: Ident,
    ty: Type,
}

impl Parse for Entries {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let mut entries = Vec::new();
        while !input.is_empty() {
            entries.push(input.parse()?);
        }
        Ok(Self(entries))
    }
}

impl Parse for Entry {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let (attributes, kind, name) = (input.call(Attribute::parse_outer)?, input.parse()?, input.parse()?);
        let list;
        parenthesized!(list in input);
        let arguments = list.parse_terminated(Argument::parse, Token![,])?;
        let mut out = None;
        if input.parse::<Option<Token![->]>>()?.is_some() {
            let name = input.parse()?;
            input.parse::<Token![:]>()?;
            out = Some((name, input.parse()?));
        }
        input.parse::<Token![=]>()?;
        input.parse::<Ident>()?;
        input.parse::<Token![;]>()?;
        Ok(Self { attributes, kind, name, arguments, out })
    }
}

impl Parse for Argument {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let name = input.parse()?;
        input.parse::<Token![:]>()?;
        let ty = input.parse()?;
        input.parse::<Token![=>]>()?;
        input.parse::<Ident>()?;
        Ok(Self { name, ty })
    }
}

impl Entry {
    /// The function that the macro makes of the entry, without its body.
    fn function(&self) -> Result<syn::Item> {
        let Self { attributes, kind, name, arguments, out } = self;
        if out.is_some() != kind.to_string().starts_with("get") {
            bail!("{name}: an accessor that sets has no out-parameter, one that gets has one");
        }
        let inputs = arguments.iter().map(|Argument { name, ty }| quote::quote!(, #name: #ty));
        let out = out.iter().map(|(name, ty)| quote::quote!(, #name: #ty));
        Ok(parse_quote! {
            #(#attributes)*
            pub extern "C" fn #name(animator: SinewAnimator #(#inputs)* #(#out)*) -> SinewResult {}
        })
    }
}
