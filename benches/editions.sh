#!/usr/bin/env bash
# Whole processes side by side, for a settled text (TEI): `zhushu export` as EPUB against pandoc making EPUB of the same
# text in Markdown, and as Markdown against xsltproc making a reading page (reading.xsl). Wants pandoc, xsltproc and a
# release build; MB sets the size of the text. Prints the best of three of each.
set -euo pipefail
cd "$(dirname "$0")/.."
sheet=$PWD/benches/reading.xsl
zhushu=$PWD/target/release/zhushu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
text=$(sed '1,/^$/d' corpus/yili-07-judou.md)
cp corpus/yili-07-judou.md "$folder/text.md"
while [ "$(stat -c %s "$folder/text.md")" -lt $(( ${MB:-1} * 1000000 )) ]; do printf '\n%s' "$text" >> "$folder/text.md"; done
cd "$folder"
"$zhushu" convert text.md --to tei -o text.xml
"$zhushu" export text.xml --to markdown -o notes.md
best() { # seconds of processor time, the best of three
  for _ in 1 2 3; do
    { TIMEFORMAT='%U %S'; time "$@" > /dev/null 2>&1; } 2>&1 | awk '{ print $1 + $2 }'
  done | sort -n | head -1
}
against() { # name and seconds of the other, seconds of ours
  awk -v n="$1" -v b="$2" -v a="$3" 'BEGIN { printf "zhushu %.3f s, %s %.3f s of processor time: %.1f times\n", a, n, b, b / a }'
}
against pandoc "$(best pandoc notes.md -o theirs.epub)" "$(best "$zhushu" export text.xml -o ours.epub)"
against xsltproc "$(best xsltproc -o theirs.html "$sheet" text.xml)" "$(best "$zhushu" export text.xml -o ours.md)"
