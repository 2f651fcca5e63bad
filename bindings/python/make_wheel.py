# SPDX-License-Identifier: MIT OR Apache-2.0
"""Makes the wheel: make_wheel.py LIBRARY PLATFORM OUT [NOTICES...]

LIBRARY is the native library of the platform, PLATFORM the last part of the wheel's name (for
example manylinux_2_17_x86_64.manylinux2014_x86_64), OUT the folder for it; NOTICES go beside the licences. Needs
cffi. The declarations come from include/sinew/sinew.h. The same input gives the same bytes.
"""

import base64
import hashlib
import re
import sys
import tempfile
import zipfile
from pathlib import Path

import cffi

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
METADATA = """\
Metadata-Version: 2.1
Name: sinew-ik
Version: {version}
Summary: Inverse kinematics for characters, on NumPy arrays
License: MIT OR Apache-2.0
Requires-Python: >=3.9
Requires-Dist: cffi>=1.15
Requires-Dist: numpy>=1.22
Description-Content-Type: text/markdown

"""


def declarations():
    """The header as cffi reads it: no comments, no conditions, enums as 32-bit integers."""
    text = (ROOT / "include/sinew/sinew.h").read_text()
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r"//[^\n]*", "", text)
    # Size assertions follow the last declaration.
    text = text[: text.index("#if defined(__cplusplus)\nstatic_assert")]
    constants = re.findall(r"^#define (SINEW_\w+) +(\d+|\(1 << \d+\))$", text, flags=re.M)
    text = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    text = text.replace('extern "C" {', "").replace("SINEW_API ", "")
    text = re.sub(r"^}$", "", text, flags=re.M)
    text = re.sub(r"SINEW_ENUM\((\w+)\)", r"typedef int32_t \1; enum \1", text)
    lines = [f"#define {name} {eval(value)}" for name, value in constants]  # numbers and shifts only
    return text + "\n".join(lines) + "\n"


def abi_module():
    """The source of sinew/_abi.py."""
    ffi = cffi.FFI()
    ffi.cdef(declarations())
    ffi.set_source("sinew._abi", None)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "_abi.py"
        ffi.emit_python_code(str(path))
        return path.read_bytes()


def enum_names():
    """The enums of sinew/enums.py."""
    return re.findall(r'^(\w+) = _enum\("\1"\)$', (HERE / "sinew/enums.py").read_text(), flags=re.M)


def enum_types():
    """The source of sinew/enums.pyi: type checkers cannot read the members from the header."""
    ffi = cffi.FFI()
    ffi.cdef(declarations())
    text = "from enum import IntEnum\n"
    for name in enum_names():
        words = "".join("_" + c if c.isupper() else c.upper() for c in name)
        text += f"\nclass {name}(IntEnum):\n"
        for member, value in sorted(ffi.typeof(f"enum Sinew{name}").relements.items(), key=lambda item: item[1]):
            text += f"    {member[len(f'SINEW{words}_'):]} = {value}\n"
    return text.encode()


def version():
    text = (ROOT / "Cargo.toml").read_text()
    return re.search(r'^\[workspace\.package\]\nversion = "([^"]+)"', text, flags=re.M).group(1)


def wheel(library, platform, out, notices):
    number = version()
    info = f"sinew_ik-{number}.dist-info"
    sources = [*sorted((HERE / "sinew").glob("*.py")), HERE / "sinew/py.typed"]
    files = {f"sinew/{path.name}": path.read_bytes() for path in sources}
    files["sinew/enums.pyi"] = enum_types()
    files["sinew/_abi.pyi"] = b"from typing import Any\n\nffi: Any\n"
    files["sinew/_abi.py"] = abi_module()
    files[f"sinew/{library.name}"] = library.read_bytes()
    files[f"{info}/METADATA"] = (METADATA.format(version=number) + (HERE / "README.md").read_text()).encode()
    tags = "".join(f"Tag: py3-none-{tag}\n" for tag in platform.split("."))
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: sinew\nRoot-Is-Purelib: false\n{tags}".encode()
    for path in [ROOT / "LICENSE-MIT", ROOT / "LICENSE-APACHE", *notices]:
        files[f"{info}/licenses/{path.name}"] = path.read_bytes()
    record = ""
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(data)}\n"
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    path = out / f"sinew_ik-{number}-py3-none-{platform}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name)  # dated 1980
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)
    return path


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    print(wheel(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]), [Path(name) for name in sys.argv[4:]]))
