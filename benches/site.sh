#!/usr/bin/env bash
# The edition of a corpus of many sections: the bundled texts COPIES times, one character in twelve changed each time, built
# once from the sources and once from the TEI of that build, where nothing is left to decide. Wants perl, GNU time and a
# release build. Prints sections, files, processor seconds, seconds and the most memory that was held.
set -euo pipefail
cd "$(dirname "$0")/.."
zhushu=$PWD/target/release/zhushu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/texts"
for n in $(seq "${COPIES:-50}"); do
  for text in corpus/*-{zhushu,jishi}.txt corpus/*-judou.md; do
    # Marks of layers stay, since without them the texts would be of another kind.
    N=$n perl -CSD -Mutf8 -0777 -pe '
      BEGIN { srand $ENV{N} }
      @pool = /\p{Han}/g unless @pool;
      s/(?![疏注釋曰右按案])(\p{Han})/rand() < 1 \/ 12 ? $pool[rand @pool] : $1/ge;
    ' "$text" > "$folder/texts/t$n-$(basename "$text")"
  done
done
build() { # what is built, from where, to where
  /usr/bin/time -f '%U %S %e %M' -o "$folder/time" "$zhushu" build "$2" -o "$folder/$3" > /dev/null
  local sections files
  sections=$(cat "$folder/$3"/site/*.html | grep -c '<section class="zhang"')
  files=$(find "$folder/$3/site" -type f | wc -l)
  awk -v what="$1" -v sections="$sections" -v files="$files" '{
    printf "%s: %d sections, site of %d files; %.1f s of processor time, %.1f s, %d MB at most\n", what, sections, files, $1 + $2, $3, $4 / 1024
  }' "$folder/time"
}
du -sk "$folder/texts" | awk '{ printf "%.1f MB of text\n", $1 / 1024 }'
build 'from sources' "$folder/texts" first
build 'from TEI' "$folder/first/tei" second
