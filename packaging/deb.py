#!/usr/bin/env python3
"""Makes the Debian package of a folder that packaging/build filled, from [package.metadata.deb] of Cargo.toml.

The keys are those of cargo-deb, which can be used instead. It is not used here since compiling it takes longer than
all the rest, and dpkg-deb does the work in both cases.
"""

import glob
import gzip
import pathlib
import shutil
import subprocess
import sys
import tempfile
import tomllib


def installed(assets, folder, root):
    """Copies the assets below a root."""
    for source, target, mode in assets:
        files = sorted(glob.glob(str(folder / pathlib.Path(source).relative_to("target/package"))))
        if not files:
            sys.exit(f"{folder}: no file is {source}")
        for file in files:
            # As of cargo-deb: a target that ends in / is a folder.
            to = root / (target + pathlib.Path(file).name if target.endswith("/") else target)
            to.parent.mkdir(parents=True, exist_ok=True)
            if "/man/" in target or to.name == "changelog.gz":
                to = to if to.suffix == ".gz" else to.with_name(to.name + ".gz")
                to.write_bytes(gzip.compress(pathlib.Path(file).read_bytes(), 9, mtime=0))
            else:
                shutil.copyfile(file, to)
            to.chmod(int(mode, 8))


def control(package, deb, size):
    """The description that dpkg reads."""
    extended = "\n".join(f" {line}" if line else " ." for line in deb["extended-description"].strip().splitlines())
    fields = {
        "Package": package["name"],
        "Version": package["version"] + "-1",
        "Architecture": subprocess.check_output(["dpkg", "--print-architecture"], text=True).strip(),
        "Maintainer": deb["maintainer"],
        "Installed-Size": size,
        "Depends": deb["depends"],
        "Section": deb["section"],
        "Priority": deb["priority"],
        "Description": package["description"] + "\n" + extended,
    }
    return "".join(f"{key}: {value}\n" for key, value in fields.items() if value)


def main():
    folder = pathlib.Path(sys.argv[1])
    package = tomllib.loads(pathlib.Path("Cargo.toml").read_text())["package"]
    deb = package["metadata"]["deb"]
    with tempfile.TemporaryDirectory() as temporary:
        root = pathlib.Path(temporary)
        root.chmod(0o755)
        installed(deb["assets"], folder, root)
        size = sum(f.stat().st_size for f in root.rglob("*") if f.is_file()) // 1024
        (root / "DEBIAN").mkdir()
        (root / "DEBIAN/control").write_text(control(package, deb, size))
        for inner in root.rglob("*"):
            if inner.is_dir():
                inner.chmod(0o755)
        subprocess.check_call(["dpkg-deb", "--root-owner-group", "--build", root, folder], stdout=subprocess.DEVNULL)


main()
