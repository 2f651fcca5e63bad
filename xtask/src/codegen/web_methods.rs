//! Methods: a function's arguments are checked and put into memory, its out-parameters are read.

use super::super::abi::{Field, Function, Type};
use super::{CLASSES, Kind, RAW, Writer, camel, integer, short, snake, web_doc};
use anyhow::{Context, Result, bail};
use std::fmt::Write as _;

/// Out-parameters that get how many elements of the array before them C has written.
const WRITTEN: &[&str] = &["out_count", "out_size", "out_length"];

/// How many elements an out-array has whose length is no argument of its own: as many as the array
/// that is given. None: it is no array. An array without a known length is an error, since room for
/// one element would be overrun.
fn length_of(doc: &[String], name: &str, lengths: &[(&str, String)]) -> Result<Option<String>> {
    let text = web_doc::parameter(doc, name);
    let named = lengths.iter().find(|(length, _)| text.contains(&format!("room for `{length}`")));
    if let Some((_, length)) = named {
        return Ok(Some(length.clone()));
    }
    let is_array = ["room for", "one per", "of each"].iter().any(|words| text.contains(words));
    match lengths {
        _ if !is_array => Ok(None),
        [(_, length)] => Ok(Some(length.clone())),
        _ => bail!("{name}: an array of unknown length"),
    }
}

impl<'a> Writer<'a> {
    /// The methods of a class, or those of none.
    pub(super) fn class(&self, name: &str, class: Option<&str>) -> Result<String> {
        let mut text = match class {
            None => format!(
                "/** Functions that belong to no object, and those that create one. */\nexport class {name} {{\n  \
                 constructor(readonly memory: Memory) {{}}\n"
            ),
            Some(class) => format!(
                "/** The functions of {class} objects. */\nexport class {name} {{\n  \
                 constructor(readonly memory: Memory, readonly handle: {class}Handle) {{}}\n"
            ),
        };
        for function in &self.abi.functions {
            if self.class_of(function) != class || !self.has_method(function) {
                continue;
            }
            text += "\n";
            text += &self.method(function, class).with_context(|| function.name.clone())?;
        }
        Ok(text + "}\n\n")
    }

    /// Whether the rules carry a function over.
    pub(super) fn has_method(&self, function: &'a Function) -> bool {
        !RAW.contains(&function.name.as_str())
            && !function.has_in_out
            && !self.has_callback(function)
            && self.method(function, self.class_of(function)).is_ok()
    }

    /// Whether a function takes a callback, itself or in a struct.
    pub(super) fn has_callback(&self, function: &Function) -> bool {
        function.parameters.iter().any(|p| self.is_callback(&p.ty))
    }

    fn is_callback(&self, ty: &Type) -> bool {
        match ty {
            Type::Named(name) => {
                self.abi.callbacks.iter().any(|c| c.name == *name)
                    || self
                        .abi
                        .structs
                        .iter()
                        .any(|s| s.name == *name && s.fields.iter().any(|f| self.is_callback(&f.ty)))
            }
            Type::Pointer { to } | Type::Array(to, _) => self.is_callback(to),
        }
    }

    /// The class whose method a function is: that of its first argument and of its name.
    fn class_of(&self, function: &Function) -> Option<&'static str> {
        let Type::Named(first) = &function.parameters.first()?.ty else { return None };
        CLASSES
            .iter()
            .find(|c| format!("Sinew{c}") == *first && function.name.starts_with(&format!("sinew_{}_", snake(c))))
            .copied()
    }

    pub(super) fn method(&self, function: &'a Function, class: Option<&str>) -> Result<String> {
        let name = match class {
            Some(class) => camel(short(&function.name, &format!("sinew_{}_", snake(class)))),
            None => camel(short(&function.name, "sinew_")),
        };
        let is_count = |f: Option<&Field>| {
            f.is_some_and(|f| {
                matches!(f.name.as_str(), "count" | "size" | "capacity")
                    || f.name.ends_with("_count") && !f.name.starts_with("out_")
            })
        };
        let mut arguments: Vec<String> = Vec::new();
        let mut before = String::new();
        let mut call: Vec<String> = Vec::new();
        let mut outs: Vec<(String, String, String)> = Vec::new();
        let list = &function.parameters;
        // How the count of the array before is computed.
        let mut counted: Option<String> = None;
        // What WebAssembly would take as 0: a name in place of a number, or undefined.
        let mut checks: Vec<String> = Vec::new();
        // The lengths of arrays that are arguments, by their names in C.
        let mut lengths: Vec<(&str, String)> = Vec::new();
        for (index, p) in list.iter().enumerate() {
            let key = camel(&p.name);
            if index == 0 && class.is_some() {
                call.push("this.handle".into());
                continue;
            }
            if let Some(count) = counted.take() {
                lengths.push((p.name.as_str(), count.clone()));
                call.push(count);
                continue;
            }
            let Type::Pointer { to } = &p.ty else {
                match self.kind(&p.ty)? {
                    Kind::Handle(name) => {
                        arguments.push(format!("{key}: {}", self.reference(name)));
                        call.push(if CLASSES.contains(&name) { format!("m.bits({key})") } else { key });
                    }
                    Kind::Enum(name) => {
                        arguments.push(format!("{key}: {name}"));
                        checks.push(integer(&key));
                        call.push(key);
                    }
                    Kind::Big(_) => {
                        arguments.push(format!("{key}: bigint"));
                        call.push(key);
                    }
                    kind => {
                        arguments.push(format!("{key}: number"));
                        checks.push(match kind {
                            Kind::Number(accessor, _) if accessor.starts_with("Float") => {
                                format!("number({key}, \"{key}\")")
                            }
                            _ => integer(&key),
                        });
                        call.push(key);
                    }
                }
                continue;
            };
            if let Some(bare) = p.name.strip_prefix("out_") {
                let place = camel(&p.name);
                let count = match list.get(index + 1) {
                    next if is_count(next) => next.map(|n| camel(&n.name)),
                    _ => length_of(&function.doc, &p.name, &lengths)?,
                };
                // What C wrote of it, where that may be less.
                let written = list.iter().skip(index + 2).find(|n| WRITTEN.contains(&n.name.as_str()));
                let length = match (&count, written, list.get(index + 1)) {
                    (Some(count), Some(written), Some(next)) if next.name == "capacity" => {
                        Some(format!("Math.min({count}, m.data.getUint32({}, true))", camel(&written.name)))
                    }
                    _ => count.clone(),
                };
                let room = web_doc::parameter(&function.doc, &p.name);
                let (ty, bytes, get) = if room.contains("matrices of 12 or 16 numbers") {
                    let count = count.with_context(|| format!("{place}: how many matrices?"))?;
                    let numbers = "(layout === MatrixLayout.Columns4x4 || layout === MatrixLayout.Rows4x4 ? 16 : 12)";
                    let (ty, _, get) = self.out(to, bare, &place, None, Some(&format!("{count} * {numbers}")))?;
                    // Room for the largest: C may know layouts that this file does not.
                    (ty, format!("{count} * 64"), get)
                } else {
                    self.out(to, bare, &place, count.as_deref(), length.as_deref())?
                };
                _ = writeln!(before, "      const {place} = m.push({bytes});");
                call.push(place);
                outs.push((camel(bare), ty, get));
                continue;
            }
            let nullable = web_doc::may_be_null(&function.doc, &p.name);
            let null = if nullable { " | null" } else { "" };
            let or_null = |push: String| if nullable { format!("{key} === null ? 0 : {push}") } else { push };
            if **to == Type::Named("c_char".into()) {
                arguments.push(format!("{key}: string"));
                call.push(format!("m.pushText({key})"));
            } else if is_count(list.get(index + 1)) {
                let (ty, push) = self.array(to, &key)?;
                arguments.push(format!("{key}: {ty}"));
                call.push(push);
                counted = Some(match ty.ends_with("Float32Array") {
                    true => format!("m.count({key}, {})", self.size(to)? / 4),
                    false => format!("{key}.length"),
                });
            } else {
                let Kind::Struct(s) = self.kind(to)? else { bail!("{key}: a pointer to {to:?}") };
                let input = self.input(s);
                arguments.push(format!("{key}: {input}{null}"));
                let plain = short(&s.name, "Sinew");
                call.push(or_null(format!("push{plain}s(m, [{key}])")));
            }
        }
        let (ty, result) = match outs.as_slice() {
            [] => ("void".to_string(), String::new()),
            [(_, ty, get)] => (ty.clone(), format!("      return {get};\n")),
            several => {
                let types: Vec<_> = several.iter().map(|(n, ty, _)| format!("{n}: {ty}")).collect();
                let values: Vec<_> = several.iter().map(|(n, _, get)| format!("{n}: {get}")).collect();
                (format!("{{ {} }}", types.join("; ")), format!("      return {{ {} }};\n", values.join(", ")))
            }
        };
        let mut text = web_doc::function(&function.doc, &arguments, 2);
        let checks: String = checks.iter().map(|check| format!("    {check};\n")).collect();
        let statement = format!("m.must(m.exports.{}({}));", function.name, call.join(", "));
        _ = writeln!(text, "  {name}({}): {ty} {{\n{checks}    const m = this.memory;", arguments.join(", "));
        if before.is_empty() && !statement.contains("push") {
            _ = writeln!(text, "    {statement}\n  }}");
        } else {
            _ = writeln!(
                text,
                "    const mark = m.mark();\n    try {{\n{before}      {statement}\n{result}    }} finally {{\n      m.release(mark);\n    }}\n  }}"
            );
        }
        Ok(text)
    }

    /// An out-parameter: its type, the bytes it takes, and the expression that reads it. `count`:
    /// how many there is room for; `length`: how many of them are read.
    fn out(
        &self,
        to: &'a Type,
        bare: &str,
        place: &str,
        count: Option<&str>,
        length: Option<&str>,
    ) -> Result<(String, String, String)> {
        if let Type::Pointer { to: inner } = to {
            let is_text = **inner == Type::Named("c_char".into());
            let address = format!("m.data.getUint32({place}, true)");
            return Ok(match is_text {
                true => ("string".into(), "4".into(), format!("m.text({address})")),
                false => ("Pointer".into(), "4".into(), address),
            });
        }
        let size = self.size(to)?;
        if let Some(length) = length {
            let count = count.unwrap_or(length);
            let (ty, _, get) = self.value(to, "", &format!("{place} + i * {size}"))?;
            if *to == Type::Named("c_char".into()) {
                return Ok(("string".into(), count.into(), format!("m.text({place})")));
            }
            if *to == Type::Named("u8".into()) {
                return Ok(("Uint8Array".into(), count.into(), format!("m.bytes({place}, {length})")));
            }
            return Ok((
                format!("{ty}[]"),
                format!("{count} * {size}"),
                format!("Array.from({{ length: {length} }}, (_, i) => {get})"),
            ));
        }
        let (ty, _, get) = self.value(to, "", place)?;
        if matches!(bare, "valid" | "set") || bare.starts_with("is_") {
            return Ok(("boolean".into(), size.to_string(), format!("{get} !== 0")));
        }
        // A handle comes as it is; the caller makes an object of it.
        let ty = match self.kind(to)? {
            Kind::Handle(name) => format!("{name}Handle"),
            _ => ty,
        };
        Ok((ty, size.to_string(), get))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn length(text: &str, lengths: &[(&str, String)]) -> Result<Option<String>> {
        length_of(&[format!("@param out_things  {text}")], "out_things", lengths)
    }

    #[test]
    fn an_array_without_a_length_of_its_own_has_that_of_the_array_given() {
        let one = [("count", "places.length".to_string())];
        for text in ["room for `count` numbers", "one per limb", "SinewResult of each animator"] {
            assert_eq!(length(text, &one).expect("a length").as_deref(), Some("places.length"), "{text}");
            assert!(length(text, &[]).is_err(), "{text}: room for one would be overrun");
        }
        assert_eq!(length("unit vector", &one).expect("no array"), None);
    }
}
