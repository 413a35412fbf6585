#!/usr/bin/env python3
"""Makes src/cli/data/licences.txt, which `zhushu --licenses` prints: the crates in the program, with their licences and
copyright notices. Where MIT alone is enough for a crate, it is taken, since it asks for the least; else all its licence
files are. A crate without such a file gets the usual text of its licence, with its authors.

    python3 .ci/licences.py [FILE]

Needs the sources of the crates, which any build has fetched. `.ci/run` fails if the file is not what this makes.
"""
import collections
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUT = ROOT / "src/cli/data/licences.txt"
PLATFORM = "x86_64-unknown-linux-gnu"
HEADER = """\
Crates in zhushu for {platform}, with their licences. Where MIT alone is enough for a crate,
it is used. MADE BY .ci/licences.py.

"""
NOTICE = re.compile(r"^\W*(?:[Cc]opyright|COPYRIGHT)\s+(?:\([cC]\)|©|\d{4}|[A-Z])|^\W*©")


def crates():
    """The crates of the program, without those for building and testing it."""
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", PLATFORM]
    about = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout)
    nodes = {node["id"]: node for node in about["resolve"]["nodes"]}
    packages = {package["id"]: package for package in about["packages"]}
    found, left = set(), [p["id"] for p in about["packages"] if p["name"] == "zhushu" and p["source"] is None]
    own = set(left)
    while left:
        one = left.pop()
        if one not in found:
            found.add(one)
            for dep in nodes[one]["deps"]:
                if any(kind["kind"] is None for kind in dep["dep_kinds"]):
                    left.append(dep["pkg"])
    return sorted((packages[one] for one in found - own), key=lambda p: (p["name"], p["version"]))


def texts(package):
    """The licence files of a crate: that of MIT if it is enough (a choice, with nothing joined by AND), else all."""
    folder = pathlib.Path(package["manifest_path"]).parent
    names = ("license", "licence", "copying", "notice", "unlicense")
    files = sorted(f for f in folder.iterdir() if f.is_file() and f.name.lower().startswith(names))
    only = [f for f in files if "mit" in f.name.lower()] if "MIT" in package["license"] and " AND " not in package["license"] else []
    return [f.read_text(encoding="utf-8", errors="replace") for f in only or files]


def parts(text):
    """The notices of a licence, and the rest of it."""
    lines = [line.rstrip() for line in text.replace("\r", "").split("\n")]
    # The text of the Apache licence has an example of a notice at its end.
    notices = [line.strip() for line in lines if NOTICE.match(line) and "[" not in line and "{" not in line]
    rest = "\n".join(line for line in lines if line.strip() not in notices).strip("\n")
    return notices, rest


def usual(package, bodies):
    """The key of the text that most crates with the licence of this one have."""
    words = "permission is hereby granted free of charge" if "MIT" in package["license"] else "apache license version 2 0"
    fitting = [key for key in bodies if words in key]
    if not fitting:
        sys.exit(f"{package['name']} has no licence file, and no other crate has the text of {package['license']}")
    return max(fitting, key=lambda key: (len(bodies[key][1]), key))


def main():
    listed, bodies, notices, bare = [], collections.OrderedDict(), {}, []
    for package in crates():
        name = f"{package['name']} {package['version']}"
        listed.append(f"{name}  {package['license']}  {package['repository'] or ''}".rstrip())
        own_texts = texts(package)
        if not own_texts:
            bare.append(package)
        for text in own_texts:
            own, rest = parts(text)
            notices.setdefault(name, []).extend(n for n in own if n not in notices.get(name, []))
            key = re.sub(r"\W+", " ", rest).lower()
            bodies.setdefault(key, (rest, []))[1].append(name)
    for package in bare:
        name = f"{package['name']} {package['version']}"
        notices[name] = [f"by {', '.join(package['authors']) or 'its contributors'}; no licence file of its own"]
        bodies[usual(package, bodies)][1].append(name)
    out = [HEADER.format(platform=PLATFORM), "\n".join(listed), "\n"]
    for rest, names in bodies.values():
        out.append("\n" + "=" * 80 + "\n")
        for name in sorted(set(names)):
            out.append(f"{name}\n" + "".join(f"    {n}\n" for n in notices[name]))
        out.append("\n" + rest + "\n")
    path = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else OUT
    path.write_text("".join(out), encoding="utf-8")


main()
