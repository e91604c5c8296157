#!/usr/bin/env bash
# Builds lexbor from the source package `selectolax` 1.0.2 of PyPI, together with `walk.c` (for `benches/differential`)
# and `read.c` (for `benches/peers`). The result is `target/liblexbor_walk.so` in this folder. The script needs `pip`
# and a C compiler.
set -euo pipefail
cd "$(dirname "$0")"
out=target
mkdir -p "$out"
library=$out/liblexbor_walk.so
if [[ ! -f $library || walk.c -nt $library || read.c -nt $library ]]; then
  if [[ ! -d $out/selectolax-1.0.2 ]]; then
    pip download --quiet --no-deps --no-binary selectolax --dest "$out" selectolax==1.0.2
    tar -xzf "$out/selectolax-1.0.2.tar.gz" -C "$out"
  fi
  source=$out/selectolax-1.0.2/lexbor/source
  mkdir -p "$out/objects"
  find "$source"/lexbor/{core,dom,html,ns,tag,ports/posix} -name '*.c' | while read -r file; do
    name=${file#"$source"/}
    printf '%s\0%s\0' "$file" "$out/objects/${name//\//_}.o"
  done | xargs -0 -n 2 -P "$(nproc)" sh -c \
    'cc -O3 -DNDEBUG -fPIC -I"$0" -c "$1" -o "$2"' "$source"
  cc -O3 -DNDEBUG -fPIC -shared -I"$source" walk.c read.c "$out"/objects/*.o -lm \
    -o "$library"
fi
printf '%s\n' "$PWD/$library"
