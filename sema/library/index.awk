# The functions of the library, one row each for library.c: awk -f index.awk FILE.tml...
#
# A function begins with `fn NAME(` and ends with `end`, both without blanks before them. Of the
# comments right above it, which are kept, a line `# form: rows` or `first`, `elements` or `whole` says how it is
# applied (L18.2).
# Names that begin with `_` are the library's own.

function quoted(line) {
    gsub(/\\/, "\\\\", line)
    gsub(/"/, "\\\"", line)
    return "    \"" line "\\n\""
}

/^# form: / { form = toupper($3) }
/^# / && !inside { about = about quoted(substr($0, 3)) "\n" }
/^$/ && !inside {
    form = ""
    about = ""
}
/^fn / {
    inside = 1
    name = substr($2, 1, index($2, "(") - 1)
    printf "{\"%s\", LIBRARY_%s,\n%s,\n", name, form == "" ? "WHOLE" : form, about == "" ? "    \"\"" : about
}
inside { print quoted($0) }
/^end$/ && inside {
    print "},"
    inside = 0
    form = ""
    about = ""
}
