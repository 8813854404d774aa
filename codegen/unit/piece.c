// See piece.h. Pieces are of whole statements of the body, so that no loop is cut. A statement
// counts as one, and one more for every NODES_PER_STATEMENT nodes of its expressions.
#include "codegen/unit/piece.h"

#include "tir/uses.h"
#include "tir/visit.h"

enum {
    WHOLE_LIMIT = 500, // statements, nested ones included, of a body that stays whole
    PIECE_LIMIT = 200, // of a piece, unless one statement alone has more
    NODES_PER_STATEMENT = 16,
    SETS_SHARE = 5, // of both limits, where all statements are stores
};

typedef struct Sharing {
    Arena *arena;
    Pieces *pieces;
    size_t *users; // by a variable's id: 0, the number of the piece that uses it, or SHARED
    size_t piece;  // at hand, from 1
} Sharing;

static const size_t SHARED = SIZE_MAX;

static void count_node(const TirExpr *expr, void *data) {
    size_t *count = data;
    ++*count;
    tir_read_operands(expr, count_node, data);
}

static size_t count_statements(TirStmt *stmt, bool *returns) {
    *returns = *returns || stmt->kind == STMT_RETURN;
    size_t nodes = 0;
    tir_read_exprs(stmt, count_node, &nodes);
    size_t count = 1 + nodes / NODES_PER_STATEMENT;
    TirBlock *blocks[2];
    for (size_t k = tir_stmt_blocks(stmt, blocks); k-- > 0;) {
        for (size_t i = 0; i < blocks[k]->count; i++) {
            count += count_statements(blocks[k]->items[i], returns);
        }
    }
    return count;
}

static void cut(Arena *arena, const TirBlock *body, size_t limit, Pieces *pieces) {
    size_t length = 0;
    for (size_t i = 0; i < body->count; i++) {
        bool returns = false;
        size_t statements = count_statements(body->items[i], &returns);
        if (i == 0 || length + statements > limit) {
            Piece piece = {.first = i};
            LIST_PUSH(arena, &pieces->list, piece);
            length = 0;
        }
        Piece *last = &pieces->list.items[pieces->list.count - 1];
        last->count++;
        last->returns = last->returns || returns;
        length += statements;
    }
}

// Arrays that have a place outside of the stack need none in the frame.
static bool is_own(const TirVar *var) {
    return var->storage == STORAGE_NONE || var->storage == STORAGE_REGISTER ||
           var->storage == STORAGE_STACK;
}

static void note_use(Sharing *sharing, const TirVar *var) {
    if (tir_var_is_global(var) || var->role == VAR_PARAM || !is_own(var)) {
        return;
    }
    size_t *user = &sharing->users[var->id];
    if (*user == 0) {
        *user = sharing->piece;
    } else if (*user != sharing->piece && *user != SHARED) {
        *user = SHARED;
        LIST_PUSH(sharing->arena, &sharing->pieces->shared, var);
    }
}

static void visit_expr(const TirExpr *expr, void *data) {
    if (expr->kind == EXPR_VAR) {
        note_use(data, expr->var);
    }
    tir_read_operands(expr, visit_expr, data);
}

static void note_written(TirStmt *stmt, void *data) {
    const TirVar *written;
    for (size_t k = 0; (written = tir_stmt_written(stmt, k)) != NULL; k++) {
        note_use(data, written);
    }
}

static void share(Arena *arena, const TirFunction *function, Pieces *pieces) {
    Sharing sharing = {
        .arena = arena,
        .pieces = pieces,
        .users = ARENA_ARRAY(arena, size_t, function->vars.count),
    };
    for (size_t k = 0; k < pieces->list.count; k++) {
        const Piece *piece = &pieces->list.items[k];
        sharing.piece = k + 1;
        TirBlock block = {.items = &function->body.items[piece->first], .count = piece->count};
        tir_read_exprs_in(&block, visit_expr, &sharing);
        tir_visit_stmts(&block, note_written, &sharing);
    }
    sharing.piece = pieces->list.count + 1; // the body itself takes these in and out
    for (size_t i = 0; i < function->vars.count; i++) {
        TirVarRole role = function->vars.items[i]->role;
        if (role == VAR_RESULT || role == VAR_INOUT) {
            note_use(&sharing, function->vars.items[i]);
        }
    }
}

Pieces pieces_plan(Arena *arena, const TirFunction *function, bool only_sets) {
    Pieces pieces = {0};
    size_t part = only_sets ? SETS_SHARE : 1;
    size_t length = 0;
    bool returns = false;
    for (size_t i = 0; i < function->body.count && length <= WHOLE_LIMIT / part; i++) {
        length += count_statements(function->body.items[i], &returns);
    }
    if (length > WHOLE_LIMIT / part) {
        cut(arena, &function->body, PIECE_LIMIT / part, &pieces);
        if (pieces.list.count == 1) { // one statement has all of them
            return (Pieces){0};
        }
        share(arena, function, &pieces);
    }
    return pieces;
}
