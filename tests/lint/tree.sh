#!/bin/sh
# What the source tree must keep: tree.sh RULE ROOT.
#   lengths     no C file above 600 lines, no header above 350
#   generated   nothing that the build makes is committed
#   headers     every header compiles alone (needs CC in the environment)
#   words       no left-over marks of unfinished work
#   calls       nothing that runs a shell or writes without a bound; gnuplot is a program we start
#   shapes      the checker compares no dims, and no ranks or sizes of two types: types/shape.h does
set -eu
rule=$1
cd "$2"

# Files of the project; without git (an exported tree) all that stand there.
list() {
    if git rev-parse --git-dir >/dev/null 2>&1; then
        git ls-files -- "$@"
    else
        for pattern in "$@"; do
            find . -path ./build -prune -o -name "$pattern" -print
        done
    fi
}

# Those of them that have not been deleted.
existing() {
    list "$@" | while read -r file; do
        [ ! -f "$file" ] || echo "$file"
    done
}

lengths() {
    # A grammar is one file.
    existing '*.c' '*.h' '*.y' '*.l' | xargs -r awk '
        function tell() {
            limit = name ~ /\.h$/ ? 350 : name ~ /\.y$/ ? 800 : 600
            if (lines > limit) printf "%s: %d lines, %d are the limit\n", name, lines, limit
        }
        FNR == 1 { tell(); name = FILENAME }
        { lines = FNR }
        END { tell() }'
}

generated() {
    list '*.o' '*.a' '*.so' '*.inc' '*.tab.*' 'parser/grammar.c' 'parser/grammar.h' \
        'lexer/scanner.c' '*.pyc' 'build/*' 'compile_commands.json' | sed 's/$/: is generated/'
}

headers() {
    existing '*.h' | while read -r header; do
        echo "#include \"$header\"" |
            "$CC" -std=gnu11 -fsyntax-only -Wall -Wextra -Werror -I. -I"$LLVM_INCLUDE" \
                -I"${header%/*}" -x c - 2>/dev/null || echo "$header: does not compile alone"
    done
}

words() {
    existing '*.c' '*.h' '*.y' '*.l' '*.def' '*.md' '*.cmake' |
        xargs -r grep -nHE '\b(TODO|FIXME|XXX|HACK)\b' || true
}

calls() {
    grep -nHE '\b(system|popen|mktemp|tmpnam|strcpy|strcat|sprintf|vsprintf|gets)\(' \
        -r --include='*.c' support lexer parser types tir sema codegen eval driver runtime |
        grep -v '^runtime/simulate/plot.c:.*popen("exec gnuplot' || true
}

shapes() {
    compare='(==|!=|[<>]=?)'
    count='->(flat_rank|rank|numel|depth)'
    grep -nHE -e "dims\[[^]]*\] $compare| $compare [^ ]*dims\[" \
        -e "$count\)? $compare [^;&|?]*$count" -r --include='*.c' sema |
        grep -v '^sema/component/effects' | sed 's/$/  # belongs to types\/shape.c/'
}

problems=$($rule)
if [ -n "$problems" ]; then
    echo "$problems"
    exit 1
fi
