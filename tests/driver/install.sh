#!/bin/sh
# An installed tree works after it was moved: install.sh CMAKE BUILD.
set -eu
cmake=$1
build=$2

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$cmake" --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/second"
cd "$work"
echo 'print(6 * 7)' >answer.tml
second/bin/tmlc answer.tml -o answer
[ "$(./answer)" = 42 ]
[ -f second/share/doc/tmlc/README.md ]
