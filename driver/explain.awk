# Makes the table behind `tmlc --explain` from docs/diagnostics.md and docs/warnings.md: an entry begins
# with a heading `## E0501: title` or `## name: title`, and ends before the next one or with its file.
# Programs are indented instead of fenced.

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

FNR == 1 {
    finish()
    in_entry = 0
}

/^## [A-Za-z0-9-]+: / {
    finish()
    in_entry = 1
    printf "{\"%s\",\n", substr($2, 1, length($2) - 1)
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
