//! A web server for one folder on this machine: files only, one request after the other.

use anyhow::{Context, Result};
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};

/// Serves `folder` on the loopback address until the program is ended.
pub fn serve(folder: &Path, port: u16) -> Result<()> {
    let listener = TcpListener::bind(("127.0.0.1", port)).with_context(|| format!("listening on port {port}"))?;
    println!("http://127.0.0.1:{}/  (Ctrl-C ends it)", listener.local_addr()?.port());
    for mut stream in listener.incoming().flatten() {
        // A browser that goes away in the middle of an answer is no fault of the server.
        _ = answer(folder, &mut stream);
    }
    Ok(())
}

fn answer(folder: &Path, stream: &mut TcpStream) -> Result<()> {
    let mut line = String::new();
    BufReader::new(stream.try_clone()?).read_line(&mut line)?;
    let (status, kind, body) = respond(folder, &line);
    let head = format!("HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n", body.len());
    stream.write_all(format!("{head}Cache-Control: no-store\r\nConnection: close\r\n\r\n").as_bytes())?;
    stream.write_all(&body)?;
    Ok(())
}

/// Status, type and body for the first line of a request.
fn respond(folder: &Path, line: &str) -> (&'static str, &'static str, Vec<u8>) {
    let Some(target) = line.strip_prefix("GET ").and_then(|rest| rest.split(' ').next()) else {
        return ("405 Method Not Allowed", "text/plain", b"only GET".to_vec());
    };
    let path = target.split(['?', '#']).next().unwrap_or_default().trim_start_matches('/');
    match file(folder, path).and_then(|file| Some((content_type(&file), std::fs::read(&file).ok()?))) {
        Some((kind, body)) => ("200 OK", kind, body),
        None => ("404 Not Found", "text/plain", format!("no file {path}").into_bytes()),
    }
}

/// The file of a path below the folder; nothing outside of it.
fn file(folder: &Path, path: &str) -> Option<PathBuf> {
    let relative = Path::new(path);
    if relative.components().any(|part| !matches!(part, Component::Normal(_))) {
        return None;
    }
    let file = folder.join(relative);
    let file = if file.is_dir() { file.join("index.html") } else { file };
    file.is_file().then_some(file)
}

fn content_type(file: &Path) -> &'static str {
    match file.extension().and_then(|e| e.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript",
        Some("css") => "text/css",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("json") => "application/json",
        Some("wasm") => "application/wasm",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_served_and_nothing_outside_of_the_folder() {
        let folder = std::env::temp_dir().join(format!("sinew-serve-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("site/sub")).unwrap();
        std::fs::write(folder.join("secret.txt"), "secret").unwrap();
        std::fs::write(folder.join("site/index.html"), "front").unwrap();
        std::fs::write(folder.join("site/sub/a.wasm"), "module").unwrap();
        let site = folder.join("site");
        let get = |path: &str| respond(&site, &format!("GET {path} HTTP/1.1\r\n"));
        assert_eq!(get("/"), ("200 OK", "text/html; charset=utf-8", b"front".to_vec()));
        assert_eq!(get("/sub/a.wasm?x=1"), ("200 OK", "application/wasm", b"module".to_vec()));
        for path in ["/../secret.txt", "/sub/../../secret.txt", "//etc/hostname/..", "/none"] {
            assert_eq!(get(path).0, "404 Not Found", "{path}");
        }
        assert_eq!(respond(&site, "POST / HTTP/1.1\r\n").0, "405 Method Not Allowed");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
