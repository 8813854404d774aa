// The tokens and comments of a file in their order, with what a layout has to know of each. A
// layout only decides what stands between pieces; their texts are those of the source.
#ifndef TMLC_FORMAT_PIECE_H
#define TMLC_FORMAT_PIECE_H

#include "lexer/token.h"
#include "parser/ast.h"
#include "support/context.h"

typedef struct Piece {
    TokenKind kind; // of a comment TOKEN_END_OF_FILE
    bool is_comment;
    bool starts;       // a statement, or a part of a block, begins with it
    bool is_unary;     // a sign before its one operand
    bool is_angle;     // `<` or `>` of a type
    bool is_sent;      // the `-` of a `<-` behind its target
    bool is_verbatim;  // between comments that switch the formatter off and on again
    bool is_aligned;   // in a literal whose columns stand below each other
    bool breaks;       // a line begins with it
    Slice text;        // of the source
    uint32_t newlines; // line ends before it
    uint32_t depth;    // brackets that are open before it
    uint32_t blanks;   // before it on its line, or beyond the line's indentation
    size_t partner;    // of a bracket: the one that closes it, or that it closes
} Piece;

typedef LIST_OF(Piece) Pieces;

// The pieces of a file that parses, with all but `breaks`, `blanks` and `is_aligned`.
void pieces_read(Context *context, const AstFile *file, Pieces *pieces);
// Whether both hold the same tokens and comments in the same order.
bool pieces_agree(const Pieces *a, const Pieces *b);

bool piece_opens(const Piece *piece);
bool piece_closes(const Piece *piece);
// What it takes of a line, in characters.
uint32_t piece_width(const Piece *piece);
// The next piece from `at` on that is no comment; their number when there is none.
size_t pieces_next_token(const Pieces *pieces, size_t at);

#endif
