# The index of functions, docs/functions.md: awk -f functions.awk LIBRARY.tml... functions.in
#
# functions.in is the page with an entry for each built-in function, from `@ name(x): what it does` to an
# empty line; functions of the library have the same in the comments above them. Both have lines `word: text`:
# numpy, matlab, accuracy, form, and `example: EXPRESSION -> RESULT` behind `before: STATEMENT`, or `rule: L12`
# where the language has the examples. `@library array` stands for all functions of array.tml, `@alphabet`
# for the index of all.

function field(word, text) {
    fields[name, word] = text
}

# What a row says of how a function is applied.
function form_text(form) {
    return form == "rows" ? "rows" : form == "dims" ? "rows, or a dim" : form == "first" ? "first" : form == "second" ? "second" : form == "first_two" ? "x and y stretch" : form == "elements" ? "elements" : form == "pairs" ? "pairs" : ""
}

function row(name, in_library,    example, what) {
    names[++count] = name
    of_group[name] = group
    example = fields[name, "before"] == "" ? "`" fields[name, "example"] "`" : "`" fields[name, "before"] "` `" fields[name, "example"] "`"
    sub(/ -> .*/, "`", example)
    what = fields[name, "what"]
    gsub(/\|/, "\\|", what)
    sub(/\.$/, "", what)
    if (fields[name, "rule"] != "") {
        sub(/\), /, ")`, `", fields[name, "call"])
        return "| `" fields[name, "call"] "` | " what " |"
    }
    gives = fields[name, "example"]
    sub(/.* -> /, "", gives)
    return "| `" fields[name, "call"] "` | " what " | " (in_library ? form_text(fields[name, "form"]) " | " : "") example " | `" gives "` |"
}

function table_head(in_library, plain) {
    return plain ? "| function | |\n|---|---|" : in_library ? "| function | | | TML | gives |\n|---|---|---|---|---|" : "| function | | TML | gives |\n|---|---|---|---|"
}

function print_library(file,    k) {
    for (k = 1; k <= members[file]; k++) {
        print row(member[file, k], 1)
    }
}

# What GitHub makes of a heading.
function anchor(text) {
    text = tolower(text)
    gsub(/[^a-z0-9 -]/, "", text)
    gsub(/ /, "-", text)
    return text
}

function print_alphabet(    i, k, held) {
    for (i = 2; i <= count; i++) {
        held = names[i]
        for (k = i - 1; k > 0 && names[k] > held; k--) {
            names[k + 1] = names[k]
        }
        names[k + 1] = held
    }
    print "| name | under | NumPy | MATLAB |\n|---|---|---|---|"
    for (i = 1; i <= count; i++) {
        print "| `" names[i] "` | [" of_group[names[i]] "](#" anchor(of_group[names[i]]) ") | " code(fields[names[i], "numpy"]) " | " code(fields[names[i], "matlab"]) " |"
    }
}

function code(text) {
    return text == "-" ? "" : "`" text "`"
}

# "call: what" of an entry's first line.
function begin(line,    at) {
    at = index(line, "): ")
    name = substr(line, 1, index(line, "(") - 1)
    field("call", substr(line, 1, at))
    field("what", substr(line, at + 3))
    last = "what"
}

# A line behind the first: a field, or what goes on.
function more(line) {
    if (match(line, /^[a-z]+: /)) {
        last = substr(line, 1, RLENGTH - 2)
        field(last, substr(line, RLENGTH + 1))
    } else {
        field(last, fields[name, last] " " line)
    }
}

FNR == 1 {
    file = FILENAME
    sub(/.*\//, "", file)
    is_page = file !~ /\.tml$/
    sub(/\..*/, "", file)
    name = ""
}

# The library.
!is_page && /^# [a-z_0-9]+\(.*\): / { begin(substr($0, 3)); next }
!is_page && name != "" && /^# / { more(substr($0, 3)); next }
!is_page && name != "" && /^fn / {
    if (substr($2, 1, index($2, "(") - 1) == name) {
        member[file, ++members[file]] = name
    }
}
!is_page { name = ""; next }

# The page.
/^##/ { group = $0; sub(/^#+ /, "", group) }
/^@library / {
    print table_head(1)
    for (k = 2; k <= NF; k++) {
        print_library($k)
    }
    next
}
/^@alphabet/ { print_alphabet(); next }
/^@ / { begin(substr($0, 3)); next }
name != "" && !/^$/ { more($0); next }
name != "" {
    if (!in_table) {
        print table_head(0, fields[name, "rule"] != "")
    }
    in_table = 1
    print row(name, 0)
    name = ""
    next
}
in_table { print ""; in_table = 0 }
{ print }
