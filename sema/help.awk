# What the built-in functions do, a row each for help.c: awk -f help.awk functions.in. docs/functions.awk
# says what an entry is.

function quoted(line) {
    gsub(/[\\"]/, "\\\\&", line)
    return "    \"" line "\\n\""
}

# Links become what they are called.
function plain(line,    link) {
    while (match(line, /\[[^]]*\]\([^)]*\)/)) {
        link = substr(line, RSTART, RLENGTH)
        line = substr(line, 1, RSTART - 1) substr(link, 2, index(link, "](") - 2) substr(line, RSTART + RLENGTH)
    }
    return line
}

/^@ / {
    inside = 1
    print "{\"" substr($2, 1, index($2, "(") - 1) "\","
    $0 = substr($0, 3)
}
/^$/ && inside {
    print "},"
    inside = 0
    next
}
inside { print quoted(plain($0)) }
