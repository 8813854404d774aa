# Makes the table behind `tmlc --explain` from docs/diagnostics.md: an entry begins with a heading
# `## E0501: title` and ends before the next one. Programs are indented instead of fenced.

function put(line) {
    gsub(/[\\"]/, "\\\\&", line)
    printf "    \"%s\\n\"\n", line
}

function finish() {
    if (in_entry) {
        print "},"
    }
    blank_lines = 0
    fenced = 0
}

/^## [EW][0-9][0-9][0-9][0-9]: / {
    finish()
    in_entry = 1
    printf "{\"%s\",\n", substr($2, 1, 5)
    put(substr($0, 4))
    next
}

!in_entry { next }

/^```/ { fenced = !fenced; next }

/^$/ { blank_lines++; next }

{
    for (; blank_lines > 0; blank_lines--) {
        put("")
    }
    put((fenced ? "    " : "") $0)
}

END { finish() }
