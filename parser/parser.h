// The state of one parse, and what the grammar asks of the rest of the parser. Internal.
#ifndef TMLC_PARSER_PARSER_H
#define TMLC_PARSER_PARSER_H

#include "lexer/lexer.h"
#include "parser/ast.h"
#include "support/context.h"

// A block that waits for its `end`.
typedef struct OpenBlock {
    TokenKind keyword;
    Span span; // of the keyword
} OpenBlock;

// A statement that began like a value and cannot go on. What is said of it depends on the rest of
// its line, so it waits for parser_recover.
typedef struct LoneValue {
    bool waits;
    bool begins;         // with the token that did not fit; else with the broken statement
    Token before, found; // the last token that fitted, and the one that did not
} LoneValue;

typedef struct Parser {
    Context *context;
    Lexer *lexer;
    AstFile *file;

    Token token;    // the last one the grammar got: its lookahead, when it has one
    Token previous; // the one before
    Span bracket;   // the innermost bracket that was open before `token`

    LIST_OF(OpenBlock) blocks;
    // The first `end` that is not indented like the block it closes; nowhere when there is none.
    Span odd_end;
    OpenBlock odd_block;

    bool quiet;        // this line has its error already
    bool error_at_end; // a message has said that the file ends too early
    bool too_deep;     // reported; the grammar sees the end of the file from now on

    // Recovery.
    bool token_ready;      // `token` was found by skipping and waits for the grammar
    uint32_t recovered_at; // where the last recovery kept its token
    LoneValue lone;
    bool owes_end;       // a block on one line was reported: its `end` is before the next one
    bool gave_end;       // that was handed to the grammar
    size_t surplus_ends; // blocks whose headers were not understood: their `end`s mean nothing
    uint32_t skip_end;   // a block that makes no sense is skipped to here
    uint32_t excused;    // what stands before this position was reported with what stands before it
    bool braces;         // a `{` was taken for the beginning of a block: its `}` is no mistake
    AstExprs refused;    // names that the target in E0202 has
    LIST_OF(Slice) reserved; // words that were to be names: their other uses are no mistakes
} Parser;

// E0201
#define syntax_error(parser, span, ...) \
    diag_error((parser)->context->diags, DIAG_E0201, span, __VA_ARGS__)

// Runs the grammar (grammar.y) over the whole file.
void parser_run_grammar(Parser *parser);

// The indentation of the line that holds `position`, in bytes.
uint32_t parser_indent(const Parser *parser, uint32_t position);

// `=`, `+=` and the others.
bool parser_is_assignment(TokenKind kind);

// The next token for the grammar: an `end` for every open block at the end of the file.
TokenKind parser_next_token(Parser *parser);

// What the grammar does with its lookahead after an error.
typedef enum Recovery { RECOVERY_KEEP, RECOVERY_SKIP, RECOVERY_GIVE_UP } Recovery;

// Leaves the statement or header that began at `broken`: tokens are skipped until another statement
// can begin, or behind the colon of the header.
Recovery parser_recover(Parser *parser, Span broken, bool header);

// Has recovery skip the block whose head stands on the line of `position`: the lines that are
// indented deeper, and those at its indentation that go on with it or close it.
void parser_skip_block(Parser *parser, uint32_t position);

void parser_open_block(Parser *parser, TokenKind keyword, Span span);
void parser_close_block(Parser *parser, Span end);

// E0901, once per file; parsing ends.
void parser_report_limit(Parser *parser, Span span, const char *text, int most, const char *of);
void parser_report_depth(Parser *parser, Span span);
// Checks that `depth` levels of tree fit into the blocks that are open. Reports and returns false
// when they do not.
bool parser_fits(Parser *parser, size_t depth, Span span);

#endif
