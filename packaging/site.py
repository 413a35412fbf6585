#!/usr/bin/env python3
"""Makes the project's own site: packaging/site.py PROGRAM FOLDER, with mdbook in the path or in $MDBOOK.

The documents, the manual in three languages and the benchmark are one book of mdBook, each at its path in the
repository, so that the links that they have already lead to each other. Below edition/ is the bundled corpus as the
program publishes it. In the end every link to a file is looked at; one that leads nowhere is an error.
"""

import html.parser
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent
FRONT = {
    "README.md": ("en", "zhushu", "Read the bundled edition", "Manual", "Benchmark"),
    "README.zh.md": ("zh-Hant", "注疏（繁體）", "讀隨附的版本", "手冊", "基準"),
    "README.zh-Hans.md": ("zh-Hans", "注疏（简体）", "读随附的版本", "手册", "基准"),
}
MANUALS = {"en": "Manual", "zh-Hant": "手冊（繁體）", "zh-Hans": "手册（简体）"}
DOCUMENTS = [
    "docs/scoreboard.md", "docs/search.md", "docs/data.md", "docs/glosses.md", "docs/scale.md", "docs/NETWORK.md",
    "python/README.md", "ARCHITECTURE.md", "docs/DESIGN.md", "GLOSSARY.md", "CONTRIBUTING.md", "SECURITY.md",
    "CHANGELOG.md",
]  # fmt: skip
BENCHMARK = ["benchmark/RESULTS.md", "benchmark/FORMAT.md", "benchmark/DATASHEET.md"]
BOOK = """[book]
title = "zhushu 注疏"
src = "."
[output.html]
no-section-label = true
"""


def title(path: pathlib.Path) -> str:
    return next(line.lstrip("# ") for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("# "))


def summary() -> list[str]:
    lines = ["# zhushu", *(f"[{front[1]}]({path})" for path, front in FRONT.items())]
    for language, name in MANUALS.items():
        of = f"docs/manual/{language}/src"
        chapters = (ROOT / of / "SUMMARY.md").read_text(encoding="utf-8")
        lines += [f"# {name}", *re.findall(r"^- .*$", chapters.replace("](", f"]({of}/"), re.M)]
    tasks = sorted(f"benchmark/tasks/{p.name}" for p in (ROOT / "benchmark/tasks").glob("*.md"))
    lines += ["# Benchmark", "- [The tasks](benchmark/README.md)"]
    lines += [f"- [{title(ROOT / path)}]({path})" for path in [*BENCHMARK, *tasks]]
    lines += ["# Documents", *(f"- [{title(ROOT / path)}]({path})" for path in DOCUMENTS)]
    return lines


def write_sources(folder: pathlib.Path) -> None:
    """Copies the chapters, and what they link to."""
    lines = "\n".join(summary())
    for name in re.findall(r"\]\((.*?)\)", lines):
        text = (ROOT / name).read_text(encoding="utf-8")
        for link in re.findall(r"\]\(([^)#:]+)", text):
            linked = (ROOT / name).parent / link
            if linked.is_file() and linked.suffix != ".md":
                to = folder / linked.resolve().relative_to(ROOT)
                to.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(linked, to)
        # A table of contents has no page of its own, and mdBook names a README index.
        text = re.sub(r"docs/manual/([\w-]+)/src/SUMMARY\.md", r"docs/manual/\1/src/first-steps.md", text)
        text = re.sub(r"(?<=[(/])README\.md", "index.md", text)
        if name in FRONT:
            language, _, edition, manual, benchmark = FRONT[name]
            first = f"docs/manual/{language}/src/first-steps.md"
            links = f"**[{edition}](edition/index.html) · [{manual}]({first}) · [{benchmark}](benchmark/RESULTS.md)**"
            text = text.replace("\n", f"\n\n{links}\n", 1)
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "SUMMARY.md").write_text(lines.replace("\n", "\n\n"), encoding="utf-8")
    (folder / "book.toml").write_text(BOOK, encoding="utf-8")


class Links(html.parser.HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value for name, value in attrs if name in ("href", "src") and value]


def broken(site: pathlib.Path) -> list[str]:
    found = []
    for page in sorted(site.rglob("*.html")):
        links = Links()
        links.feed(page.read_text(encoding="utf-8"))
        for link in set(links.found):
            of = urllib.parse.urlsplit(link)
            if not (of.scheme or of.netloc or not of.path or page.name in ("404.html", "print.html")):
                target = page.parent / urllib.parse.unquote(of.path)
                if not target.exists():
                    found.append(f"{page.relative_to(site)}: {link}")
    return found


def main() -> None:
    program, site = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    with tempfile.TemporaryDirectory() as temporary:
        sources = pathlib.Path(temporary) / "book"
        write_sources(sources)
        subprocess.run([os.environ.get("MDBOOK", "mdbook"), "build", sources, "-d", site], check=True)
        built = pathlib.Path(temporary) / "edition"
        subprocess.run([program, "-q", "build", ROOT / "corpus", "-o", built, "--formats", "site"], check=True)
        shutil.copytree(built / "site", site / "edition", dirs_exist_ok=True)
    if links := broken(site):
        sys.exit("\n".join(["these links lead nowhere:", *links]))


main()
