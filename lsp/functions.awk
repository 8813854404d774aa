# What the built-in functions do, a row each for builtins.c, from the tables of docs/functions.md whose first column is
# `function`: awk -f functions.awk functions.md. Links become what they are called. Those of the library have comments
# that say so (sema/library/index.awk).

/^## The library/ { exit }
/^\| function \|/ { in_table = 1; next }
!/^\|/ { in_table = 0 }

in_table && /^\| `/ {
    gsub(/\\\|/, "\001")
    split($0, cells, / *\| */)
    while (match(cells[3], /\[[^]]*\]\([^)]*\)/)) {
        link = substr(cells[3], RSTART, RLENGTH)
        cells[3] = substr(cells[3], 1, RSTART - 1) substr(link, 2, index(link, "](") - 2) substr(cells[3], RSTART + RLENGTH)
    }
    gsub(/[\\"]/, "\\\\&", cells[3])
    gsub(/\001/, "|", cells[3])
    printf "{\"%s\", \"%s\"},\n", substr(cells[2], 2, index(cells[2], "(") - 2), cells[3]
}
