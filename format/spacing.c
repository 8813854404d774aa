// See spacing.h: one blank around operators, none after a sign, inside brackets, around the colon
// of a range and around dots.
#include "format/spacing.h"

// What belongs to the piece before it.
static bool clings(const Piece *piece) {
    static const bool kinds[TOKEN_KIND_COUNT] = {
        [TOKEN_COMMA] = true,     [TOKEN_SEMICOLON] = true,     [TOKEN_HEADER_COLON] = true,
        [TOKEN_COLON] = true,     [TOKEN_DOT] = true,           [TOKEN_CALL_PAREN] = true,
        [TOKEN_TRANSPOSE] = true, [TOKEN_INDEX_BRACKET] = true, [TOKEN_QUESTION] = true,
        [TOKEN_BANG] = true,      [TOKEN_OPEN_BRACE] = true,
    };
    return kinds[piece->kind] || piece->is_angle || piece_closes(piece);
}

// What the piece behind it belongs to.
static bool holds(const Piece *piece) {
    return piece->kind == TOKEN_COLON || piece->kind == TOKEN_DOT || piece->kind == TOKEN_BANG ||
           piece->is_unary || piece_opens(piece);
}

uint32_t spacing_between(const Piece *before, const Piece *piece) {
    if (piece->is_comment) {
        return 2;
    }
    // Two signs are two operators, whatever other languages make of them.
    if (before->is_unary && piece->is_unary && before->kind != TOKEN_LESS) {
        return 1;
    }
    bool is_cast =
        before->is_angle && before->kind == TOKEN_GREATER && piece->kind == TOKEN_OPEN_PAREN;
    // `1.len` would be a number that goes wrong.
    bool is_number = before->kind == TOKEN_INTEGER_LITERAL && piece->kind == TOKEN_DOT;
    bool is_range = piece->kind == TOKEN_COLON && before->kind == TOKEN_COMMA;
    return holds(before) || is_cast || (clings(piece) && !is_range && !is_number) ? 0 : 1;
}

bool spacing_is_operator(const Piece *piece) {
    static const bool kinds[TOKEN_KIND_COUNT] = {
        [TOKEN_AND] = true,       [TOKEN_OR] = true,         [TOKEN_PLUS] = true,
        [TOKEN_MINUS] = true,     [TOKEN_STAR] = true,       [TOKEN_SLASH] = true,
        [TOKEN_PERCENT] = true,   [TOKEN_BACKSLASH] = true,  [TOKEN_DOT_STAR] = true,
        [TOKEN_POWER] = true,     [TOKEN_SHIFT_LEFT] = true, [TOKEN_SHIFT_RIGHT] = true,
        [TOKEN_ELVIS] = true,     [TOKEN_LESS] = true,       [TOKEN_LESS_EQUAL] = true,
        [TOKEN_GREATER] = true,   [TOKEN_EQUAL] = true,      [TOKEN_GREATER_EQUAL] = true,
        [TOKEN_NOT_EQUAL] = true, [TOKEN_AMPERSAND] = true,  [TOKEN_CARET] = true,
        [TOKEN_BAR] = true,
    };
    return kinds[piece->kind] && !piece->is_unary && !piece->is_angle;
}
