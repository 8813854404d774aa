// See piece.h. Comments are found between the spans of tokens, where a file that parses has nothing
// but blanks, line ends and comments; where statements begin is asked of the tree, because a line
// end says nothing (L1.4).
#include "format/piece.h"

#include "lexer/lexer.h"
#include "parser/ast_visit.h"
#include "support/arena.h"

#include <string.h>

typedef struct Reader {
    Arena *arena;
    Pieces *pieces;
    const char *text;     // of the file
    const bool *begins;   // by offset: a statement does
    const bool *arrows;   // by offset: the `<` of a `<-` behind its target is there
    uint32_t newlines;    // since the last piece
    LIST_OF(size_t) open; // brackets, as indices of pieces
    bool is_verbatim;     // after `fmt off`
} Reader;

// By position: where statements begin, and where `<-` stands behind a target.
typedef struct Notes {
    bool *begins;
    bool *arrows;
} Notes;

bool piece_opens(const Piece *piece) {
    return token_is(piece->kind, TOKEN_OPENS) || piece->kind == TOKEN_CALL_PAREN ||
           piece->kind == TOKEN_INDEX_BRACKET || (piece->is_angle && piece->kind == TOKEN_LESS);
}

bool piece_closes(const Piece *piece) {
    return token_is(piece->kind, TOKEN_CLOSES) || (piece->is_angle && piece->kind == TOKEN_GREATER);
}

uint32_t piece_width(const Piece *piece) {
    uint32_t width = 0;
    for (size_t i = 0; i < piece->text.len; i++) {
        width += ((unsigned char)piece->text.data[i] & 0xc0) != 0x80; // the first byte of each
    }
    return width;
}

size_t pieces_next_token(const Pieces *pieces, size_t at) {
    while (at < pieces->count && pieces->items[at].is_comment) {
        at++;
    }
    return at;
}

static bool note_statement(const AstStmt *stmt, void *data) {
    const Notes *notes = data;
    notes->begins[stmt->span.start] = true;
    if (stmt->kind == AST_SEND) {
        notes->arrows[stmt->assign.op_span.start] = true;
    }
    return false;
}

// By offset in the file.
static void note_statements(Context *context, const AstFile *file, Reader *reader) {
    const SourceFile *source = file->source;
    bool *begins = ARENA_ARRAY(context->arena, bool, (size_t)source->len + 1);
    bool *arrows = ARENA_ARRAY(context->arena, bool, (size_t)source->len + 1);
    Notes notes = {begins - source->base, arrows - source->base};
    AstVisitor visitor = {.stmt = note_statement, .data = &notes};
    ast_visit_block(&file->statements, &visitor);
    reader->begins = begins;
    reader->arrows = arrows;
}

static bool is_part_of_block(TokenKind kind) {
    return kind == TOKEN_FN || kind == TOKEN_TEST || kind == TOKEN_END || kind == TOKEN_ELSE ||
           kind == TOKEN_ELSEIF;
}

static void add_piece(Reader *reader, Piece piece) {
    piece.newlines = reader->newlines;
    piece.depth = (uint32_t)reader->open.count;
    piece.is_verbatim = reader->is_verbatim;
    reader->newlines = 0;
    LIST_PUSH(reader->arena, reader->pieces, piece);
}

static bool is_switch(const Piece *comment, const char *word) {
    Slice text = comment->text;
    size_t len = strlen(word);
    return text.len == len && memcmp(text.data, word, len) == 0;
}

// The line ends and comments of text[start..end).
static void read_gap(Reader *reader, uint32_t start, uint32_t end) {
    const char *text = reader->text;
    for (uint32_t at = start; at < end; at++) {
        reader->newlines += text[at] == '\n';
        if (text[at] != '#') {
            continue;
        }
        uint32_t last = at;
        while (last < end && text[last] != '\n') {
            last++;
        }
        Slice comment = {text + at, last - at};
        while (strchr(" \t\r", comment.data[comment.len - 1]) != NULL) {
            comment.len--;
        }
        Piece piece = {.kind = TOKEN_END_OF_FILE, .is_comment = true, .text = comment};
        bool is_alone =
            reader->open.count == 0 && (reader->newlines > 0 || reader->pieces->count == 0);
        if (is_alone && is_switch(&piece, "# tmlc: fmt on")) {
            reader->is_verbatim = false;
        }
        add_piece(reader, piece);
        if (is_alone && is_switch(&piece, "# tmlc: fmt off")) {
            reader->is_verbatim = true;
        }
        at = last - 1;
    }
}

// Whether the sign, or `~`, that follows stands before its one operand.
static bool is_unary(const Pieces *pieces, const Piece *piece) {
    if (piece->kind != TOKEN_PLUS && piece->kind != TOKEN_MINUS && piece->kind != TOKEN_TILDE &&
        piece->kind != TOKEN_LESS) {
        return false;
    }
    size_t at = pieces->count;
    while (at > 0 && pieces->items[at - 1].is_comment) {
        at--;
    }
    return at == 0 || !token_is(pieces->items[at - 1].kind, TOKEN_ENDS);
}

// The words before what the tree takes for the beginning of some statements belong to them.
static void mark_start(Pieces *pieces) {
    static const bool words[TOKEN_KIND_COUNT] = {
        [TOKEN_MACRO] = true,    [TOKEN_IF] = true,      [TOKEN_FOR] = true,
        [TOKEN_WHILE] = true,    [TOKEN_EXISTS] = true,  [TOKEN_FEEDTHROUGH] = true,
        [TOKEN_NOT] = true,      [TOKEN_IN] = true,      [TOKEN_OUT] = true,
        [TOKEN_OPTIONAL] = true, [TOKEN_TUNABLE] = true,
    };
    size_t first = pieces->count - 1;
    for (size_t i = first;
         i > 0 && (pieces->items[i - 1].is_comment || words[pieces->items[i - 1].kind]);) {
        i--;
        first = pieces->items[i].is_comment ? first : i;
    }
    pieces->items[pieces->count - 1].starts = false;
    pieces->items[first].starts = true;
}

static void read_token(Reader *reader, const Token *token, uint32_t start, uint32_t end) {
    static const bool before_angle[TOKEN_KIND_COUNT] = {
        [TOKEN_TENSOR] = true, [TOKEN_IN] = true, [TOKEN_OUT] = true};
    Pieces *pieces = reader->pieces;
    Piece piece = {.kind = token->kind, .text = {reader->text + start, end - start}};
    const Piece *inner =
        reader->open.count == 0 ? NULL : &pieces->items[reader->open.items[reader->open.count - 1]];
    bool in_angles = inner != NULL && inner->kind == TOKEN_LESS;
    piece.is_angle = (token->kind == TOKEN_GREATER && in_angles) ||
                     (token->kind == TOKEN_LESS && pieces->count > 0 &&
                      before_angle[pieces->items[pieces->count - 1].kind]);
    piece.starts = inner == NULL && (reader->begins[start] || is_part_of_block(token->kind));
    bool sends = reader->arrows[start];
    piece.is_sent = token->kind == TOKEN_MINUS && start > 0 && reader->arrows[start - 1];
    piece.is_unary = !piece.is_angle && !piece.is_sent && (sends || is_unary(pieces, &piece));
    if (piece_closes(&piece) && reader->open.count > 0) {
        piece.partner = reader->open.items[--reader->open.count];
        pieces->items[piece.partner].partner = pieces->count;
    }
    size_t index = pieces->count;
    add_piece(reader, piece);
    if (piece.starts) {
        mark_start(pieces);
    }
    if (piece_opens(&piece)) {
        LIST_PUSH(reader->arena, &reader->open, index);
    }
}

void pieces_read(Context *context, const AstFile *file, Pieces *pieces) {
    SourceFile *source = file->source;
    Reader reader = {.arena = context->arena, .pieces = pieces, .text = source->text};
    note_statements(context, file, &reader);
    bool has_mark = source->len >= 3 && memcmp(source->text, "\xEF\xBB\xBF", 3) == 0;
    uint32_t end = has_mark ? 3 : 0;
    Lexer *lexer = lexer_create(context, source);
    for (Token token; (token = lexer_next(lexer)).kind != TOKEN_END_OF_FILE;) {
        uint32_t start = token.span.start - source->base;
        read_gap(&reader, end, start);
        end = token.span.end - source->base;
        read_token(&reader, &token, start, end);
    }
    read_gap(&reader, end, source->len);
    lexer_destroy(lexer);
}

bool pieces_agree(const Pieces *a, const Pieces *b) {
    if (a->count != b->count) {
        return false;
    }
    for (size_t i = 0; i < a->count; i++) {
        const Piece *left = &a->items[i], *right = &b->items[i];
        if (left->kind != right->kind || left->is_comment != right->is_comment ||
            left->starts != right->starts || left->text.len != right->text.len ||
            memcmp(left->text.data, right->text.data, left->text.len) != 0) {
            return false;
        }
    }
    return true;
}
