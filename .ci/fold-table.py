#!/usr/bin/env python3
"""Makes src/text/data/fold.tsv, the classes of characters that count as one in keys.

Nothing of this runs in a build: the table is committed. Run it after a change to fold-additions.tsv or
fold-exclusions.tsv, or with newer sources. It wants Debian's unicode-data (Unihan) and opencc + libopencc-data:

    python3 .ci/fold-table.py            writes the table
    python3 .ci/fold-table.py --check    says whether the committed table is the one it would write
    python3 .ci/fold-table.py --report   largest classes, refused unions, ambiguous rare characters

How it works. Every source gives edges between characters. Edges are taken in the order of how far they can be trusted,
and a union that would bring an excluded pair into one class is refused. Two characters that are both common (Big5
level 1) are joined only by a source of script pairs or by the hand-made additions; the dictionaries of variants, which
note any borrowing ever seen, may only attach a rare character to the one common class they all name for it, and only
where the two share a reading.
"""
import bz2
import collections
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent.parent / "src" / "text" / "data"
UNICODE = pathlib.Path("/usr/share/unicode")
OPENCC = pathlib.Path("/usr/share/opencc")
LARGEST = 14  # characters; a larger class is a chain of borrowings and must be cut by an exclusion

HEADER = """\
# Classes of characters that count as one in keys. MADE BY .ci/fold-table.py; edit fold-additions.tsv or fold-exclusions.tsv instead.
# One class a line. Groups parted by a blank are one word in two scripts (traditional/simplified, fold_script); the line is
# one class of fold. The first character of a group, and of the line, is its key. After a tab the sources that join two of
# the line, by letters:
#   o OpenCC 1.1.6 (Apache-2.0) STCharacters, TSCharacters   t its TWVariants, HKVariants   j its JPVariants
#   s Unihan 15.0 (Unicode License v3, © Unicode, Inc.) kSimplifiedVariant, kTraditionalVariant   c its kCompatibilityVariant
#   r EquivalentUnifiedIdeograph.txt (same licence)   z Unihan kZVariant   e kEACC   k kCCCII   m kSemanticVariant
#   a the project's own fold-additions.tsv
"""


def unihan():
    fields = collections.defaultdict(dict)
    for name in ["Variants", "DictionaryLikeData", "OtherMappings", "Readings"]:
        with bz2.open(UNICODE / f"Unihan_{name}.txt.bz2", "rt", encoding="utf8") as lines:
            for line in lines:
                if line.startswith("U+"):
                    code, field, value = line.rstrip("\n").split("\t")
                    fields[field][char(code)] = value
    return fields


def char(code):
    return chr(int(code.removeprefix("U+"), 16))


def opencc(name):
    """Pairs of an OpenCC dictionary of single characters."""
    with tempfile.NamedTemporaryFile() as out:
        subprocess.run(["opencc_dict", "-i", OPENCC / f"{name}.ocd2", "-o", out.name, "-f", "ocd2", "-t", "text"], check=True, stdout=subprocess.DEVNULL)
        for line in pathlib.Path(out.name).read_text(encoding="utf8").splitlines():
            a, bs = line.split("\t")
            for b in bs.split(" "):
                if a != b and len(a) == len(b) == 1:
                    yield a, b


def variants(field):
    for a, value in sorted(field.items()):
        for item in value.split(" "):
            b = char(item.split("<")[0])
            if a != b:
                yield a, b


def layers(field):
    """EACC and CCCII put the variants of a character at its own row and cell, six planes apart."""
    cells = collections.defaultdict(list)
    for c, value in field.items():
        for code in value.split(" "):
            plane, cell = divmod(int(code, 16), 0x10000)
            if 0x21 <= plane <= 0x7E:
                cells[(plane - 0x21) % 6, cell].append((plane, c))
    for _, members in sorted(cells.items()):
        members.sort()
        for _, c in members[1:]:
            if c != members[0][1]:
                yield members[0][1], c


def radicals():
    for line in (UNICODE / "EquivalentUnifiedIdeograph.txt").read_text(encoding="utf8").splitlines():
        line = line.split("#")[0].strip()
        if line:
            codes, to = (part.strip() for part in line.split(";"))
            first, _, last = codes.partition("..")
            for n in range(int(first, 16), int(last or first, 16) + 1):
                if n < 0x31C0:  # radicals; not strokes
                    yield chr(n), chr(int(to, 16))


def table(name):
    """Rows of a hand-made table: characters, reason."""
    for n, line in enumerate((HERE / name).read_text(encoding="utf8").splitlines(), 1):
        if line and not line.startswith("#"):
            chars, _, reason = line.partition("\t")
            if not reason or len(chars) < 2:
                sys.exit(f"{name}:{n}: want characters, a tab, a reason")
            yield chars


class Classes:
    """Union-find that keeps excluded pairs apart."""

    def __init__(self, apart):
        self.of = {}
        self.why = collections.defaultdict(set)  # member of a class -> letters of the sources that joined it with another
        self.apart = apart
        self.refused = []

    def members(self, c):
        return self.of.get(c) or [c]

    def join(self, a, b, source):
        x, y = self.members(a), self.members(b)
        if a == b:
            return
        if x is y:
            self.why[a].add(source)
            return
        for p in x:
            for q in y:
                if frozenset((p, q)) in self.apart:
                    self.refused.append((source, a, b, p + q))
                    return
        self.why[a].add(source)
        x = x + y
        for c in x:
            self.of[c] = x

    def all(self):
        return list({id(m): m for m in self.of.values()}.values())


def build():
    u = unihan()
    apart = {frozenset((a, b)) for chars in table("fold-exclusions.tsv") for a in chars for b in chars if a != b}

    def common(c):
        code = u["kBigFive"].get(c)
        return bool(code) and 0xA440 <= int(code, 16) <= 0xC67E

    def readings(c):
        found = set(u["kMandarin"].get(c, "").split())
        for item in u["kHanyuPinyin"].get(c, "").split():
            found |= set(item.split(":")[1].split(","))
        return found

    def same_sound(a, b):
        x, y = readings(a), readings(b)
        return not x or not y or bool(x & y)

    script = Classes(apart)
    pairs = [("o", p) for name in ["STCharacters", "TSCharacters"] for p in opencc(name)]
    pairs += [("s", p) for name in ["kSimplifiedVariant", "kTraditionalVariant"] for p in variants(u[name])]
    for source, (a, b) in pairs:
        script.join(a, b, source)

    full = Classes(apart)
    full.why.update({c: set(letters) for c, letters in script.why.items()})
    for m in script.all():  # one list a class
        own = list(m)
        for c in m:
            full.of[c] = own
    for chars in table("fold-additions.tsv"):
        for c in chars[1:]:
            full.join(chars[0], c, "a")
    for a, b in variants(u["kCompatibilityVariant"]):
        full.join(a, b, "c")
    for a, b in radicals():
        full.join(a, b, "r")
    for name in ["TWVariants", "HKVariants"]:
        for a, b in opencc(name):
            full.join(a, b, "t")
    ambiguous = attach(full, u, common, same_sound)
    return u, script, full, ambiguous


def attach(full, u, common, same_sound):
    """Attaches rare characters to common classes, by the dictionaries of variants."""
    edges = [("j", p) for p in opencc("JPVariants")]
    edges += [("z", p) for p in variants(u["kZVariant"])]
    edges += [("e", p) for p in layers(u["kEACC"])]
    edges += [("k", p) for p in layers(u["kCCCII"])]
    edges += [("m", p) for p in variants(u["kSemanticVariant"])]
    weight = {"j": 8, "z": 6, "e": 5, "k": 2, "m": 1}

    def has_common(c):
        return any(common(m) for m in full.members(c))

    wishes = collections.defaultdict(lambda: collections.defaultdict(int))  # rare -> common -> weight
    sources_of = collections.defaultdict(set)  # rare, common -> sources
    loose = []
    for source, (a, b) in edges:
        if not same_sound(a, b):
            continue
        if has_common(a) and has_common(b):
            continue
        if not has_common(a) and not has_common(b):
            loose.append((source, a, b))
            continue
        rare, word = (b, a) if has_common(a) else (a, b)
        wishes[rare][min(full.members(word))] += weight[source]
        sources_of[rare, min(full.members(word))].add(source)
    ambiguous = []
    for rare, words in sorted(wishes.items()):
        ranked = sorted(words.items(), key=lambda w: (-w[1], w[0]))
        if len(ranked) == 1 or ranked[0][1] >= 2 * ranked[1][1]:
            for source in sorted(sources_of[rare, ranked[0][0]]):
                full.join(ranked[0][0], rare, source)
        else:
            ambiguous.append((rare, ranked))
    for source, a, b in loose:  # both rare: together unless a common class has taken them apart
        if not (has_common(a) and has_common(b)):
            full.join(a, b, source)
    return ambiguous


def rank(u):
    """Order of the members of a class: the commonest traditional character first."""

    def key(c):
        code = u["kBigFive"].get(c)
        level = 2 if not code else 0 if 0xA440 <= int(code, 16) <= 0xC67E else 1
        return level, int(u["kFrequency"].get(c, "9")), ord(c)

    return key


def render(u, script, full):
    key = rank(u)
    lines = []
    for members in full.all():
        groups, seen = [], set()
        for c in sorted(members, key=key):
            if c not in seen:
                group = sorted((m for m in script.members(c)), key=key)
                seen.update(group)
                groups.append("".join(group))
        why = sorted(set().union(*(full.why[c] for c in members)))
        lines.append(" ".join(groups) + "\t" + "".join(why))
    lines.sort(key=lambda line: ord(line[0]))
    return HEADER + "\n".join(lines) + "\n"


def main():
    u, script, full, ambiguous = build()
    text = render(u, script, full)
    out = HERE / "fold.tsv"
    largest = sorted(full.all(), key=lambda m: (-len(m), m[0]))
    if "--report" in sys.argv:
        for m in largest[:30]:
            print(len(m), "".join(m))
        for source, a, b, why in full.refused:
            print("refused", source, a, b, "because of", why)
        for source, a, b, why in script.refused:
            print("refused in script", source, a, b, "because of", why)
        for rare, ranked in ambiguous:
            print("ambiguous", rare, " ".join(f"{w}:{n}" for w, n in ranked))
    if len(largest[0]) > LARGEST:
        sys.exit(f"class of {len(largest[0])}: {''.join(largest[0])}; cut it with fold-exclusions.tsv")
    if "--check" in sys.argv:
        sys.exit(0 if out.read_text(encoding="utf8") == text else "fold.tsv is not what the sources give")
    out.write_text(text, encoding="utf8")
    print(len(largest), "classes,", sum(map(len, largest)), "characters,", len(text.encode()), "bytes")


main()
