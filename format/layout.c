// See layout.h. The user's line ends stay, but that each statement has its own line, that
// separators end lines, and that lines which are too long are broken where fewest brackets are
// open. Blocks are indented by a step, what continues a statement by one more, rows of a literal to
// its first element.
#include "format/layout.h"

#include "format/columns.h"
#include "format/spacing.h"

#include <string.h>

enum {
    STEP = 4,
    LONGEST = 100,        // characters of a line, without a comment at its end
    LAST_COMMENT_AT = 70, // comments further right do not stand below each other
};

// One line of the result: pieces [first, end).
typedef struct Line {
    size_t first, end;
    uint32_t indent;
    uint32_t width;    // with the indentation, without a comment at its end
    bool is_commented; // code and a comment
    bool is_spaced;    // a blank line stands before it
} Line;

// A bracket that is open where a line begins.
typedef struct OpenBracket {
    uint32_t inside; // the indentation of lines in it,
    uint32_t closed; // of one that begins with the bracket that closes it
} OpenBracket;

typedef struct Layout {
    Arena *arena;
    Pieces *pieces;
    LIST_OF(Line) lines;
    LIST_OF(OpenBracket) open;
    uint32_t block;     // the indentation of statements
    uint32_t statement; // of the last one
    size_t end;         // of the line of the source, or of what is left of it
    uint32_t depth;     // at which that is broken
    bool has_broken;
} Layout;

// Whether it goes to the end of the line before.
static bool ends_line(const Piece *piece) {
    return piece->kind == TOKEN_COMMA || piece->kind == TOKEN_SEMICOLON ||
           piece->kind == TOKEN_PAGE_BAR || piece->kind == TOKEN_HEADER_COLON;
}

static void decide_breaks(Pieces *pieces) {
    for (size_t i = 0; i < pieces->count; i++) {
        Piece *piece = &pieces->items[i];
        const Piece *before = i > 0 ? &pieces->items[i - 1] : NULL;
        piece->breaks = before == NULL || before->is_comment || piece->starts;
        if (piece->newlines > 0 && !piece->breaks) {
            bool moves = ends_line(piece) && i + 1 < pieces->count;
            piece->breaks = !moves;
            Piece *next = piece + 1;
            if (moves && next->newlines == 0 && !next->is_comment && !piece_closes(next)) {
                next->newlines = 1;
            }
        }
        piece->blanks = piece->breaks ? 0 : spacing_between(before, piece);
    }
}

// Whether pieces [first, end), without a comment at the end, fit on a line; *width is theirs if so.
static bool fits(const Pieces *pieces, size_t first, size_t end, uint32_t indent, uint32_t *width) {
    *width = indent;
    for (size_t i = first; i < end && !pieces->items[i].is_comment; i++) {
        *width += pieces->items[i].blanks + piece_width(&pieces->items[i]);
        if (*width > LONGEST) {
            return false;
        }
    }
    return true;
}

static bool may_break_before(const Pieces *pieces, size_t at) {
    const Piece *piece = &pieces->items[at], *before = &pieces->items[at - 1];
    if (piece->is_comment || piece->is_aligned || piece->is_verbatim || piece->is_sent ||
        piece_closes(piece)) {
        return false;
    }
    return before->kind == TOKEN_COMMA || before->kind == TOKEN_SEMICOLON ||
           spacing_is_operator(piece);
}

// The fewest brackets that are open where pieces [first, end) may be broken.
static uint32_t break_depth(const Pieces *pieces, size_t first, size_t end) {
    uint32_t depth = UINT32_MAX;
    for (size_t i = first + 1; i < end; i++) {
        if (may_break_before(pieces, i) && pieces->items[i].depth < depth) {
            depth = pieces->items[i].depth;
        }
    }
    return depth;
}

// Where a line that is too long is broken: as far right as fits where `depth` brackets are open,
// else at the first such place; `end` when there is none.
static size_t break_at(const Pieces *pieces, size_t first, size_t end, uint32_t indent,
                       uint32_t depth) {
    size_t found = end;
    uint32_t column = indent;
    for (size_t i = first; i < end && (column <= LONGEST || found == end); i++) {
        const Piece *piece = &pieces->items[i];
        if (i > first && piece->depth == depth && may_break_before(pieces, i) &&
            (column <= LONGEST || found == end)) {
            found = i;
        }
        column += piece->blanks + piece_width(piece);
    }
    return found;
}

// Breaks [first, end) until the first part fits, and says where that ends. The rest is next; how
// deep it can be broken is remembered, so that a line takes a time in proportion to its length.
static size_t fit(Layout *layout, size_t first, size_t end, uint32_t indent, uint32_t *width) {
    Pieces *pieces = layout->pieces;
    const size_t whole = end;
    while (!fits(pieces, first, end, indent, width)) {
        uint32_t depth = end == whole ? layout->depth : break_depth(pieces, first, end);
        size_t at = break_at(pieces, first, end, indent, depth);
        if (at == end && end == whole) {
            layout->depth = break_depth(pieces, first, end);
            at = break_at(pieces, first, end, indent, layout->depth);
        }
        if (at == end) {
            break;
        }
        end = at;
    }
    if (end != whole) {
        pieces->items[end].breaks = true;
        pieces->items[end].blanks = 0;
        layout->has_broken = true;
    }
    return end;
}

// Keeps track of the brackets of a line, which begins in column `indent`.
static void note_brackets(Layout *layout, const Line *line) {
    const Pieces *pieces = layout->pieces;
    uint32_t column = line->indent;
    for (size_t i = line->first; i < line->end; i++) {
        const Piece *piece = &pieces->items[i];
        column += piece->blanks + piece_width(piece);
        if (piece_closes(piece) && layout->open.count > 0) {
            layout->open.count--;
        }
        if (piece_opens(piece)) {
            bool is_last = i + 1 == line->end || pieces->items[i + 1].is_comment;
            bool hangs = piece->kind == TOKEN_OPEN_BRACKET && !is_last;
            OpenBracket open = {hangs ? column : line->indent + STEP,
                                hangs ? column - 1 : line->indent};
            LIST_PUSH(layout->arena, &layout->open, open);
        }
    }
}

// Whether the piece at `first`, which begins a line, or what follows its comments, is a
// statement's.
static bool is_statement(const Pieces *pieces, size_t first) {
    size_t token = pieces_next_token(pieces, first);
    return token == pieces->count || pieces->items[token].starts;
}

static uint32_t indent_of(Layout *layout, size_t first) {
    const Piece *piece = &layout->pieces->items[first];
    if (is_statement(layout->pieces, first)) {
        bool ends_block =
            piece->kind == TOKEN_END || piece->kind == TOKEN_ELSE || piece->kind == TOKEN_ELSEIF;
        layout->block -= ends_block && layout->block > 0 ? STEP : 0;
        return layout->statement = layout->block;
    }
    if (layout->open.count == 0) {
        return layout->statement + STEP;
    }
    const OpenBracket *open = &layout->open.items[layout->open.count - 1];
    return piece_closes(piece) ? open->closed : open->inside;
}

// Whether a comment with a line of its own stands directly above the line that begins here.
static bool is_below_comment(const Pieces *pieces, size_t first) {
    return first > 0 && pieces->items[first - 1].is_comment && pieces->items[first - 1].breaks &&
           pieces->items[first].newlines <= 1;
}

// A function or test is set apart, with the comments directly above it.
static bool is_set_apart(const Pieces *pieces, size_t first) {
    size_t at = first;
    while (at + 1 < pieces->count && pieces->items[at].is_comment &&
           is_below_comment(pieces, at + 1)) {
        at++;
    }
    TokenKind kind = pieces->items[at].kind;
    return (kind == TOKEN_FN || kind == TOKEN_TEST) && !is_below_comment(pieces, first);
}

static void add_line(Layout *layout, size_t first) {
    const Pieces *pieces = layout->pieces;
    if (first == layout->end) {
        layout->depth = UINT32_MAX;
        do {
            layout->end++;
        } while (layout->end < pieces->count && !pieces->items[layout->end].breaks);
    }
    Line line = {.first = first, .indent = indent_of(layout, first)};
    line.end = fit(layout, first, layout->end, line.indent, &line.width);
    line.is_commented = line.end > first + 1 && pieces->items[line.end - 1].is_comment;
    line.is_spaced =
        first > 0 && (pieces->items[first].newlines > 1 || is_set_apart(pieces, first));
    note_brackets(layout, &line);
    const Piece *last = &pieces->items[line.end - 1 - line.is_commented];
    layout->block += last->kind == TOKEN_HEADER_COLON ? STEP : 0;
    LIST_PUSH(layout->arena, &layout->lines, line);
}

// Comments at the ends of neighbouring lines stand below each other.
static void align_comments(Layout *layout) {
    size_t count = layout->lines.count;
    Line *lines = layout->lines.items;
    for (size_t i = 0; i < count;) {
        uint32_t width = 0;
        size_t end = i;
        while (end < count && lines[end].is_commented && lines[end].width + 2 <= LAST_COMMENT_AT &&
               (end == i || !lines[end].is_spaced)) {
            width = lines[end].width > width ? lines[end].width : width;
            end++;
        }
        for (size_t k = i; k < end; k++) {
            layout->pieces->items[lines[k].end - 1].blanks = width + 2 - lines[k].width;
        }
        i = end > i ? end : i + 1;
    }
}

static void print_line(const Layout *layout, const Line *line, Buffer *out) {
    buffer_text(out, line->is_spaced ? "\n" : "");
    buffer_repeat(out, ' ', line->indent);
    for (size_t i = line->first; i < line->end; i++) {
        const Piece *piece = &layout->pieces->items[i];
        buffer_repeat(out, ' ', piece->blanks);
        buffer_append(out, piece->text.data, piece->text.len);
    }
    buffer_text(out, "\n");
}

// The lines of [from, to), without what is left of the first and without carriage returns.
static void print_verbatim(const char *from, const char *to, Buffer *out) {
    const char *line = from;
    for (const char *at = from; at < to; at++) {
        if (*at == '\n') {
            size_t len = (size_t)(at - line);
            if (line != from) {
                while (len > 0 && line[len - 1] == '\r') {
                    len--;
                }
                buffer_append(out, line, len);
                buffer_text(out, "\n");
            }
            line = at + 1;
        }
    }
    if (line != from && line < to) {
        buffer_append(out, line, (size_t)(to - line));
        buffer_text(out, "\n");
    }
}

// The lines from `first` on that are not touched: as they are in the source between the comments
// around them. Returns the line behind them.
static size_t print_untouched(const Layout *layout, size_t first, Buffer *out) {
    const Piece *pieces = layout->pieces->items;
    const Line *lines = layout->lines.items;
    size_t end = first;
    while (end < layout->lines.count && pieces[lines[end].first].is_verbatim) {
        end++;
    }
    const Slice *before = &pieces[lines[first].first - 1].text;
    const Piece *last = &pieces[lines[end - 1].end - 1];
    const char *to = last->text.data + last->text.len;
    if (end < layout->lines.count) {
        for (to = last[1].text.data; to[-1] == ' ' || to[-1] == '\t';) {
            to--;
        }
    }
    print_verbatim(before->data + before->len, to, out);
    return end;
}

bool layout_print(Arena *arena, Pieces *pieces, Buffer *out) {
    Layout layout = {.arena = arena, .pieces = pieces};
    decide_breaks(pieces);
    columns_align(arena, pieces);
    for (size_t first = 0; first < pieces->count;) {
        add_line(&layout, first);
        first = layout.lines.items[layout.lines.count - 1].end;
    }
    align_comments(&layout);
    for (size_t i = 0; i < layout.lines.count;) {
        if (pieces->items[layout.lines.items[i].first].is_verbatim) {
            i = print_untouched(&layout, i, out);
            bool has_blank = out->len > 1 && strncmp(out->data + out->len - 2, "\n\n", 2) == 0;
            if (i < layout.lines.count && has_blank) {
                layout.lines.items[i].is_spaced = false;
            }
        } else {
            print_line(&layout, &layout.lines.items[i++], out);
        }
    }
    return layout.has_broken;
}
