// The grammar of TML (L1.4, L5.1, L8 to L10). Statements need no separators: one ends where the next
// token cannot continue it, and the lexer's contextual tokens (HEADER_COLON, CALL_PAREN, ...) keep
// that unambiguous. Expressions are stratified, a nonterminal per level of L5.1.
//
// Errors are caught at two places: a statement (`statement: error`) and the header of a block, whose
// body and `end` then still belong together. Everything else is in parser/parse.c.
%require "3.8"
%define api.pure full
%define api.prefix {grammar_}
%define api.token.prefix {GRAMMAR_}
%define api.symbol.prefix {SYMBOL_}
%define api.location.type {Span}
%define parse.lac full
%define parse.error custom
%locations
%expect 0
%param {Parser *parser}

%code requires {
#include "parser/build.h"
}

%code {
#include "parser/mistakes/mistakes.h"
#include "parser/report.h"
#include "support/memory.h"

#include <stdlib.h>

// Bison would tell a stack that cannot grow for want of memory like one that is too deep.
#define YYMALLOC(bytes) memory_resize(NULL, (bytes))
#define YYFREE free

// One level of tree needs at most about eight entries, so this is never met by a file that
// AST_DEPTH_LIMIT allows; beyond it the grammar calls grammar_error.
#define YYMAXDEPTH (16 * AST_DEPTH_LIMIT)
#define YYINITDEPTH 256

#define YYLLOC_DEFAULT(current, rhs, n)                          \
    ((current) = (n) > 0 ? (Span){YYRHSLOC(rhs, 1).start,        \
                                  YYRHSLOC(rhs, n).end}          \
                         : (Span){YYRHSLOC(rhs, 0).end,          \
                                  YYRHSLOC(rhs, 0).end})

// Drops the lookahead or keeps it, as parser_recover says.
#define RECOVER(broken, header)                             \
    do {                                                    \
        switch (parser_recover(parser, (broken), (header))) { \
        case RECOVERY_KEEP: break;                          \
        case RECOVERY_SKIP: yyclearin; break;               \
        case RECOVERY_GIVE_UP: YYABORT;                     \
        }                                                   \
        yyerrok;                                            \
    } while (0)

#define BINARY(OP, left, span, right) build_binary(parser, AST_BINARY_##OP, left, span, right)
// Bison has its own name for the symbol of the end.
#define SYMBOL_END_OF_FILE SYMBOL_YYEOF

#define UNARY(OP, span, operand) build_unary(parser, AST_UNARY_##OP, span, operand)

static int grammar_lex(GRAMMAR_STYPE *value, Span *span, Parser *parser);
static void grammar_error(const Span *span, Parser *parser, const char *message);
}

%union {
    Token token;
    AstName name;
    AstExpr *expr;
    AstExprs exprs;
    TensorDraft *tensor;
    AstType *type;
    AstScalar scalar;
    AstStmt *stmt;
    AstBlock block;
    AstArm arm;
    AstArms arms;
    ElseBlock otherwise;
    AstParam param;
    AstParams params;
    AstTypes types;
    AstSetting setting;
    AstSettings settings;
    unsigned modifiers;
    AstBinaryOp binary_op;
}

%token END_OF_FILE 0
%token <token> NAME "name"
%token <token> INTEGER_LITERAL "integer"
%token <token> REAL_LITERAL "real number"
%token <token> STRING_LITERAL "string"
%token BAD_LITERAL "literal"
%token
  FN "fn" END "end" IF "if" ELSEIF "elseif" ELSE "else" FOR "for" WHILE "while"
  BREAK "break" CONTINUE "continue" RETURN "return" PASS "pass"
  AND "and" OR "or" NOT "not" TRUE "true" FALSE "false"
  INT "int" UINT "uint" REAL "real" BOOL "bool" STR "str" CHAR "char" TENSOR "tensor"
  MACRO "macro" EXISTS "exists" FEEDTHROUGH "feedthrough" OPTIONAL "optional"
  TUNABLE "tunable" IN "in" OUT "out" IMPORT "import"
  INSTANCE "instance" CONNECT "connect" EVERY "every" OFFSET "offset" TEST "test"
  RETURN_BARE "bare return" TYPE "type" VAR "var"
  HEADER_COLON "header :" COLON ":"
  CALL_PAREN "call (" OPEN_PAREN "(" CLOSE_PAREN ")"
  INDEX_BRACKET "index [" OPEN_BRACKET "[" CLOSE_BRACKET "]"
  OPEN_BRACE "{" CLOSE_BRACE "}"
  COMMA "," SEMICOLON ";" PAGE_BAR "page |" DOT "." ELLIPSIS "..."
  QUESTION "?" BANG "!" TRANSPOSE "'"
  PLUS "+" MINUS "-" TILDE "~" STAR "*" SLASH "/" PERCENT "%" BACKSLASH "\\"
  DOT_STAR ".*" POWER "**" SHIFT_LEFT "<<" SHIFT_RIGHT ">>" ELVIS "?:"
  LESS "<" LESS_EQUAL "<=" GREATER ">" GREATER_EQUAL ">=" EQUAL "==" NOT_EQUAL "!="
  AMPERSAND "&" CARET "^" BAR "|"
  ASSIGN "=" PLUS_ASSIGN "+=" MINUS_ASSIGN "-=" STAR_ASSIGN "*=" SLASH_ASSIGN "/="
  PERCENT_ASSIGN "%=" AMPERSAND_ASSIGN "&=" CARET_ASSIGN "^=" BAR_ASSIGN "|="
  SHIFT_LEFT_ASSIGN "<<=" SHIFT_RIGHT_ASSIGN ">>="

%nterm <block> statements
%nterm <stmt> statement simple declaration interface_declaration io_declaration instance rate branch loop guard function test
%nterm <stmt> while_head for_head for_header guard_head guarded fn_head fn_header test_head test_header
%nterm <arm> elseif_head
%nterm <arms> if_head if_arms
%nterm <otherwise> otherwise
%nterm <modifiers> modifiers plain_modifier
%nterm <setting> setting
%nterm <settings> settings setting_list
%nterm <params> parameters parameter_list
%nterm <param> parameter
%nterm <type> type type_of tensor_type
%nterm <types> results result_list
%nterm <scalar> scalar_type
%nterm <binary_op> compound_operator
%nterm <name> name
%nterm <expr> condition loop_range given_value terminal instance_count
%nterm <expr> expression or_expr and_expr not_expr bit_or bit_xor bit_and relation elvis shift sum
%nterm <expr> product prefix power exponent transposed postfix place emptied call anchored
%nterm <expr> literal cast tensor argument index dim dim_xor dim_and
%nterm <exprs> targets arguments argument_list indices expressions dims terminals
%nterm <tensor> elements

%%

file: statements END_OF_FILE { parser->file->statements = $1; }

// Statements (L8).

// Those of the file level are kept as they come, also where the grammar gives up later.
statements:
    %empty                  { $$ = (AstBlock){0}; }
  | statements statement {
        $$ = $1;
        LIST_PUSH(parser->context->arena, &$$, $2);
        if (parser->blocks.count == 0) {
            parser->file->statements = $$;
        }
    }

statement:
    simple | declaration | interface_declaration | io_declaration | instance | branch | loop | guard | function
  | test
  | error {
        RECOVER(@1, false);
        $$ = build_error(parser, @1);
    }

simple:
    place "=" expression                { $$ = build_assign(parser, $1, @2, $3); }
  | place compound_operator expression  { $$ = build_compound(parser, $1, $2, @2, $3); }
  | targets "=" expression              { $$ = build_assign_all(parser, $1, @2, $3); }
  | place "<" "-" expression            { $$ = build_send(parser, $1, span_join(@2, @3), $4); }
  | place "'" "=" expression            { $$ = build_bad_target(parser, span_join(@1, @2)); }
  | call            { $$ = build_stmt(parser, AST_CALL_STMT, @1); $$->call = $1; }
  | "break"         { $$ = build_stmt(parser, AST_BREAK, @1); }
  | "continue"      { $$ = build_stmt(parser, AST_CONTINUE, @1); }
  | "pass"          { $$ = build_stmt(parser, AST_PASS, @1); }
  | "bare return"   { $$ = build_stmt(parser, AST_RETURN, @1); }
  | "return" expressions  { $$ = build_stmt(parser, AST_RETURN, @$); $$->values = $2; }
  | "import" "string" {
        $$ = build_stmt(parser, AST_IMPORT, @$);
        $$->import.path = $2.string;
        $$->import.path_span = @2;
    }

// L9.5
targets:
    place "," place {
        $$ = (AstExprs){0};
        build_append(parser, &$$, $1);
        build_append(parser, &$$, $3);
    }
  | targets "," place   { $$ = $1; build_append(parser, &$$, $3); }

compound_operator:
    "+="    { $$ = AST_BINARY_ADD; }
  | "-="    { $$ = AST_BINARY_SUB; }
  | "*="    { $$ = AST_BINARY_MUL; }
  | "/="    { $$ = AST_BINARY_DIV; }
  | "%="    { $$ = AST_BINARY_REM; }
  | "&="    { $$ = AST_BINARY_BIT_AND; }
  | "^="    { $$ = AST_BINARY_BIT_XOR; }
  | "|="    { $$ = AST_BINARY_BIT_OR; }
  | "<<="   { $$ = AST_BINARY_SHL; }
  | ">>="   { $$ = AST_BINARY_SHR; }

declaration:
    type name "=" expression        { $$ = build_decl(parser, $1, $2, false, $4); }
  | type name "?" "=" expression    { $$ = build_decl(parser, $1, $2, true, $5); }

// L10.1. A leading `feedthrough` needs another modifier behind it, else it is a guard.
interface_declaration:
    type name "." name given_value
        { $$ = build_terminal(parser, 0, $1, $2, $4, $5, @$); }
  | modifiers type name "." name given_value
        { $$ = build_terminal(parser, $1, $2, $3, $5, $6, @$); }

// L16
io_declaration:
    "in" "<" type "," dims ">" name     { $$ = build_io(parser, false, $3, $5, $7, @$); }
  | "out" "<" type "," dims ">" name    { $$ = build_io(parser, true, $3, $5, $7, @$); }

given_value:
    %empty          { $$ = NULL; }
  | "=" expression  { $$ = $2; }

modifiers:
    plain_modifier
  | "feedthrough" plain_modifier
        { $$ = build_modifier(parser, AST_MODIFIER_FEEDTHROUGH, $2, @2); }
  | "not" "feedthrough" plain_modifier
        { $$ = build_modifier(parser, AST_MODIFIER_NOT_FEEDTHROUGH, $3, @3); }
  | modifiers plain_modifier
        { $$ = build_modifier(parser, $1, $2, @2); }
  | modifiers "feedthrough"
        { $$ = build_modifier(parser, $1, AST_MODIFIER_FEEDTHROUGH, @2); }
  | modifiers "not" "feedthrough"
        { $$ = build_modifier(parser, $1, AST_MODIFIER_NOT_FEEDTHROUGH, span_join(@2, @3)); }

plain_modifier:
    "in"        { $$ = AST_MODIFIER_IN; }
  | "out"       { $$ = AST_MODIFIER_OUT; }
  | "optional"  { $$ = AST_MODIFIER_OPTIONAL; }
  | "tunable"   { $$ = AST_MODIFIER_TUNABLE; }

// L15.1, L15.6
instance:
    "instance" name instance_count "=" "string" "call (" settings ")" rate {
        $$ = $9;
        $$->span = @$;
        $$->instance.name = $2;
        $$->instance.count = $3;
        $$->instance.path = $5.string;
        $$->instance.path_span = @5;
        $$->instance.settings = $7.items;
        $$->instance.setting_count = $7.count;
    }
  | "connect" place "=" expression  { $$ = build_connect(parser, $2, $4, @$); }

instance_count:
    %empty                      { $$ = NULL; }
  | "index [" expression "]"    { $$ = $2; }

settings:
    %empty          { $$ = (AstSettings){0}; }
  | setting_list

setting_list:
    setting
        { $$ = (AstSettings){0}; LIST_PUSH(parser->context->arena, &$$, $1); }
  | setting_list "," setting
        { $$ = $1; LIST_PUSH(parser->context->arena, &$$, $3); }

setting: name "." name "=" expression
        { $$ = (AstSetting){.space = $1, .name = $3, .value = $5}; }

rate:
    %empty                  { $$ = build_stmt(parser, AST_INSTANCE, @$); }
  | "every" expression {
        $$ = build_stmt(parser, AST_INSTANCE, @$);
        $$->instance.every = $2;
    }
  | "every" expression "offset" expression {
        $$ = build_stmt(parser, AST_INSTANCE, @$);
        $$->instance.every = $2;
        $$->instance.offset = $4;
    }

// Blocks.

end: "end" { parser_close_block(parser, @1); }

header_end:
    "header :"
  | ":"         { report_early_colon(parser, @1); }

condition:
    expression header_end
  | error       { $$ = build_expr(parser, AST_ERROR, @1); RECOVER(@1, true); }

branch: if_arms otherwise end   { $$ = build_branch(parser, $1, $2); }

if_arms:
    if_head statements              { $$ = $1; $$.items[0].body = $2; }
  | if_arms elseif_head statements  { $$ = $1; build_arm(parser, &$$, $2, $3); }

if_head:
    "if" condition {
        $$ = build_first_arm(parser, AST_IF, $2, @1);
        parser_open_block(parser, TOKEN_IF, @1);
    }
  | "macro" "if" condition {
        $$ = build_first_arm(parser, AST_MACRO_IF, $3, span_join(@1, @2));
        parser_open_block(parser, TOKEN_IF, @1);
    }

elseif_head:
    "elseif" condition      { $$ = (AstArm){.condition = $2, .span = @1}; }
  | "else" "if" condition {
        $$ = (AstArm){.condition = $3, .span = span_join(@1, @2)};
        report_else_if(parser, $$.span);
    }

otherwise:
    %empty                  { $$ = (ElseBlock){0}; }
  | else_head statements    { $$ = (ElseBlock){.block = $2, .present = true}; }

else_head:
    "else" header_end
  | "else" error            { RECOVER(@2, true); }

loop:
    while_head statements end           { $$ = $1; $$->loop.body = $2; }
  | for_head statements end {
        $$ = $1;
        if ($$->kind != AST_ERROR_STMT) {
            $$->for_loop.body = $2;
        }
    }

while_head: "while" condition {
        $$ = build_stmt(parser, AST_WHILE, span_join(@1, $2->span));
        $$->loop.condition = $2;
        parser_open_block(parser, TOKEN_WHILE, @1);
    }

for_head:
    "for" for_header {
        $$ = $2;
        $$->span.start = @1.start;
        parser_open_block(parser, TOKEN_FOR, @1);
    }
  | "macro" "for" for_header {
        $$ = $3;
        $$->span.start = @1.start;
        if ($$->kind == AST_FOR) {
            $$->kind = AST_MACRO_FOR;
        }
        parser_open_block(parser, TOKEN_FOR, @1);
    }

for_header:
    name "=" loop_range "header :" {
        $$ = build_stmt(parser, AST_FOR, span_join(@1, @3));
        $$->for_loop.name = $1;
        $$->for_loop.range = $3;
    }
  | error       { $$ = build_stmt(parser, AST_ERROR_STMT, @1); RECOVER(@1, true); }

loop_range:
    expression ":" expression
        { $$ = build_range(parser, $1, $3, NULL, @$); }
  | expression ":" expression ":" expression
        { $$ = build_range(parser, $1, $3, $5, @$); }

// L10.5
guard: guard_head statements otherwise end {
        $$ = $1;
        if ($$->kind == AST_GUARD) {
            $$->guard.body = $2;
            $$->guard.otherwise = $3.block;
            $$->guard.has_otherwise = $3.present;
        }
    }

guard_head:
    "exists" guarded            { $$ = build_guard(parser, $2, TOKEN_EXISTS, false, @1); }
  | "not" "exists" guarded      { $$ = build_guard(parser, $3, TOKEN_EXISTS, true, @1); }
  | "feedthrough" guarded       { $$ = build_guard(parser, $2, TOKEN_FEEDTHROUGH, false, @1); }
  | "not" "feedthrough" guarded { $$ = build_guard(parser, $3, TOKEN_FEEDTHROUGH, true, @1); }

guarded:
    terminals header_end {
        $$ = build_stmt(parser, AST_GUARD, @1);
        $$->guard.names = $1;
    }
  | error       { $$ = build_stmt(parser, AST_ERROR_STMT, @1); RECOVER(@1, true); }

terminals:
    terminal                    { $$ = (AstExprs){0}; build_append(parser, &$$, $1); }
  | terminals "," terminal      { $$ = $1; build_append(parser, &$$, $3); }

terminal: name "." name         { $$ = build_attr(parser, build_name(parser, $1), $3); }

// L9.1
function: fn_head statements end  { $$ = build_body($1, $2, @3); }

fn_head: "fn" fn_header {
        $$ = $2;
        $$->span = span_join(@1, $2->span);
        parser_open_block(parser, TOKEN_FN, @1);
    }

fn_header:
    name "call (" parameters ")" results header_end {
        $$ = build_stmt(parser, AST_FUNCTION, @$);
        $$->function.name = $1;
        $$->function.params = $3.items;
        $$->function.param_count = $3.count;
        $$->function.results = $5.items;
        $$->function.result_count = $5.count;
    }
  | error       { $$ = build_stmt(parser, AST_ERROR_STMT, @1); RECOVER(@1, true); }

// L19.1
test: test_head statements end {
        $$ = build_body($1, $2, @3);
        LIST_PUSH(parser->context->arena, &parser->file->source->tests, @$);
    }

test_head: "test" test_header {
        $$ = $2;
        $$->span = span_join(@1, $2->span);
        parser_open_block(parser, TOKEN_TEST, @1);
    }

test_header:
    "string" header_end         { $$ = build_test(parser, $1.string, @1, (AstName){0}); }
  | "string" name header_end    { $$ = build_test(parser, $1.string, @1, $2); }
  | error       { $$ = build_stmt(parser, AST_ERROR_STMT, @1); RECOVER(@1, true); }

parameters:
    %empty          { $$ = (AstParams){0}; }
  | parameter_list

parameter_list:
    parameter
        { $$ = (AstParams){0}; LIST_PUSH(parser->context->arena, &$$, $1); }
  | parameter_list "," parameter
        { $$ = $1; LIST_PUSH(parser->context->arena, &$$, $3); }

// L9.4, L9.6
parameter:
    type name given_value
        { $$ = (AstParam){.type = $1, .name = $2, .value = $3}; }
  | "var" type name given_value
        { $$ = (AstParam){.type = $2, .name = $3, .value = $4, .is_var = true}; }

results:
    %empty          { $$ = (AstTypes){0}; }
  | result_list

result_list:
    type
        { $$ = (AstTypes){0}; LIST_PUSH(parser->context->arena, &$$, $1); }
  | result_list "," type
        { $$ = $1; LIST_PUSH(parser->context->arena, &$$, $3); }

// Types (L2).

type:
    scalar_type     { $$ = build_scalar_type(parser, $1, @1); }
  | tensor_type
  | type_of

scalar_type:
    "bool"  { $$ = AST_SCALAR_BOOL; }
  | "uint"  { $$ = AST_SCALAR_UINT; }
  | "int"   { $$ = AST_SCALAR_INT; }
  | "real"  { $$ = AST_SCALAR_REAL; }
  | "str"   { $$ = AST_SCALAR_STR; }
  | "char"  { $$ = AST_SCALAR_CHAR; }

tensor_type: "tensor" "<" type "," dims ">"  { $$ = build_tensor_type(parser, $3, $5, @$); }

type_of:
    place "." "type"        { $$ = build_type_of(parser, $1, @$); }
  | emptied "." "type"      { $$ = build_type_of(parser, $1, @$); }

// x[], x[][]: only before `.type`
emptied:
    place "index [" "]"
        { $$ = build_index(parser, $1, (AstExprs){0}, span_join(@2, @3)); }
  | emptied "index [" "]"
        { $$ = build_index(parser, $1, (AstExprs){0}, span_join(@2, @3)); }

dims:
    dim             { $$ = (AstExprs){0}; build_append(parser, &$$, $1); }
  | dims "," dim    { $$ = $1; build_append(parser, &$$, $3); }

// Expressions without comparisons, which would take the closing `>`, and without shifts (L2.2).
dim:
    dim_xor
  | dim "|" dim_xor         { $$ = BINARY(BIT_OR, $1, @2, $3); }

dim_xor:
    dim_and
  | dim_xor "^" dim_and     { $$ = BINARY(BIT_XOR, $1, @2, $3); }

dim_and:
    sum
  | dim_and "&" sum         { $$ = BINARY(BIT_AND, $1, @2, $3); }

// Expressions (L5.1), loosest first.

expression: or_expr

or_expr:
    and_expr
  | or_expr "or" and_expr       { $$ = BINARY(OR, $1, @2, $3); }

and_expr:
    not_expr
  | and_expr "and" not_expr     { $$ = BINARY(AND, $1, @2, $3); }

not_expr:
    bit_or
  | "not" not_expr              { $$ = UNARY(NOT, @1, $2); }

bit_or:
    bit_xor
  | bit_or "|" bit_xor          { $$ = BINARY(BIT_OR, $1, @2, $3); }

bit_xor:
    bit_and
  | bit_xor "^" bit_and         { $$ = BINARY(BIT_XOR, $1, @2, $3); }

bit_and:
    relation
  | bit_and "&" relation        { $$ = BINARY(BIT_AND, $1, @2, $3); }

relation:
    elvis
  | relation "<" elvis          { $$ = BINARY(LT, $1, @2, $3); }
  | relation "<=" elvis         { $$ = BINARY(LE, $1, @2, $3); }
  | relation ">" elvis          { $$ = BINARY(GT, $1, @2, $3); }
  | relation ">=" elvis         { $$ = BINARY(GE, $1, @2, $3); }
  | relation "==" elvis         { $$ = BINARY(EQ, $1, @2, $3); }
  | relation "!=" elvis         { $$ = BINARY(NE, $1, @2, $3); }

elvis:
    shift
  | elvis "?:" shift            { $$ = BINARY(ELVIS, $1, @2, $3); }

shift:
    sum
  | shift "<<" sum              { $$ = BINARY(SHL, $1, @2, $3); }
  | shift ">>" sum              { $$ = BINARY(SHR, $1, @2, $3); }

sum:
    product
  | sum "+" product             { $$ = BINARY(ADD, $1, @2, $3); }
  | sum "-" product             { $$ = BINARY(SUB, $1, @2, $3); }

product:
    prefix
  | product "*" prefix          { $$ = BINARY(MUL, $1, @2, $3); }
  | product "/" prefix          { $$ = BINARY(DIV, $1, @2, $3); }
  | product "%" prefix          { $$ = BINARY(REM, $1, @2, $3); }
  | product "\\" prefix         { $$ = BINARY(LEFT_DIV, $1, @2, $3); }
  | product ".*" prefix         { $$ = BINARY(DOT, $1, @2, $3); }

prefix:
    power
  | "+" prefix                  { $$ = UNARY(PLUS, @1, $2); }
  | "-" prefix                  { $$ = UNARY(MINUS, @1, $2); }
  | "~" prefix                  { $$ = UNARY(COMPLEMENT, @1, $2); }
  | "<" "-" prefix              { $$ = build_read(parser, span_join(@1, @2), $3); }

// `**` and `'` are one level, left to right; what follows a transpose applies to it.
power:
    postfix
  | transposed
  | power "**" exponent         { $$ = BINARY(POW, $1, @2, $3); }

exponent:
    postfix
  | "+" exponent                { $$ = UNARY(PLUS, @1, $2); }
  | "-" exponent                { $$ = UNARY(MINUS, @1, $2); }
  | "~" exponent                { $$ = UNARY(COMPLEMENT, @1, $2); }

transposed:
    power "'"                           { $$ = build_transpose(parser, $1, @2); }
  | transposed "." name                 { $$ = build_attr(parser, $1, $3); }
  | transposed "index [" indices "]"
        { $$ = build_index(parser, $1, $3, span_join(@2, @4)); }

postfix: place | anchored

// What begins with a name: it can also begin a statement.
place:
    name                                { $$ = build_name(parser, $1); }
  | call
  | place "." name                      { $$ = build_attr(parser, $1, $3); }
  | place "?"                           { $$ = build_optional(parser, $1, @2); }
  | place "index [" indices "]"
        { $$ = build_index(parser, $1, $3, span_join(@2, @4)); }

// `x.f(y)` is no call of TML; the checker knows which one is meant.
call:
    name "call (" arguments ")"
        { $$ = build_call(parser, build_name(parser, $1), false, $3, span_join(@2, @4)); }
  | name "!" "call (" arguments ")"
        { $$ = build_call(parser, build_name(parser, $1), true, $4, span_join(@3, @5)); }
  | place "." name "call (" arguments ")" {
        $$ = build_call(parser, build_attr(parser, $1, $3), false, $5, span_join(@4, @6));
    }

anchored:
    literal
  | "(" expression ")"                  { $$ = build_parenthesized(parser, $2, @$); }
  | tensor
  | cast
  | anchored "." name                   { $$ = build_attr(parser, $1, $3); }
  | anchored "." name "call (" arguments ")" {
        $$ = build_call(parser, build_attr(parser, $1, $3), false, $5, span_join(@4, @6));
    }
  | anchored "index [" indices "]"
        { $$ = build_index(parser, $1, $3, span_join(@2, @4)); }

literal:
    "integer" {
        $$ = build_expr(parser, AST_INTEGER, @1);
        $$->integer.value = $1.integer.value;
        $$->integer.is_unsigned = $1.integer.is_unsigned;
    }
  | "real number" {
        $$ = build_expr(parser, AST_REAL, @1);
        $$->real.value = $1.real.value;
        $$->real.single = $1.real.single;
    }
  | "true"          { $$ = build_expr(parser, AST_BOOLEAN, @1); $$->boolean = true; }
  | "false"         { $$ = build_expr(parser, AST_BOOLEAN, @1); }
  | "string"        { $$ = build_expr(parser, AST_STRING, @1); $$->string = $1.string; }
  | "literal"       { $$ = build_expr(parser, AST_ERROR, @1); }

cast:
    scalar_type "call (" expression ")" {
        $$ = build_cast(parser, build_scalar_type(parser, $1, @1), $3, span_join(@2, @4));
    }
  | tensor_type "(" expression ")"      { $$ = build_cast(parser, $1, $3, span_join(@2, @4)); }
  | type_of "call (" expression ")"     { $$ = build_cast(parser, $1, $3, span_join(@2, @4)); }

// L2.3
tensor:
    "[" "]"                     { $$ = build_tensor(parser, NULL, TOKEN_CLOSE_BRACKET, @$); }
  | "[" elements "]"            { $$ = build_tensor(parser, $2, TOKEN_CLOSE_BRACKET, @$); }
  | "[" elements "," "]"        { $$ = build_tensor(parser, $2, TOKEN_COMMA, @$); }
  | "[" elements ";" "]"        { $$ = build_tensor(parser, $2, TOKEN_SEMICOLON, @$); }
  | "[" elements "page |" "]"   { $$ = build_tensor(parser, $2, TOKEN_PAGE_BAR, @$); }

elements:
    expression                      { $$ = build_tensor_first(parser, $1); }
  | elements "," expression
        { $$ = $1; build_tensor_next(parser, $$, TOKEN_COMMA, $3); }
  | elements ";" expression
        { $$ = $1; build_tensor_next(parser, $$, TOKEN_SEMICOLON, $3); }
  | elements "page |" expression
        { $$ = $1; build_tensor_next(parser, $$, TOKEN_PAGE_BAR, $3); }

arguments:
    %empty          { $$ = (AstExprs){0}; }
  | argument_list

argument_list:
    argument                        { $$ = (AstExprs){0}; build_append(parser, &$$, $1); }
  | argument_list "," argument      { $$ = $1; build_append(parser, &$$, $3); }

// Ranges too: `a(1, :)` is an index to many.
argument:
    index
  | type                    { $$ = build_type_arg(parser, $1); }
  | name "=" expression     { $$ = build_named_arg(parser, $1, $3); }

// L7.1, L7.5
indices:
    index                   { $$ = (AstExprs){0}; build_append(parser, &$$, $1); }
  | indices "," index       { $$ = $1; build_append(parser, &$$, $3); }

index:
    expression
  | expression ":" expression   { $$ = build_range(parser, $1, $3, NULL, @$); }
  | expression ":" expression ":" expression
                                { $$ = build_range(parser, $1, $3, $5, @$); }
  | expression ":"              { $$ = build_range(parser, $1, NULL, NULL, @$); }
  | expression ":" ":" expression
                                { $$ = build_range(parser, $1, NULL, $4, @$); }
  | ":" expression              { $$ = build_range(parser, NULL, $2, NULL, @$); }
  | ":" expression ":" expression
                                { $$ = build_range(parser, NULL, $2, $4, @$); }
  | ":" ":" expression          { $$ = build_range(parser, NULL, NULL, $3, @$); }
  | ":"                         { $$ = build_range(parser, NULL, NULL, NULL, @$); }
  | "..."                       { $$ = build_expr(parser, AST_ELLIPSIS, @1); }

expressions:
    expression                  { $$ = (AstExprs){0}; build_append(parser, &$$, $1); }
  | expressions "," expression  { $$ = $1; build_append(parser, &$$, $3); }

// L10.7
name:
    "name"                      { $$ = (AstName){.name = $1.name, .span = @1}; }
  | "name" "{" expressions "}"  { $$ = (AstName){$1.name, @$, $3}; }

%%

// The grammar's token codes by token kind; a token that the grammar lacks does not compile.
static const int token_codes[] = {
#define TOKEN(NAME, text, roles) [TOKEN_##NAME] = GRAMMAR_##NAME,
#include "lexer/tokens.def"
};

static int grammar_lex(GRAMMAR_STYPE *value, Span *span, Parser *parser)
{
    TokenKind kind = parser_next_token(parser);
    value->token = parser->token;
    *span = parser->token.span;
    return token_codes[kind];
}

// The only message that bison gives here is that its stack has reached YYMAXDEPTH.
static void grammar_error(const Span *span, Parser *parser, const char *message)
{
    (void)message;
    parser_report_depth(parser, *span);
}

static const yysymbol_kind_t token_symbols[] = {
#define TOKEN(NAME, text, roles) [TOKEN_##NAME] = SYMBOL_##NAME,
#include "lexer/tokens.def"
};

static int yyreport_syntax_error(const yypcontext_t *context, Parser *parser)
{
    bool expected[TOKEN_KIND_COUNT] = {false};
    yysymbol_kind_t symbols[YYNTOKENS];
    int count = yypcontext_expected_tokens(context, symbols, YYNTOKENS);
    for (int i = 0; i < count; i++) {
        for (size_t kind = 0; kind < TOKEN_KIND_COUNT; kind++) {
            expected[kind] |= token_symbols[kind] == symbols[i];
        }
    }
    report_syntax_error(parser, expected);
    return 0;
}

void parser_run_grammar(Parser *parser)
{
    // Its result says no more than the messages do.
    (void)grammar_parse(parser);
}
