// Random TIR, made without the checker. There are a few variables of each root (int, real) and rank
// (0 to 2), all of whose dims have one length, so that any two of a rank fit; an expression of
// given root and rank is chosen by what remains of its depth. Loops have few turns, and indices
// come from a counter that may reach the length, so some programs trap.
#include "random_tir.h"

#include "support/bug.h"

#include <string.h>

enum {
    VARS = 3,       // variables of each root and rank
    RANKS = 3,      // scalars, vectors, matrices
    EXPR_DEPTH = 4, // of the expression of a statement
    BLOCK_DEPTH = 3,
    TURNS = 5, // of a loop, at most
};

static const Span SPAN = {1, 2}; // of every node: the first byte of the first file

typedef struct Generator {
    Tir *tir;
    uint64_t state;
    uint32_t length; // of every dim
    TirProgram *program;
    TirFunction *callee; // NULL while it is being made
    TirFunction *small;  // one that passes take in
    TirFunction *function;
    TirVar *vars[2][RANKS][VARS]; // of ints, of reals
    TirVar *counter;              // what an index may be: 0 to `length`
    TirBlock *block;
} Generator;

// xorshift64*
static uint32_t below(Generator *generator, uint32_t limit) {
    uint64_t x = generator->state;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    generator->state = x;
    return (uint32_t)((x * UINT64_C(0x2545F4914F6CDD1D)) >> 33) % limit;
}

static bool one_in(Generator *generator, uint32_t count) {
    return below(generator, count) == 0;
}

static const Type *type_of(Generator *generator, Root root, uint32_t rank) {
    uint32_t dims[] = {generator->length, generator->length};
    return type_flat(generator->tir->types, root, rank, dims);
}

static TirExpr *expression(Generator *generator, Root root, uint32_t rank, unsigned depth);

// Leaves.

static TirExpr *variable(Generator *generator, Root root, uint32_t rank) {
    TirVar *var = generator->vars[root == ROOT_REAL][rank][below(generator, VARS)];
    return tir_read(generator->tir, var, SPAN);
}

static TirExpr *constant(Generator *generator, Root root) {
    int32_t value = (int32_t)below(generator, 9) - 4;
    return root == ROOT_REAL ? tir_const_real(generator->tir, value * 0.5, SPAN)
                             : tir_const_int(generator->tir, value, SPAN);
}

// Views. An axis of the operand is written by one of these.

static TirAxis along(int32_t axis) {
    return (TirAxis){.axis = axis, .step = 1};
}

static TirAxis against(Generator *generator, int32_t axis) {
    return (TirAxis){.axis = axis, .start = generator->length - 1, .step = -1};
}

// A constant position, or a computed one that now and then is outside.
static TirAxis at_one(Generator *generator) {
    if (one_in(generator, 2)) {
        return (TirAxis){.axis = -1, .start = below(generator, generator->length)};
    }
    TirExpr *index = tir_read(generator->tir, generator->counter, SPAN);
    return (TirAxis){.axis = -1, .index = index};
}

static TirExpr *view(Generator *generator, uint32_t rank, TirExpr *operand, TirAxis first,
                     TirAxis second) {
    TirAxis axes[] = {first, second};
    const Type *type = type_of(generator, operand->type->root, rank);
    return tir_view(generator->tir, type, operand, axes, SPAN);
}

// Every view of `rank` dims whose elements are different scalars of an operand of the same or a
// greater rank: what may be a place.
static TirExpr *injective_view(Generator *generator, uint32_t rank, TirExpr *operand) {
    TirAxis unused = {0};
    if (operand->type->flat_rank == 1) {
        TirAxis axis = rank == 0 ? at_one(generator) : against(generator, 0);
        return view(generator, rank, operand, axis, unused);
    }
    if (rank == 0) {
        TirAxis first = at_one(generator);
        return view(generator, rank, operand, first, at_one(generator));
    }
    if (rank == 2) {
        return one_in(generator, 2)
                   ? view(generator, rank, operand, along(1), along(0))
                   : view(generator, rank, operand, against(generator, 1), along(0));
    }
    switch (below(generator, 3)) {
    case 0: return view(generator, rank, operand, at_one(generator), along(0));
    case 1: return view(generator, rank, operand, along(0), at_one(generator));
    default: return view(generator, rank, operand, along(0), along(0)); // the diagonal
    }
}

static TirExpr *stretched(Generator *generator, Root root, uint32_t rank, unsigned depth) {
    uint32_t from = below(generator, rank);
    TirExpr *operand = expression(generator, root, from, depth);
    return view(generator, rank, operand, along((int32_t)below(generator, rank)), (TirAxis){0});
}

static TirExpr *reshaped(Generator *generator, Root root, unsigned depth) {
    TirExpr *matrix = expression(generator, root, 2, depth);
    uint32_t numel = matrix->type->numel;
    const Type *row = type_flat(generator->tir->types, root, 1, &numel);
    TirAxis backwards = {.axis = 0, .start = numel - 1, .step = -1};
    TirExpr *flat = tir_reshape(generator->tir, row, matrix, SPAN);
    TirExpr *reversed = tir_view(generator->tir, row, flat, &backwards, SPAN);
    return tir_reshape(generator->tir, matrix->type, reversed, SPAN);
}

// What computes.

static TirExpr *arithmetic(Generator *generator, Root root, uint32_t rank, unsigned depth) {
    static const TirOp ops[] = {OP_ADD, OP_SUB, OP_MUL, OP_MIN, OP_MAX, OP_NEG};
    TirOp op = ops[below(generator, sizeof(ops) / sizeof(ops[0]))];
    if (one_in(generator, 30)) {
        op = one_in(generator, 2) ? OP_DIV : OP_REM;
    }
    TirExpr *a = expression(generator, root, rank, depth);
    TirExpr *b = op == OP_NEG ? NULL : expression(generator, root, rank, depth);
    return tir_map(generator->tir, op, a->type, a, b, NULL, SPAN);
}

static TirExpr *condition(Generator *generator, uint32_t rank, unsigned depth) {
    Root root = one_in(generator, 2) ? ROOT_INT : ROOT_REAL;
    const Type *type = type_of(generator, ROOT_BOOL, rank);
    if (depth > 0 && one_in(generator, 2)) {
        TirOp op = one_in(generator, 2) ? OP_AND : OP_OR;
        TirExpr *left = condition(generator, rank, depth - 1);
        TirExpr *right = condition(generator, rank, depth - 1);
        return tir_map(generator->tir, op, type, left, right, NULL, SPAN);
    }
    TirExpr *a = expression(generator, root, rank, depth);
    TirExpr *b = expression(generator, root, rank, 0);
    return tir_map(generator->tir, OP_LT, type, a, b, NULL, SPAN);
}

static TirExpr *selected(Generator *generator, Root root, uint32_t rank, unsigned depth) {
    TirExpr *test = condition(generator, rank, depth);
    TirExpr *a = expression(generator, root, rank, depth);
    TirExpr *b = expression(generator, root, rank, depth);
    return tir_map(generator->tir, OP_SELECT, a->type, test, a, b, SPAN);
}

static TirExpr *converted(Generator *generator, Root root, uint32_t rank, unsigned depth) {
    TirExpr *operand =
        one_in(generator, 2)
            ? condition(generator, rank, depth)
            : expression(generator, root == ROOT_INT ? ROOT_REAL : ROOT_INT, rank, depth);
    return tir_convert(generator->tir, root, operand, SPAN);
}

static TirExpr *reduced(Generator *generator, Root root, uint32_t rank, unsigned depth) {
    static const TirReduction ops[] = {REDUCE_SUM, REDUCE_PROD,   REDUCE_MIN,
                                       REDUCE_MAX, REDUCE_ARGMIN, REDUCE_ARGMAX};
    TirReduction op = ops[below(generator, root == ROOT_INT ? 6 : 4)];
    uint32_t count = rank == 0 ? 1 + below(generator, 2) : 1;
    uint32_t axis = below(generator, rank + 1);
    TirExpr *operand = expression(generator, root, rank + count, depth);
    return tir_reduce(generator->tir, op, type_of(generator, root, rank), operand, axis, count,
                      SPAN);
}

static TirExpr *product(Generator *generator, Root root, uint32_t rank, unsigned depth) {
    uint32_t left = rank == 0 ? 1 : rank == 2 ? 2 : 1 + below(generator, 2);
    TirExpr *a = expression(generator, root, left, depth);
    TirExpr *b = expression(generator, root, rank + 2 - left, depth);
    return tir_dot(generator->tir, type_of(generator, root, rank), a, b, SPAN);
}

static TirExpr *stacked(Generator *generator, Root root, uint32_t rank, unsigned depth) {
    TirExpr **items = ARENA_ARRAY(generator->tir->arena, TirExpr *, generator->length);
    for (uint32_t i = 0; i < generator->length; i++) {
        items[i] = expression(generator, root, rank - 1, i == 0 ? depth : 0);
    }
    return tir_literal(generator->tir, type_of(generator, root, rank), items, generator->length,
                       SPAN);
}

// The first `length` positions along one axis.
static TirExpr *beginning(Generator *generator, TirExpr *operand, uint32_t axis, uint32_t length) {
    uint32_t dims[] = {generator->length, generator->length};
    dims[axis] = length;
    TirAxis axes[] = {along(0), along(1)};
    const Type *type =
        type_flat(generator->tir->types, operand->type->root, operand->type->flat_rank, dims);
    return tir_view(generator->tir, type, operand, axes, SPAN);
}

static TirExpr *joined(Generator *generator, Root root, uint32_t rank, unsigned depth) {
    uint32_t axis = below(generator, rank);
    uint32_t first = 1 + below(generator, generator->length - 1);
    TirExpr **items = ARENA_ARRAY(generator->tir->arena, TirExpr *, 2);
    TirExpr *a = expression(generator, root, rank, depth);
    TirExpr *b = expression(generator, root, rank, depth);
    items[0] = beginning(generator, a, axis, first);
    items[1] = beginning(generator, b, axis, generator->length - first);
    return tir_concat(generator->tir, type_of(generator, root, rank), items, 2, axis, SPAN);
}

static TirExpr *vector_only(Generator *generator, Root root, unsigned depth) {
    if (root == ROOT_INT && one_in(generator, 2)) {
        return tir_iota(generator->tir, type_of(generator, ROOT_INT, 1), SPAN);
    }
    return view(generator, 1, expression(generator, root, 1, depth), against(generator, 0),
                (TirAxis){0});
}

static TirExpr *tensor_expression(Generator *generator, Root root, uint32_t rank, unsigned depth) {
    switch (below(generator, 7)) {
    case 0: return stretched(generator, root, rank, depth);
    case 1: return stacked(generator, root, rank, depth);
    case 2: return joined(generator, root, rank, depth);
    case 3: return tir_cumsum(generator->tir, expression(generator, root, rank, depth), SPAN);
    case 4:
        return rank == 2 ? reshaped(generator, root, depth) : vector_only(generator, root, depth);
    case 5: return injective_view(generator, rank, expression(generator, root, 2, depth));
    default: return product(generator, root, rank, depth);
    }
}

static TirExpr *expression(Generator *generator, Root root, uint32_t rank, unsigned depth) {
    if (depth == 0) {
        return rank == 0 && one_in(generator, 3) ? constant(generator, root)
                                                 : variable(generator, root, rank);
    }
    depth--;
    switch (below(generator, 8)) {
    case 0:
    case 1: return arithmetic(generator, root, rank, depth);
    case 2: return selected(generator, root, rank, depth);
    case 3: return converted(generator, root, rank, depth);
    case 4:
        return rank < 2 ? reduced(generator, root, rank, depth)
                        : arithmetic(generator, root, rank, depth);
    case 5:
        return rank == 0 ? injective_view(generator, 0, expression(generator, root, 1, depth))
                         : variable(generator, root, rank);
    default:
        return rank == 0 ? product(generator, root, rank, depth)
                         : tensor_expression(generator, root, rank, depth);
    }
}

// Statements.

static void block(Generator *generator, TirBlock *into, uint32_t statements, unsigned depth);
static void statement(Generator *generator, unsigned depth);
static void call_statement(Generator *generator);

static void set_statement(Generator *generator) {
    Root root = one_in(generator, 2) ? ROOT_INT : ROOT_REAL;
    uint32_t rank = below(generator, RANKS);
    uint32_t below_rank = rank == 0 ? 1 + below(generator, 2) : 2;
    TirExpr *place = one_in(generator, 2)
                         ? variable(generator, root, rank)
                         : injective_view(generator, rank, variable(generator, root, below_rank));
    TirExpr *value = expression(generator, root, rank, EXPR_DEPTH);
    if (one_in(generator, 4)) { // through a temporary, as copies that pass_alias removes
        TirVar *temp =
            tir_var_create(generator->tir, generator->function, VAR_TEMP, NULL, value->type, SPAN);
        TirExpr *read = tir_read(generator->tir, temp, SPAN);
        tir_set(generator->tir, generator->block, read, value, SPAN);
        value = read;
    }
    tir_set(generator->tir, generator->block, place, value, SPAN);
}

// Two to four sets over one space. The first ones are of arrays that nothing else uses, which stand
// for variables while the chain is made: what passes fuse and contract.
static void chain_statement(Generator *generator) {
    Root root = one_in(generator, 2) ? ROOT_INT : ROOT_REAL;
    uint32_t rank = 1 + below(generator, 2);
    TirVar **vars = generator->vars[root == ROOT_REAL][rank];
    TirVar *outer[VARS];
    memcpy(outer, vars, sizeof(outer));
    uint32_t length = 1 + below(generator, VARS);
    for (uint32_t i = 0; i < length; i++) {
        const Type *type = type_of(generator, root, rank);
        TirVar *var =
            tir_var_create(generator->tir, generator->function, VAR_LOCAL, NULL, type, SPAN);
        TirExpr *value = expression(generator, root, rank, 2);
        tir_set_var(generator->tir, generator->block, var, value, SPAN);
        vars[i] = var;
        if (one_in(generator, 8)) {
            statement(generator, 1);
        } else if (one_in(generator, 8) && generator->callee != NULL) {
            call_statement(generator);
        }
        if (one_in(generator, 3)) {
            tir_set_var(generator->tir, generator->block, var, arithmetic(generator, root, rank, 1),
                        SPAN);
        }
    }
    TirExpr *value = expression(generator, root, rank, 3);
    memcpy(vars, outer, sizeof(outer));
    tir_set(generator->tir, generator->block, variable(generator, root, rank), value, SPAN);
}

// All but one element of a vector or row of a matrix, from the first or the second one on.
static TirExpr *most_of(Generator *generator, TirVar *var) {
    uint32_t dims[] = {generator->length, generator->length};
    uint32_t rank = var->type->flat_rank;
    dims[rank - 1] = generator->length - 1;
    const Type *type = type_flat(generator->tir->types, var->type->root, rank, dims);
    TirAxis axes[2] = {along(0), along(1)};
    axes[rank - 1].start = below(generator, 2);
    return tir_view(generator->tir, type, tir_read(generator->tir, var, SPAN), axes, SPAN);
}

// Sets of slices that overlap, of the same few variables.
static void slices_statement(Generator *generator) {
    Root root = one_in(generator, 2) ? ROOT_INT : ROOT_REAL;
    uint32_t rank = 1 + below(generator, 2);
    TirVar **vars = generator->vars[root == ROOT_REAL][rank];
    uint32_t length = 2 + below(generator, 3);
    for (uint32_t i = 0; i < length; i++) {
        TirExpr *place = most_of(generator, vars[below(generator, 2)]);
        TirExpr *a = most_of(generator, vars[below(generator, 2)]);
        TirExpr *b = most_of(generator, vars[below(generator, 2)]);
        TirExpr *value = tir_map(generator->tir, OP_SUB, a->type, a, b, NULL, SPAN);
        tir_set(generator->tir, generator->block, place, value, SPAN);
    }
}

static void call_statement(Generator *generator) {
    TirStmt *stmt = tir_stmt(generator->tir, generator->block, STMT_CALL, SPAN);
    stmt->call.function = one_in(generator, 2) ? generator->callee : generator->small;
    stmt->call.arg_count = 2;
    stmt->call.args = ARENA_ARRAY(generator->tir->arena, TirExpr *, 2);
    unsigned depth = below(generator, 2);
    stmt->call.args[0] = expression(generator, ROOT_REAL, 1, depth);
    stmt->call.args[1] = expression(generator, ROOT_INT, 0, depth);
    LIST_PUSH(generator->tir->arena, &stmt->call.results, variable(generator, ROOT_REAL, 1)->var);
}

static void branch_statement(Generator *generator, unsigned depth) {
    TirStmt *stmt = tir_stmt(generator->tir, generator->block, STMT_IF, SPAN);
    stmt->branch.condition = condition(generator, 0, 2);
    block(generator, &stmt->branch.then, 2, depth);
    block(generator, &stmt->branch.otherwise, below(generator, 2), depth);
}

// Leaves or repeats a loop when some condition holds.
static void jump_statement(Generator *generator) {
    TirStmt *stmt = tir_stmt(generator->tir, generator->block, STMT_IF, SPAN);
    stmt->branch.condition = condition(generator, 0, 1);
    tir_stmt(generator->tir, &stmt->branch.then, one_in(generator, 2) ? STMT_BREAK : STMT_CONTINUE,
             SPAN);
}

static void for_statement(Generator *generator, unsigned depth) {
    Tir *tir = generator->tir;
    TirStmt *stmt = tir_stmt(tir, generator->block, STMT_FOR, SPAN);
    const Type *type = type_scalar(tir->types, ROOT_INT);
    TirVar *outer = generator->counter;
    generator->counter = tir_var_create(tir, generator->function, VAR_LOOP, NULL, type, SPAN);
    bool up = one_in(generator, 2);
    int32_t length = generator->length < TURNS ? (int32_t)generator->length : TURNS;
    int32_t beyond = one_in(generator, 20); // the ends of shorter dims
    stmt->for_loop.var = generator->counter;
    stmt->for_loop.first = tir_const_int(tir, up ? 0 : length - 1, SPAN);
    stmt->for_loop.last = tir_const_int(tir, up ? length + beyond : -1 - beyond, SPAN);
    stmt->for_loop.step = tir_const_int(tir, up ? 1 : -1, SPAN);
    block(generator, &stmt->for_loop.body, 2, depth);
    generator->counter = outer;
}

// count = 0; while count < 2 and ...: count = count + 1; ...
static void while_statement(Generator *generator, unsigned depth) {
    Tir *tir = generator->tir;
    const Type *type = type_scalar(tir->types, ROOT_INT);
    const Type *flag = type_scalar(tir->types, ROOT_BOOL);
    TirVar *count = tir_var_create(tir, generator->function, VAR_LOCAL, NULL, type, SPAN);
    TirExpr *read = tir_read(tir, count, SPAN);
    tir_set(tir, generator->block, read, tir_const_int(tir, 0, SPAN), SPAN);
    TirStmt *stmt = tir_stmt(tir, generator->block, STMT_WHILE, SPAN);
    TirExpr *bounded = tir_map(tir, OP_LT, flag, read, tir_const_int(tir, 2, SPAN), NULL, SPAN);
    stmt->while_loop.condition =
        tir_map(tir, OP_AND, flag, bounded, condition(generator, 0, 2), NULL, SPAN);
    TirExpr *next = tir_map(tir, OP_ADD, type, read, tir_const_int(tir, 1, SPAN), NULL, SPAN);
    tir_set(tir, &stmt->while_loop.body, read, next, SPAN);
    block(generator, &stmt->while_loop.body, 2, depth);
    TirBlock *outer = generator->block;
    generator->block = &stmt->while_loop.body;
    jump_statement(generator);
    generator->block = outer;
}

static void print_statement(Generator *generator, TirExpr *value) {
    TirStmt *stmt = tir_stmt(generator->tir, generator->block, STMT_PRINT, SPAN);
    stmt->print.items = ARENA_NEW(generator->tir->arena, TirPrintItem);
    stmt->print.items[0].value = value;
    stmt->print.count = 1;
}

static void statement(Generator *generator, unsigned depth) {
    uint32_t kind = below(generator, 12);
    if (kind <= 1 && generator->callee != NULL) {
        call_statement(generator);
    } else if (kind == 8 && depth > 0) {
        branch_statement(generator, depth - 1);
    } else if (kind == 2 && depth > 0) {
        for_statement(generator, depth - 1);
    } else if (kind == 3 && depth > 0) {
        while_statement(generator, depth - 1);
    } else if (kind == 4 && generator->callee != NULL) {
        print_statement(generator, expression(generator, ROOT_INT, below(generator, 2), 2));
    } else if (kind == 5 || kind == 6) {
        chain_statement(generator);
    } else if (kind == 7 && generator->length > 2) {
        slices_statement(generator);
    } else {
        set_statement(generator);
    }
}

static void block(Generator *generator, TirBlock *into, uint32_t statements, unsigned depth) {
    TirBlock *outer = generator->block;
    generator->block = into;
    for (uint32_t i = 0; i < statements; i++) {
        statement(generator, depth);
    }
    generator->block = outer;
}

// Functions.

static void begin_function(Generator *generator, const char *name) {
    TirFunction *function = ARENA_NEW(generator->tir->arena, TirFunction);
    function->id = (uint32_t)generator->program->functions.count;
    function->name = names_intern_text(generator->tir->names, name);
    function->symbol = function->name->text;
    function->span = SPAN;
    function->reads_globals = true;
    function->writes_globals = true;
    generator->function = function;
    generator->block = &function->body;
    LIST_PUSH(generator->tir->arena, &generator->program->functions, function);
}

// Variables get values that differ; the first real vector and matrix are globals for all functions.
static void make_variables(Generator *generator) {
    for (uint32_t i = 0; i < 2 * RANKS * VARS; i++) {
        Root root = i % 2 == 1 ? ROOT_REAL : ROOT_INT;
        uint32_t rank = i / 2 % RANKS;
        uint32_t number = i / 2 / RANKS;
        TirVar **var = &generator->vars[i % 2][rank][number];
        bool is_shared = root == ROOT_REAL && rank > 0 && number == 0;
        if (!is_shared || *var == NULL) {
            const Type *type = type_of(generator, root, rank);
            TirFunction *function = is_shared ? NULL : generator->function;
            *var = tir_var_create(generator->tir, function, is_shared ? VAR_GLOBAL : VAR_LOCAL,
                                  NULL, type, SPAN);
            if (is_shared) {
                LIST_PUSH(generator->tir->arena, &generator->program->globals, *var);
            }
        }
        TirScalar *data = ARENA_ARRAY(generator->tir->arena, TirScalar, (*var)->type->numel);
        for (uint32_t k = 0; k < (*var)->type->numel; k++) {
            TirExpr *value = constant(generator, root);
            data[k] = *value->data;
        }
        TirExpr *place = tir_read(generator->tir, *var, SPAN);
        tir_set(generator->tir, generator->block, place,
                tir_const(generator->tir, (*var)->type, data, SPAN), SPAN);
    }
    generator->counter = tir_var_create(generator->tir, generator->function, VAR_LOCAL, NULL,
                                        type_scalar(generator->tir->types, ROOT_INT), SPAN);
    tir_set_var(generator->tir, generator->block, generator->counter,
                tir_const_int(generator->tir, 0, SPAN), SPAN);
}

// An array of the function itself, or any value.
static void return_statement(Generator *generator, TirBlock *block) {
    Tir *tir = generator->tir;
    TirBlock *outer = generator->block;
    generator->block = block;
    TirExpr *value = one_in(generator, 3) ? expression(generator, ROOT_REAL, 1, 2)
                                          : variable(generator, ROOT_REAL, 1);
    tir_set_var(tir, block, generator->function->results.items[0], value, SPAN);
    tir_stmt(tir, block, STMT_RETURN, SPAN);
    generator->block = outer;
}

// fn callee(tensor<real, n> v, int s) tensor<real, n>: the parameters are the last variables.
static TirFunction *make_callee(Generator *generator) {
    Tir *tir = generator->tir;
    begin_function(generator, "callee");
    TirFunction *function = generator->function;
    make_variables(generator);
    function->param_count = 2;
    function->params = ARENA_ARRAY(tir->arena, TirVar *, 2);
    const Type *types[] = {type_of(generator, ROOT_REAL, 1), type_of(generator, ROOT_INT, 0)};
    const char *names[] = {"v", "s"};
    TirVar *copies[] = {generator->vars[1][1][VARS - 1], generator->vars[0][0][VARS - 1]};
    for (int i = 0; i < 2; i++) {
        Name name = names_intern_text(tir->names, names[i]);
        function->params[i] = tir_var_create(tir, function, VAR_PARAM, name, types[i], SPAN);
        tir_set_var(tir, generator->block, copies[i], tir_read(tir, function->params[i], SPAN),
                    SPAN);
    }
    tir_result_create(tir, function, types[0], SPAN);
    block(generator, generator->block, 3, 1);
    if (one_in(generator, 2)) {
        TirStmt *branch = tir_stmt(tir, generator->block, STMT_IF, SPAN);
        branch->branch.condition = condition(generator, 0, 1);
        return_statement(generator, &branch->branch.then);
    }
    block(generator, generator->block, 3, 1);
    return_statement(generator, generator->block);
    return function;
}

// The same signature. Its few statements read and write the vector that all functions share.
static TirFunction *make_small(Generator *generator) {
    Tir *tir = generator->tir;
    const TirFunction *callee = generator->callee;
    TirVar *shared = generator->vars[1][1][0];
    begin_function(generator, "small");
    TirFunction *function = generator->function;
    TirVar *vars[] = {NULL, NULL, shared, NULL};
    function->param_count = 2;
    function->params = ARENA_ARRAY(tir->arena, TirVar *, 2);
    for (int i = 0; i < 2; i++) {
        function->params[i] = tir_var_create(tir, function, VAR_PARAM, callee->params[i]->name,
                                             callee->params[i]->type, SPAN);
    }
    TirVar *result = tir_result_create(tir, function, shared->type, SPAN);
    vars[0] = function->params[0];
    vars[1] = tir_var_create(tir, function, VAR_LOCAL, NULL, shared->type, SPAN);
    vars[3] = result;
    TirVar *targets[] = {vars[1], result, shared, vars[1], result};
    for (int i = 0; i < 5; i++) {
        if (i >= 2 && i < 4 && one_in(generator, 2)) {
            continue;
        }
        uint32_t known = i == 0 ? 1 : i == 1 ? 3 : 4;
        TirExpr *a = tir_read(tir, vars[below(generator, known)], SPAN);
        TirExpr *b = tir_read(tir, vars[below(generator, known)], SPAN);
        tir_set_var(tir, generator->block, targets[i],
                    tir_map(tir, OP_SUB, a->type, a, b, NULL, SPAN), SPAN);
    }
    tir_stmt(tir, generator->block, STMT_RETURN, SPAN);
    return function;
}

TirProgram *random_tir_program(Tir *tir, uint64_t seed, uint32_t length) {
    CHECK(length >= 2);
    Generator generator = {
        .tir = tir,
        .state = seed * UINT64_C(0x9E3779B97F4A7C15) + 1,
        .length = length,
        .program = ARENA_NEW(tir->arena, TirProgram),
    };
    generator.program->kind = PROGRAM_SCRIPT;
    generator.program->path = "random.tml";
    generator.program->types = tir->types;
    generator.program->single = tir->single;
    generator.callee = make_callee(&generator);
    generator.small = make_small(&generator);
    begin_function(&generator, "main");
    generator.program->entry = generator.function;
    make_variables(&generator);
    block(&generator, generator.block, 16, BLOCK_DEPTH);
    for (uint32_t i = 0; i < 2 * RANKS * VARS; i++) {
        TirVar *var = generator.vars[i % 2][i / 2 % RANKS][i / 2 / RANKS];
        print_statement(&generator, tir_read(tir, var, SPAN));
    }
    return generator.program;
}
