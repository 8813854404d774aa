// The nodes of statements, which the grammar's rules ask for. Whether a target can be assigned to
// is decided here (E0202), as far as the syntax tells; a statement that cannot be understood
// becomes an error node, which checking passes over.
#include "parser/build.h"
#include "parser/report.h"

AstStmt *build_stmt(Parser *parser, AstStmtKind kind, Span span) {
    return ast_new_stmt(parser->context->arena, kind, span);
}

AstStmt *build_body(AstStmt *head, AstBlock body, Span end) {
    if (head->kind != AST_ERROR_STMT) {
        head->function.body = body;
        head->function.end_span = end;
    }
    return head;
}

AstStmt *build_test(Parser *parser, Slice text, Span text_span, AstName error) {
    Span span = error.name == NULL ? text_span : span_join(text_span, error.span);
    AstStmt *stmt = build_stmt(parser, AST_TEST, span);
    Name name = names_intern(parser->context->names, text.data, text.len);
    stmt->function.name = (AstName){.name = name, .span = text_span};
    stmt->function.error = error;
    return stmt;
}

AstStmt *build_error(Parser *parser, Span span) {
    AstStmt *stmt = build_stmt(parser, AST_ERROR_STMT, span);
    stmt->values = parser->refused;
    parser->refused = (AstExprs){0};
    return stmt;
}

AstStmt *build_bad_target(Parser *parser, Span target) {
    report_bad_target(parser, target);
    return build_error(parser, target);
}

// The target without its `?`, which stands before or behind indices.
static AstExpr *take_mark(AstExpr *target, bool *optional) {
    AstExpr **at = &target;
    while ((*at)->kind == AST_INDEX) {
        at = &(*at)->index.object;
    }
    *optional = (*at)->kind == AST_OPTIONAL;
    if (*optional) {
        *at = (*at)->optional;
    }
    return target;
}

AstStmt *build_assign(Parser *parser, AstExpr *target, Span op_span, AstExpr *value) {
    Span target_span = target->span;
    bool optional;
    AstExpr *place = take_mark(target, &optional);
    if (!ast_is_place(place)) {
        return build_bad_target(parser, target_span);
    }
    AstStmt *stmt = build_stmt(parser, AST_ASSIGN, span_join(target_span, value->span));
    stmt->assign.target = place;
    stmt->assign.value = value;
    stmt->assign.op_span = op_span;
    stmt->assign.optional = optional;
    return stmt;
}

AstStmt *build_assign_all(Parser *parser, AstExprs targets, Span op_span, AstExpr *value) {
    for (size_t k = 0; k < targets.count; k++) {
        if (!ast_is_place(targets.items[k])) {
            AstStmt *stmt = build_bad_target(parser, targets.items[k]->span);
            for (size_t other = 0; other < targets.count; other++) {
                if (targets.items[other]->kind == AST_NAME) {
                    build_append(parser, &stmt->values, targets.items[other]);
                }
            }
            return stmt;
        }
    }
    Span span = span_join(targets.items[0]->span, value->span);
    AstStmt *stmt = build_stmt(parser, AST_ASSIGN_ALL, span);
    stmt->assign_all.targets = targets;
    stmt->assign_all.value = value;
    stmt->assign_all.op_span = op_span;
    return stmt;
}

AstStmt *build_compound(Parser *parser, AstExpr *target, AstBinaryOp op, Span op_span,
                        AstExpr *value) {
    AstStmt *stmt = build_assign(parser, target, op_span, value);
    if (stmt->kind == AST_ASSIGN) {
        stmt->assign.op = op;
        stmt->assign.compound = true;
    }
    return stmt;
}

AstStmt *build_decl(Parser *parser, AstType *type, AstName name, bool optional, AstExpr *value) {
    AstStmt *stmt = build_stmt(parser, AST_DECL, span_join(type->span, value->span));
    bool type_optional = type->kind == AST_TYPE_OF && type->of->kind == AST_OPTIONAL;
    if (type_optional) {
        type->of = type->of->optional;
    }
    stmt->decl.type = type;
    stmt->decl.name = name;
    stmt->decl.value = value;
    stmt->decl.type_optional = type_optional;
    stmt->decl.name_optional = optional;
    return stmt;
}

AstStmt *build_terminal(Parser *parser, unsigned modifiers, AstType *type, AstName space,
                        AstName name, AstExpr *value, Span span) {
    AstStmt *stmt = build_stmt(parser, AST_TERMINAL, span);
    stmt->terminal.modifiers = modifiers;
    stmt->terminal.type = type;
    stmt->terminal.space = space;
    stmt->terminal.name = name;
    stmt->terminal.value = value;
    return stmt;
}

AstStmt *build_connect(Parser *parser, AstExpr *target, AstExpr *value, Span span) {
    AstStmt *stmt = build_stmt(parser, AST_CONNECT, span);
    stmt->connect.target = target;
    stmt->connect.value = value;
    return stmt;
}

AstStmt *build_io(Parser *parser, bool is_output, AstType *type, AstExprs arguments, AstName name,
                  Span span) {
    AstStmt *stmt = build_stmt(parser, AST_IO, span);
    stmt->io.is_output = is_output;
    stmt->io.type = type;
    stmt->io.arguments = arguments;
    stmt->io.name = name;
    return stmt;
}

AstStmt *build_send(Parser *parser, AstExpr *target, Span arrow, AstExpr *value) {
    report_arrow(parser, arrow);
    AstStmt *stmt = build_assign(parser, target, arrow, value);
    if (stmt->kind == AST_ASSIGN && stmt->assign.optional) {
        return build_bad_target(parser, target->span);
    }
    stmt->kind = stmt->kind == AST_ASSIGN ? AST_SEND : stmt->kind;
    return stmt;
}

unsigned build_modifier(Parser *parser, unsigned modifiers, AstModifier modifier, Span span) {
    static const unsigned exclusive[] = {
        AST_MODIFIER_IN | AST_MODIFIER_OUT | AST_MODIFIER_TUNABLE,
        AST_MODIFIER_FEEDTHROUGH | AST_MODIFIER_NOT_FEEDTHROUGH,
    };
    if ((modifiers & modifier) != 0) {
        syntax_error(parser, span, "modifier written twice");
        return modifiers;
    }
    for (size_t i = 0; i < sizeof(exclusive) / sizeof(exclusive[0]); i++) {
        if ((modifier & exclusive[i]) != 0 && (modifiers & exclusive[i]) != 0) {
            syntax_error(parser, span, "modifier contradicts the one before it");
            return modifiers;
        }
    }
    return modifiers | modifier;
}

AstStmt *build_guard(Parser *parser, AstStmt *guard, TokenKind keyword, bool negated, Span span) {
    if (guard->kind == AST_GUARD) {
        guard->guard.feedthrough = keyword == TOKEN_FEEDTHROUGH;
        guard->guard.negated = negated;
    }
    parser_open_block(parser, keyword, span);
    return guard;
}

AstArms build_first_arm(Parser *parser, AstStmtKind kind, AstExpr *condition, Span span) {
    AstArms arms = {.kind = kind};
    build_arm(parser, &arms, (AstArm){.condition = condition, .span = span}, (AstBlock){0});
    return arms;
}

void build_arm(Parser *parser, AstArms *arms, AstArm arm, AstBlock body) {
    arm.body = body;
    LIST_PUSH(parser->context->arena, arms, arm);
}

AstStmt *build_branch(Parser *parser, AstArms arms, ElseBlock otherwise) {
    Span head = span_join(arms.items[0].span, arms.items[0].condition->span);
    AstStmt *stmt = build_stmt(parser, arms.kind, head);
    stmt->branch.arms = arms.items;
    stmt->branch.arm_count = arms.count;
    stmt->branch.otherwise = otherwise.block;
    stmt->branch.has_otherwise = otherwise.present;
    return stmt;
}
