#!/usr/bin/env bash
# Builds lexbor, from the source package `selectolax` 1.0.2 of PyPI, with `walk.c` into
# `target/liblexbor_walk.so`, beside this script. It needs `pip` and a C compiler.
set -euo pipefail
cd "$(dirname "$0")"
out=target
mkdir -p "$out"
if [[ ! -f $out/liblexbor_walk.so || walk.c -nt $out/liblexbor_walk.so ]]; then
  if [[ ! -d $out/selectolax-1.0.2 ]]; then
    pip download --quiet --no-deps --no-binary :all: --dest "$out" selectolax==1.0.2
    tar -xzf "$out/selectolax-1.0.2.tar.gz" -C "$out"
  fi
  source=$out/selectolax-1.0.2/lexbor/source
  mkdir -p "$out/objects"
  find "$source"/lexbor/{core,dom,html,ns,tag,ports/posix} -name '*.c' | while read -r file; do
    name=${file#"$source"/}
    printf '%s\0%s\0' "$file" "$out/objects/${name//\//_}.o"
  done | xargs -0 -n 2 -P "$(nproc)" sh -c \
    'cc -O3 -DNDEBUG -fPIC -I"$0" -c "$1" -o "$2"' "$source"
  cc -O3 -DNDEBUG -fPIC -shared -I"$source" walk.c "$out"/objects/*.o -lm \
    -o "$out/liblexbor_walk.so"
fi
printf '%s\n' "$PWD/$out/liblexbor_walk.so"
