#!/usr/bin/env bash
# Whole processes side by side: `zhushu export` of a settled text (TEI) as EPUB against pandoc making EPUB of the same text
# in Markdown. Wants pandoc and a release build; MB sets the size of the text. Prints the best of three of each.
set -euo pipefail
cd "$(dirname "$0")/.."
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
a=$(best "$zhushu" export text.xml -o ours.epub)
b=$(best pandoc notes.md -o theirs.epub)
awk -v a="$a" -v b="$b" 'BEGIN { printf "zhushu %.3f s, pandoc %.3f s of processor time: %.1f times\n", a, b, b / a }'
