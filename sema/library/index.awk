# The functions of the library, one row each for library.c: awk -f index.awk FILE.tml...
#
# A function begins with `fn NAME(` and ends with `end`, both without blanks before them. Of the
# comments right above it, which are kept, a line `# form: rows` or `first`, `elements` or `whole` says how it is
# applied (L18.2), and `# length: k` that k is given as a constant and taken as so many positions; `# length: k + 1`
# as one more.
# Names that begin with `_` are the library's own.

function quoted(line) {
    gsub(/\\/, "\\\\", line)
    gsub(/"/, "\\\"", line)
    return "    \"" line "\\n\""
}

/^# form: / { form = toupper($3) }
/^# length: / { len = $3; more = $5 + 0 }
/^# / && !inside { about = about quoted(substr($0, 3)) "\n" }
/^$/ && !inside {
    form = ""
    len = ""
    more = 0
    about = ""
}
/^fn / {
    inside = 1
    name = substr($2, 1, index($2, "(") - 1)
    printf "{\"%s\", LIBRARY_%s, \"%s\", %d,\n%s,\n", name, form == "" ? "WHOLE" : form, len, more, about == "" ? "    \"\"" : about
}
inside { print quoted($0) }
/^end$/ && inside {
    print "},"
    inside = 0
    form = ""
    len = ""
    more = 0
    about = ""
}
