# The functions of the library, one row each for library.c: awk -f index.awk FILE.tml...
#
# A function begins with `fn NAME(` and ends with `end`, both without blanks before them. The comments
# right above it are kept. Their lines `# WORD: ...` say, among what people want to know, how it is called:
#
#     form: rows                   how it is applied (L18.2); `whole` where there is none
#     length: k + 1                k is given as a constant, and taken as the positions 0 to k
#     bang: yes                    it has a form with `!`
#     or: _name                    the function for more arguments, or for those of other ranks, which
#                                  stands below; its text, which messages show, has the first one's name
#     slope: _name                 how it is differentiated (rule.c); and so `adjoint`, `kept` and
#                                  `linear`, which are not for people either
#     needs: q within 0 to 1       what of constant arguments is told when it does not hold (needs.c)
#
# Names that begin with `_` are the library's own.

function quoted(line) {
    gsub(/[\\"]/, "\\\\&", line)
    return "    \"" line "\\n\""
}

function forget() {
    form = "WHOLE"
    len = about = other = ""
    more = bang = 0
    delete rule
}

BEGIN { forget() }
/^# form: / { form = toupper($3) }
/^# length: / { len = $3; more = $5 + 0 }
/^# bang: / { bang = 1 }
/^# or: / { other = $3 }
/^# (slope|adjoint|kept|linear): / && !inside {
    rule[$2] = $3
    next
}
/^# / && !inside { about = about quoted(substr($0, 3)) "\n" }
/^$/ && !inside { forget() }
/^fn / {
    inside = 1
    name = substr($2, 1, index($2, "(") - 1)
    if (other != "") {
        first[other] = name
    }
    if (name in first) {
        sub(name "\\(", first[name] "(")
    }
    printf "{\"%s\", LIBRARY_%s, \"%s\", %d, %d, \"%s\",\n", name, form, len, more, bang, other
    printf "    \"%s\", \"%s\", \"%s\", \"%s\",\n", rule["slope:"], rule["adjoint:"], rule["kept:"], rule["linear:"]
    printf "%s,\n", about == "" ? "    \"\"" : about
}
inside { print quoted($0) }
/^end$/ && inside {
    print "},"
    inside = 0
    forget()
}
