// Runs the grammar: feeds it tokens, keeps track of open blocks, and finds the place to go on after
// an error. The grammar's error rules and `parser_recover` work together: bison drops what was read
// of the broken statement, and the tokens that follow are skipped up to the next line on which a
// statement can begin.
#include "parser/parse.h"

#include "parser/mistakes/foreign.h"
#include "parser/mistakes/mistakes.h"
#include "parser/parser.h"
#include "parser/report.h"

#include <string.h>

uint32_t parser_indent(const Parser *parser, uint32_t position) {
    const SourceFile *source = parser->file->source;
    uint32_t line = position - source->base;
    while (line > 0 && source->text[line - 1] != '\n') {
        line--;
    }
    uint32_t indent = 0;
    while (source->text[line + indent] == ' ' || source->text[line + indent] == '\t') {
        indent++;
    }
    return indent;
}

void parser_open_block(Parser *parser, TokenKind keyword, Span span) {
    OpenBlock block = {.keyword = keyword, .span = span};
    LIST_PUSH(parser->context->arena, &parser->blocks, block);
    (void)parser_fits(parser, 0, span);
}

void parser_close_block(Parser *parser, Span end) {
    bool synthetic = end.start == end.end;
    if (parser->blocks.count == 0) {
        return;
    }
    if (parser->gave_end) {
        parser->gave_end = false;
        parser->blocks.count--;
        return;
    }
    if (synthetic && !parser->error_at_end && !parser->too_deep) {
        parser->error_at_end = true;
        report_missing_end(parser);
    }
    OpenBlock block = parser->blocks.items[--parser->blocks.count];
    if (!synthetic && span_is_nowhere(parser->odd_end) &&
        parser_indent(parser, end.start) < parser_indent(parser, block.span.start)) {
        parser->odd_end = end;
        parser->odd_block = block;
    }
}

void parser_report_limit(Parser *parser, Span span, const char *text, int most, const char *of) {
    if (!parser->too_deep) {
        Diag *diag = diag_error(parser->context->diags, DIAG_E0901, span, "%s", text);
        diag_note(diag, "at most %d %s", most, of);
        parser->too_deep = true;
    }
}

void parser_report_depth(Parser *parser, Span span) {
    parser_report_limit(parser, span, "nesting is too deep", AST_DEPTH_LIMIT,
                        "levels of expressions and blocks");
}

bool parser_fits(Parser *parser, size_t depth, Span span) {
    if (depth + parser->blocks.count > AST_DEPTH_LIMIT) {
        parser_report_depth(parser, span);
        return false;
    }
    return true;
}

static bool begins_statement_or_block(TokenKind kind) {
    return token_is(kind, TOKEN_STATEMENT) || kind == TOKEN_RETURN_BARE || kind == TOKEN_NOT;
}

// Whether the rest of the line behind the last token is blank, or a comment.
static bool ends_line(const Parser *parser) {
    const SourceFile *source = parser->file->source;
    const char *rest = source->text + (parser->token.span.end - source->base);
    rest += strspn(rest, " \t\r");
    return *rest == '\n' || *rest == '#' || *rest == '\0';
}

// Whether a statement can begin with the last token. Inside brackets that were perhaps left open,
// lines that are indented deeper than the broken statement continue it. Behind a broken header its
// block is open.
static bool can_restart(const Parser *parser, uint32_t indent, bool header) {
    const Token *token = &parser->token;
    if (token->kind == TOKEN_END_OF_FILE) {
        return true;
    }
    if (token->kind == TOKEN_END) {
        return (header || parser->blocks.count > 0) && (token->first_on_line || ends_line(parser));
    }
    if (!token->first_on_line) {
        return false;
    }
    if (begins_statement_or_block(token->kind)) {
        return true;
    }
    return token_is(token->kind, TOKEN_EITHER) &&
           (span_is_nowhere(parser->bracket) || parser_indent(parser, token->span.start) <= indent);
}

static void read_token(Parser *parser) {
    size_t errors = parser->context->diags->error_count;
    parser->bracket = lexer_open_bracket(parser->lexer);
    parser->previous = parser->token;
    parser->token = lexer_next(parser->lexer);
    parser->quiet &= !parser->token.first_on_line;
    const DiagList *diags = parser->context->diags;
    if (diags->error_count > errors && diags->error_count <= DIAG_LIMIT) {
        // What is missing there shows on the next line, too.
        uint32_t at = diags->all.items[diags->all.count - 1]->span.start;
        parser->excused = at + (uint32_t)line_behind(parser, at).len;
        parser->quiet |= parser->excused >= parser->token.span.start;
    }
    if (lexer_bracket_count(parser->lexer) > AST_DEPTH_LIMIT) {
        parser_report_depth(parser, parser->token.span);
    }
}

// `}` on a line of its own, where a block is open that did not begin with `{`.
static bool is_brace_for_end(const Parser *parser) {
    return parser->token.kind == TOKEN_CLOSE_BRACE && parser->token.first_on_line &&
           span_is_nowhere(parser->bracket) && parser->blocks.count > 0 && !parser->braces &&
           line_behind(parser, parser->token.span.end).len == 0;
}

// Whether a block that stands on one line ends before the token.
static bool ends_one_line_block(Parser *parser) {
    bool behind = parser->token.first_on_line || parser->token.kind == TOKEN_END_OF_FILE;
    if (!parser->owes_end || !behind) {
        return false;
    }
    parser->owes_end = false;
    parser->gave_end = parser->blocks.count > 0;
    return parser->gave_end;
}

// `end if`: the word alone behind it.
static bool is_word_behind_end(const Parser *parser) {
    TokenKind kind = parser->token.kind;
    bool heads = kind == TOKEN_IF || kind == TOKEN_FOR || kind == TOKEN_WHILE || kind == TOKEN_FN;
    return heads && parser->previous.kind == TOKEN_END && !parser->token.first_on_line &&
           line_behind(parser, parser->token.span.end).len == 0;
}

TokenKind parser_next_token(Parser *parser) {
    if (!parser->token_ready) {
        read_token(parser);
        if (is_word_behind_end(parser)) {
            report_word_behind_end(parser, parser->token.span);
            read_token(parser);
        }
    }
    if (ends_one_line_block(parser)) {
        parser->token_ready = true;
        return TOKEN_END;
    }
    if (is_brace_for_end(parser)) {
        Diag *diag = syntax_error(parser, parser->token.span, "`}` closes nothing");
        diag_help(diag, "a block ends with `end`");
        diag_edit(diag, parser->token.span, "end");
        parser->token.kind = TOKEN_END;
    }
    parser->token_ready = false;
    if (parser->too_deep) {
        return TOKEN_END_OF_FILE;
    }
    bool ends_block = parser->token.kind == TOKEN_END_OF_FILE && parser->blocks.count > 0;
    return ends_block ? TOKEN_END : parser->token.kind;
}

bool parser_is_assignment(TokenKind kind) {
    return kind >= TOKEN_ASSIGN && kind <= TOKEN_SHIFT_RIGHT_ASSIGN;
}

static bool at_end_of_file(const Parser *parser) {
    return parser->token.kind == TOKEN_END_OF_FILE;
}

// The line of a broken statement, as far as it was skipped.
typedef struct SkippedLine {
    uint32_t end;    // behind its last token
    uint32_t assign; // where its `=` is, the end of the token before it; 0 when it has none
    TokenKind last;
} SkippedLine;

// How a line that is indented like the head of a block belongs to it.
typedef enum BlockLine { LINE_OUTSIDE, LINE_CONTINUES, LINE_CLOSES } BlockLine;

static BlockLine block_line(Slice line) {
    if (line.data[0] == '{') {
        return LINE_CONTINUES;
    }
    if (line.data[0] == '}') {
        return line.data[line.len - 1] == '{' ? LINE_CONTINUES : LINE_CLOSES;
    }
    Slice word = leading_word(line);
    if (slice_is_among(word, "else elseif elif elsif case default otherwise catch except finally "
                             "equation algorithm initial contains public private protected")) {
        return LINE_CONTINUES;
    }
    const ForeignWord *foreign = foreign_find(word, FOREIGN_WORD);
    const char *meant = slice_is(word, "end") ? "end" : foreign == NULL ? "" : foreign->tml;
    bool closes = strcmp(meant, "end") == 0 || text_begins_with(line.data, "END_");
    return closes ? LINE_CLOSES : meant[0] != '\0' ? LINE_CONTINUES : LINE_OUTSIDE;
}

void parser_skip_block(Parser *parser, uint32_t position) {
    const SourceFile *source = parser->file->source;
    uint32_t indent = parser_indent(parser, position);
    uint32_t end = position - source->base;
    bool open = true;
    while (open) {
        end += (uint32_t)strcspn(source->text + end, "\n");
        if (source->text[end] == '\0') {
            break;
        }
        end++;
        uint32_t start;
        Slice line = line_around(parser, source->base + end, &start);
        bool blank = line.len == 0 || line.data[0] == '#';
        bool deeper = parser_indent(parser, source->base + end) > indent;
        BlockLine role = blank || deeper ? LINE_CONTINUES : block_line(line);
        open = role == LINE_CONTINUES;
        end += role == LINE_CLOSES ? (uint32_t)strcspn(source->text + end, "\n") : 0;
    }
    parser->skip_end = source->base + end;
}

// Reads until `token` is where parsing goes on: behind the colon of a header, or where a statement
// can begin.
static SkippedLine skip_tokens(Parser *parser, uint32_t indent, bool header) {
    SkippedLine line = {.end = parser->token.span.end, .last = parser->token.kind};
    bool same_line = true;
    if (parser->excused <= parser->token.span.start) { // else the lexer found the mistake
        uint32_t end = parser->token.span.end;
        lexer_mute(parser->lexer, end + (uint32_t)line_behind(parser, end).len);
    }
    if (parser->lone.waits && !parser->lone.begins && parser->token.first_on_line) {
        line.end = parser->previous.span.end;
        same_line = false;
    }
    for (;;) {
        TokenKind before = parser->token.kind;
        read_token(parser);
        const Token *token = &parser->token;
        bool after_colon =
            before == TOKEN_HEADER_COLON || (before == TOKEN_COLON && token->first_on_line);
        if (can_restart(parser, indent, header) || (header && after_colon)) {
            lexer_forget_brackets(parser->lexer);
            parser->token_ready = true;
            return line;
        }
        same_line &= !token->first_on_line;
        if (!same_line) {
            continue;
        }
        if (line.assign == 0 && parser_is_assignment(token->kind) &&
            span_is_nowhere(parser->bracket)) {
            line.assign = line.end;
        }
        line.end = token->span.end;
        line.last = token->kind;
    }
}

static void report_waiting(Parser *parser, Span broken, SkippedLine line) {
    if (parser->lone.waits) {
        uint32_t start = parser->lone.begins ? parser->lone.found.span.start : broken.start;
        Span value = {.start = start, .end = line.assign == 0 ? line.end : line.assign};
        report_lone_value(parser, value, line.assign != 0);
        parser->lone.waits = false;
    }
}

// Skips to the end of a block that was found to make no sense; false when there is none.
static bool skip_block(Parser *parser) {
    if (parser->skip_end <= parser->token.span.start) {
        return false;
    }
    lexer_mute(parser->lexer, parser->skip_end);
    while (parser->token.span.start < parser->skip_end && !at_end_of_file(parser)) {
        read_token(parser);
    }
    lexer_forget_brackets(parser->lexer);
    parser->token_ready = true;
    return true;
}

Recovery parser_recover(Parser *parser, Span broken, bool header) {
    const Token *token = &parser->token;
    // A token that was kept once and does not fit again is dropped; at the end there is none after.
    bool kept_before = parser->recovered_at == token->span.end;
    bool at_end = token->span.start == token->span.end;
    if (parser->too_deep || (kept_before && at_end)) {
        return RECOVERY_GIVE_UP;
    }
    uint32_t indent = parser_indent(parser, broken.start);
    if (!kept_before && can_restart(parser, indent, header)) {
        report_waiting(parser, broken, (SkippedLine){.end = parser->previous.span.end});
        lexer_forget_brackets(parser->lexer);
        if (skip_block(parser)) {
            return RECOVERY_SKIP;
        }
        parser->recovered_at = token->span.end;
        parser->quiet &= !token->first_on_line;
        if (parser->owes_end) { // before the token
            parser->token_ready = true;
            return RECOVERY_SKIP;
        }
        return RECOVERY_KEEP;
    }
    SkippedLine line = skip_tokens(parser, indent, header);
    report_waiting(parser, broken, line);
    if (skip_block(parser)) {
        return RECOVERY_SKIP;
    }
    // The header of a block that was not understood has an `end` all the same.
    parser->surplus_ends += !header && line.last == TOKEN_HEADER_COLON;
    return RECOVERY_SKIP;
}

AstFile *parse_file(Context *context, SourceFile *source) {
    AstFile *file = ARENA_NEW(context->arena, AstFile);
    file->source = source;
    Parser parser = {.context = context, .file = file};
    parser.lexer = lexer_create(context, source);
    parser_run_grammar(&parser);
    lexer_destroy(parser.lexer);
    return file;
}
