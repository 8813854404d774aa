// Gives every variable its storage. Reads the whole program and writes only the storage, offsets,
// byte counts and `has_parts` of variables, functions and the program.
//
// Scalars are registers; array parameters and results are the caller's memory; small arrays go on
// the stack while it lasts, and the others get a place in the function's frame of the scratch.
// Arrays of one frame that are never alive together share memory (see Note [Live ranges]). There is
// no recursion, so a frame begins where the longest of the frames of its callers ends, and
// functions that are never active together share memory too.
#include "tir/passes/passes.h"

#include "support/bug.h"
#include "tir/parts.h"
#include "tir/struct_layout.h"
#include "tir/visit.h"
#include "types/memory.h"

#include <stdlib.h>

enum {
    STACK_ARRAY_LIMIT = 4 * 1024,
    STACK_FUNCTION_LIMIT = 64 * 1024,
    STACK_BARE_LIMIT = 2 * 1024, // of a function without an operating system
    NO_LOOP = UINT32_MAX,
};

/* Note [Live ranges]

A statement's position is its number in the order of the text; a live range is the positions from
the first to the last use. Loops make it longer. When the first use of an array writes all of it,
in some block, and all other uses stand in that block or in blocks inside, then that write comes
before them each time the block runs, and nothing is carried from one run to the next: only the
loops inside the block that contain a use are wholly part of the range. In every other case the
outermost loops around the first and the last use are. */
typedef struct Life {
    TirVar *var; // NULL: not used
    uint32_t first, last;
    bool carried;         // the other case of the note
    uint32_t block;       // serial number of the block that writes all of it first
    uint32_t block_depth; // how many blocks stand around that block
    uint32_t loop_depth;  // how many loops stand around that block
    uint32_t first_loop;  // outermost loop around the first use
    uint32_t last_loop;   // the loop that the range lasts to the end of
    uint64_t bytes;
} Life;

typedef struct Loop {
    uint32_t start, end;
} Loop;

typedef struct Serials {
    uint32_t *items;
    size_t count, capacity;
} Serials;

typedef struct Planner {
    Tir *tir;
    Life *lives; // by variable id
    uint32_t position;
    uint32_t block_count;
    Serials open_blocks;
    Serials open_loops;
    struct {
        Loop *items;
        size_t count, capacity;
    } loops;
} Planner;

// Live ranges.

static void use_var(Planner *planner, TirVar *var, bool writes_all) {
    if (var->storage == STORAGE_PART) {
        use_var(planner, var->part_of, false);
        return;
    }
    if (tir_var_is_global(var)) {
        return;
    }
    const Serials *loops = &planner->open_loops;
    const Serials *blocks = &planner->open_blocks;
    uint32_t outermost = loops->count > 0 ? loops->items[0] : NO_LOOP;
    Life *life = &planner->lives[var->id];
    if (life->var == NULL) {
        *life = (Life){
            .var = var,
            .first = planner->position,
            .carried = !writes_all,
            .block = blocks->items[blocks->count - 1],
            .block_depth = (uint32_t)blocks->count - 1,
            .loop_depth = (uint32_t)loops->count,
            .first_loop = outermost,
        };
    }
    life->last = planner->position;
    bool inside =
        life->block_depth < blocks->count && blocks->items[life->block_depth] == life->block;
    life->carried = life->carried || !inside;
    if (life->carried) {
        life->last_loop = outermost;
    } else {
        life->last_loop =
            life->loop_depth < loops->count ? loops->items[life->loop_depth] : NO_LOOP;
    }
}

static void use_expr(const TirExpr *expr, void *data) {
    if (expr->kind == EXPR_VAR) {
        use_var(data, expr->var, false);
    }
    tir_read_operands(expr, use_expr, data);
}

static void walk_block(Planner *planner, TirBlock *block);

static void walk_loop(Planner *planner, TirStmt *stmt) {
    Arena *arena = planner->tir->arena;
    uint32_t loop = (uint32_t)planner->loops.count;
    LIST_PUSH(arena, &planner->loops, ((Loop){.start = planner->position}));
    LIST_PUSH(arena, &planner->open_loops, loop);
    if (stmt->kind == STMT_WHILE) {
        walk_block(planner, &stmt->while_loop.before);
        planner->position++;
        use_expr(stmt->while_loop.condition, planner);
        walk_block(planner, &stmt->while_loop.body);
    } else {
        walk_block(planner, &stmt->for_loop.body);
    }
    planner->open_loops.count--;
    planner->loops.items[loop].end = planner->position;
}

static void use_set(Planner *planner, const TirStmt *stmt) {
    use_expr(stmt->set.value, planner);
    if (stmt->set.place->kind == EXPR_VAR) {
        use_var(planner, stmt->set.place->var, true);
    } else {
        use_expr(stmt->set.place, planner);
    }
}

static void walk_stmt(Planner *planner, TirStmt *stmt) {
    planner->position++;
    switch (stmt->kind) {
    case STMT_SET: use_set(planner, stmt); return;
    case STMT_NEST: // they run together: no array of one is free for another one's
        for (size_t i = 0; i < stmt->nest.count; i++) {
            use_set(planner, stmt->nest.items[i]);
        }
        return;
    case STMT_CALL:
        tir_read_exprs(stmt, use_expr, planner);
        for (size_t i = 0; i < stmt->call.results.count; i++) {
            use_var(planner, stmt->call.results.items[i], true);
        }
        return;
    case STMT_INPUT:
        tir_read_exprs(stmt, use_expr, planner);
        use_var(planner, stmt->input.var, true);
        return;
    case STMT_IF:
        use_expr(stmt->branch.condition, planner);
        walk_block(planner, &stmt->branch.then);
        walk_block(planner, &stmt->branch.otherwise);
        return;
    case STMT_FOR:
        tir_read_exprs(stmt, use_expr, planner);
        use_var(planner, stmt->for_loop.var, true);
        walk_loop(planner, stmt);
        return;
    case STMT_WHILE: walk_loop(planner, stmt); return;
    case STMT_PRINT:
    case STMT_OUTPUT:
    case STMT_ASSERT: tir_read_exprs(stmt, use_expr, planner); return;
    case STMT_BREAK:
    case STMT_CONTINUE:
    case STMT_RETURN: return;
    }
    UNREACHABLE();
}

static void walk_block(Planner *planner, TirBlock *block) {
    LIST_PUSH(planner->tir->arena, &planner->open_blocks, planner->block_count++);
    for (size_t i = 0; i < block->count; i++) {
        walk_stmt(planner, block->items[i]);
    }
    planner->open_blocks.count--;
}

static Loop loop_at(const Planner *planner, uint32_t loop) {
    CHECK(planner->loops.items != NULL && loop < planner->loops.count);
    return planner->loops.items[loop];
}

static void close_life(const Planner *planner, Life *life) {
    if (life->carried && life->first_loop != NO_LOOP) {
        life->first = loop_at(planner, life->first_loop).start;
    }
    if (life->last_loop != NO_LOOP) {
        life->last = loop_at(planner, life->last_loop).end;
    }
}

// A frame: memory is handed out in the order in which live ranges begin, from free pieces listed by
// the power of two below their size. Pieces are never joined again; a frame is not a heap.

enum { PIECE_CLASSES = 64, PIECE_TRIES = 8 };

typedef struct Piece Piece;
struct Piece {
    Piece *next;
    uint64_t offset, bytes;
};

typedef struct Frame {
    Arena *arena;
    uint64_t bytes;
    Piece *free[PIECE_CLASSES];
} Frame;

static unsigned piece_class(uint64_t bytes) {
    return 63U - (unsigned)__builtin_clzll(bytes);
}

static void frame_free(Frame *frame, uint64_t offset, uint64_t bytes) {
    Piece *piece = ARENA_NEW(frame->arena, Piece);
    Piece **list = &frame->free[piece_class(bytes)];
    *piece = (Piece){.next = *list, .offset = offset, .bytes = bytes};
    *list = piece;
}

// Where a free piece of that size hangs; NULL when none is found within a few tries per class.
static Piece **find_piece(Frame *frame, uint64_t bytes) {
    for (unsigned class = piece_class(bytes); class < PIECE_CLASSES; class ++) {
        Piece **piece = &frame->free[class];
        for (int i = 0; i < PIECE_TRIES && *piece != NULL; i++, piece = &(*piece)->next) {
            if ((*piece)->bytes >= bytes) {
                return piece;
            }
        }
    }
    return NULL;
}

static uint64_t frame_take(Frame *frame, uint64_t bytes) {
    Piece **found = find_piece(frame, bytes);
    if (found == NULL) {
        uint64_t offset = frame->bytes;
        frame->bytes = bytes_sum(frame->bytes, bytes);
        return offset;
    }
    Piece *piece = *found;
    *found = piece->next;
    if (piece->bytes > bytes) {
        frame_free(frame, piece->offset + bytes, piece->bytes - bytes);
    }
    return piece->offset;
}

static int compare_numbers(uint32_t a, uint32_t b) {
    return (a > b) - (a < b);
}

static int by_first(const void *a, const void *b) {
    const Life *x = *(Life *const *)a;
    const Life *y = *(Life *const *)b;
    return x->first != y->first ? compare_numbers(x->first, y->first)
                                : compare_numbers(x->var->id, y->var->id);
}

static int by_last(const void *a, const void *b) {
    const Life *x = *(Life *const *)a;
    const Life *y = *(Life *const *)b;
    return x->last != y->last ? compare_numbers(x->last, y->last)
                              : compare_numbers(x->var->id, y->var->id);
}

// Gives the arrays their offsets in a new frame and returns its size.
static uint64_t fill_frame(Tir *tir, Life **begin, size_t count) {
    if (count == 0) {
        return 0;
    }
    Life **end = arena_grow(tir->arena, begin, count, count, sizeof(Life *));
    qsort(begin, count, sizeof(Life *), by_first);
    qsort(end, count, sizeof(Life *), by_last);
    Frame frame = {.arena = tir->arena};
    size_t ended = 0;
    for (size_t i = 0; i < count; i++) {
        for (; end[ended]->last < begin[i]->first; ended++) {
            frame_free(&frame, end[ended]->var->offset, end[ended]->bytes);
        }
        begin[i]->var->offset = frame_take(&frame, begin[i]->bytes);
    }
    return frame.bytes;
}

// Functions.

static bool fits_stack(const Tir *tir, const TirFunction *function, uint64_t bytes) {
    uint64_t limit = tir->is_bare ? STACK_BARE_LIMIT : STACK_FUNCTION_LIMIT;
    return bytes <= STACK_ARRAY_LIMIT && function->stack_bytes + bytes <= limit;
}

// Callees come first, so what they need is known.
static bool calls_scratch(TirStmt *stmt, void *data) {
    (void)data;
    return stmt->kind == STMT_CALL && stmt->call.function->needs_scratch;
}

// Sets every variable's storage; offsets in the scratch are still relative to the frame.
static void plan_function(Tir *tir, TirFunction *function) {
    Planner planner = {.tir = tir};
    planner.lives = ARENA_ARRAY(tir->arena, Life, function->vars.count);
    walk_block(&planner, &function->body);

    Life **scratch = ARENA_ARRAY(tir->arena, Life *, function->vars.count);
    size_t scratch_count = 0;
    function->stack_bytes = 0;
    function->scratch_offset = 0;
    for (size_t i = 0; i < function->vars.count; i++) {
        TirVar *var = function->vars.items[i];
        Life *life = &planner.lives[i];
        bool is_array = !type_is_scalar(var->type);
        if (tir_var_is_interface(var)) {
            var->storage = is_array ? STORAGE_ARGUMENT : STORAGE_REGISTER;
        } else if (var->storage == STORAGE_PART) {
            continue;
        } else if (life->var == NULL) {
            var->storage = STORAGE_NONE;
        } else if (var->storage == STORAGE_ELEMENT) {
            continue;
        } else if (!is_array) {
            var->storage = STORAGE_REGISTER;
        } else {
            life->bytes = align_up(type_bytes(var->type, tir->single),
                                   type_alignment(var->type, tir->single));
            if (fits_stack(tir, function, life->bytes)) {
                var->storage = STORAGE_STACK;
                function->stack_bytes += life->bytes;
            } else {
                var->storage = STORAGE_SCRATCH;
                life->bytes = align_up(life->bytes, CACHE_LINE);
                close_life(&planner, life);
                scratch[scratch_count++] = life;
            }
        }
    }
    function->scratch_bytes = fill_frame(tir, scratch, scratch_count);
    function->needs_scratch =
        function->scratch_bytes > 0 || tir_any_stmt(&function->body, calls_scratch, NULL);
}

// The frames of called functions begin after this one.
static void place_callee(TirStmt *stmt, void *data) {
    const TirFunction *caller = data;
    uint64_t end = bytes_sum(caller->scratch_offset, caller->scratch_bytes);
    if (stmt->kind == STMT_CALL && stmt->call.function->scratch_offset < end) {
        stmt->call.function->scratch_offset = end;
    }
}

// Callers stand after what they call, so going backwards a function's own offset is known.
static void place_frames(TirProgram *program) {
    program->scratch_bytes = 0;
    for (size_t i = program->functions.count; i-- > 0;) {
        TirFunction *function = program->functions.items[i];
        tir_visit_stmts(&function->body, place_callee, function);
        for (size_t k = 0; k < function->vars.count; k++) {
            TirVar *var = function->vars.items[k];
            if (var->storage == STORAGE_SCRATCH) {
                var->offset = bytes_sum(var->offset, function->scratch_offset);
            }
        }
        uint64_t end = bytes_sum(function->scratch_offset, function->scratch_bytes);
        if (program->scratch_bytes < end) {
            program->scratch_bytes = end;
        }
    }
}

// The structs of a host have C's alignment: nobody promises it more.
static uint64_t global_alignment(const Tir *tir, const TirProgram *program, const Type *type) {
    bool has_host = program->kind == PROGRAM_LIBRARY || program->kind == PROGRAM_COMPONENT;
    return has_host ? root_bytes(type->root, tir->single) : type_alignment(type, tir->single);
}

static void plan_interface(const Tir *tir, TirProgram *program) {
    interface_lay_out(tir, program);
    for (size_t i = 0; i < program->interface.count; i++) {
        const TirInterface *item = program->interface.items[i];
        if (item->var == NULL || !item->is_present) {
            continue;
        }
        item->var->offset = item->offset;
        item->var->storage = item->kind == INTERFACE_INPUT     ? STORAGE_INPUTS
                             : item->kind == INTERFACE_TUNABLE ? STORAGE_PARAMS
                             : item->is_direct                 ? STORAGE_OUTPUTS
                                                               : STORAGE_STATE;
    }
}

// Appends a struct of a component, rounded up as C does, and returns its offset.
static uint64_t append_struct(const Growing *to, uint64_t bytes, uint64_t align) {
    return struct_append(to, align_up(bytes, align), align);
}

// The memory of an instance is one struct in the state, of its inputs, its outputs and its state,
// and one in the params. Its component has been planned.
static void plan_instance(TirInstance *instance, const Growing *state, const Growing *params) {
    const TirProgram *of = instance->component;
    uint64_t bytes, align;
    Growing record = struct_begin(&bytes, &align);
    instance->inputs_at = append_struct(&record, of->inputs_bytes, of->inputs_align);
    instance->outputs_at = append_struct(&record, of->outputs_bytes, of->outputs_align);
    instance->state_at = append_struct(&record, of->state_bytes, of->state_align);
    uint64_t at = append_struct(state, bytes, align);
    instance->inputs_at += at;
    instance->outputs_at += at;
    instance->state_at += at;
    instance->params_at = append_struct(params, of->params_bytes, of->params_align);
}

// Where a variable of an instance lies.
static void place_member(TirVar *var) {
    const TirInstance *instance = var->instance;
    if (var->inner == NULL) {
        var->storage = STORAGE_STATE;
        var->offset = instance->outputs_at + var->published->offset;
        return;
    }
    TirStorage storage = var->inner->storage;
    var->storage = storage == STORAGE_PARAMS ? STORAGE_PARAMS : STORAGE_STATE;
    var->offset = var->inner->offset + (storage == STORAGE_PARAMS    ? instance->params_at
                                        : storage == STORAGE_INPUTS  ? instance->inputs_at
                                        : storage == STORAGE_OUTPUTS ? instance->outputs_at
                                                                     : instance->state_at);
}

static void plan_globals(Tir *tir, TirProgram *program) {
    plan_interface(tir, program);
    Growing state = struct_begin(&program->state_bytes, &program->state_align);
    Growing params = {&program->params_bytes, &program->params_align};
    for (size_t i = 0; i < program->globals.count; i++) {
        TirVar *var = program->globals.items[i];
        if (var->instance == NULL && (var->role == VAR_GLOBAL || var->storage == STORAGE_STATE)) {
            var->storage = STORAGE_STATE;
            var->offset = struct_append(&state, type_bytes(var->type, tir->single),
                                        global_alignment(tir, program, var->type));
        }
    }
    for (size_t i = 0; i < program->instances.count; i++) {
        plan_instance(program->instances.items[i], &state, &params);
    }
    for (size_t i = 0; i < program->globals.count; i++) {
        if (program->globals.items[i]->instance != NULL) {
            place_member(program->globals.items[i]);
        }
    }
}

// The frames of components begin behind those of all that hold instances of them. Holders come
// later in the list, and the program last.
static void place_components(TirProgram *program) {
    for (size_t i = 0; i < program->components.count; i++) {
        program->components.items[i]->scratch_at = 0;
    }
    uint64_t end = program->scratch_bytes;
    for (size_t i = program->components.count + 1; i-- > 0;) {
        TirProgram *holder =
            i == program->components.count ? program : program->components.items[i];
        uint64_t after = bytes_sum(holder->scratch_at, holder->scratch_bytes);
        end = after > end ? after : end;
        for (size_t k = 0; k < holder->instances.count; k++) {
            TirProgram *component = holder->instances.items[k]->component;
            component->scratch_at = after > component->scratch_at ? after : component->scratch_at;
        }
    }
    program->scratch_bytes = end;
}

void pass_storage(Tir *tir, TirProgram *program) {
    plan_globals(tir, program);
    for (size_t i = 0; i < program->functions.count; i++) {
        plan_function(tir, program->functions.items[i]);
    }
    place_frames(program);
    place_components(program);
    tir_note_parts(program);
}
