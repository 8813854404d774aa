// What calling each function does to the outputs (L10.3), in one walk over its text: how much it
// surely assigns, and its first reads of what it has not assigned before.
//
// Note [One walk]: a cycle only ever adds to an output, so the least state at the head of a loop is
// that of its first iteration, and no loop is walked twice. What a function adds does not depend on
// the state it is called in, so one sum per function serves all its calls; callees come first.
//
// Note [Elements by loops]: `for i = 0:3: t.y[i] = e` assigns each element, though no single
// statement does. An assignment whose indices are the variables of loops with constant bounds
// waits, in `pending`, for the outermost of these loops: where that ends by its condition, the
// assignment has run in every iteration, and all its elements count. That needs every loop between
// to run to its end (no `break`), and nothing to step over the assignment: `barrier` counts the
// loops outside of a `continue` before, and of loops that may run zero times. In a branch it waits
// where the other side assigns the same.
#include "sema/component/effects.h"
#include "support/bug.h"
#include "tir/constant.h"

// An assignment that counts when loops[loop] has ended.
typedef struct Pending {
    size_t slot;
    size_t loop;
    uint64_t elements;
} Pending;

// The walk over one function. Its outputs have slots: positions in its summary.
typedef struct Flow {
    Effects *effects;
    uint32_t *slots;    // by output: slot + 1, or 0
    Terminal **touched; // by slot
    FunctionEffect effect;
    Gain *now;     // by slot
    Gain *returns; // by slot: joined at `return`
    LIST_OF(Loop) loops;
    size_t barrier; // assignments wait only for loops from this one on
    LIST_OF(Pending) pending;
    LIST_OF(Gain *) spare; // arrays to use again
} Flow;

static Gain *state_take(Flow *flow) {
    if (flow->spare.count > 0) {
        return flow->spare.items[--flow->spare.count];
    }
    return ARENA_ARRAY(flow->effects->arena, Gain, flow->effects->output_count);
}

static void state_give(Flow *flow, Gain *state) {
    if (state != NULL) {
        LIST_PUSH(flow->effects->arena, &flow->spare, state);
    }
}

static void state_fill(const Flow *flow, Gain *state, Gain gain) {
    for (size_t k = 0; k < flow->effect.count; k++) {
        state[k] = gain;
    }
}

static Gain *state_copy(Flow *flow) {
    Gain *copy = state_take(flow);
    for (size_t k = 0; k < flow->effect.count; k++) {
        copy[k] = flow->now[k];
    }
    return copy;
}

static void state_join(const Flow *flow, Gain *into, const Gain *other) {
    for (size_t k = 0; k < flow->effect.count; k++) {
        into[k] = gain_join(into[k], other[k]);
    }
}

// Goes back to a state that was kept, which is given back.
static void state_restore(Flow *flow, Gain *kept) {
    state_give(flow, flow->now);
    flow->now = kept;
}

// What follows is never reached from here; *into takes the paths that go there instead.
static void jump(Flow *flow, Gain **into) {
    if (*into == NULL) {
        *into = state_take(flow);
        state_fill(flow, *into, GAIN_ALL);
    }
    state_join(flow, *into, flow->now);
    state_fill(flow, flow->now, GAIN_ALL);
}

static void note_event(OutputEffect *item, EventKind kind, Event event) {
    event.happens = true;
    event.after_write = item->events[EVENT_WRITE].happens;
    item->events[kind] = event;
}

// A read where the function has assigned `part` of the output, if that is not enough.
static void note_read(OutputEffect *item, Gain part, Event event) {
    if (gain_has(part, event.needs)) {
        return;
    }
    if (part.touched == 0 && !item->events[EVENT_READ_NONE].happens) {
        note_event(item, EVENT_READ_NONE, event);
    }
    const Event *old = &item->events[EVENT_READ_PART];
    if (!old->happens || ((old->needs & ~event.needs) == 0 && old->needs != event.needs)) {
        note_event(item, EVENT_READ_PART, event);
        item->part = part;
    }
}

static void note_write(OutputEffect *item, Event event) {
    if (!item->events[EVENT_WRITE].happens) {
        note_event(item, EVENT_WRITE, event);
    }
}

// The elements of an output that a read can need.
static uint64_t needed(const Flow *flow, const Access *access) {
    size_t loop;
    uint64_t elements = effects_reached(access->place, flow->loops.items, flow->loops.count, &loop);
    return elements == 0 ? access->terminal->all : elements;
}

static void walk_access(const Access *access, void *data) {
    Flow *flow = data;
    if (!effects_keeps_rules(access->terminal->interface)) {
        return;
    }
    size_t slot = flow->slots[access->terminal->output] - 1;
    OutputEffect *item = &flow->effect.items[slot];
    Event event = {.span = access->span, .is_update = access->is_update};
    if (access->is_write) {
        note_write(item, event);
    } else {
        event.needs = needed(flow, access);
        note_read(item, flow->now[slot], event);
    }
}

static void walk_set(Flow *flow, TirStmt *stmt) {
    effects_visit_stmt(flow->effects, stmt, walk_access, flow);
    const Terminal *terminal = effects_terminal(flow->effects, tir_place_var(stmt->set.place));
    if (terminal == NULL || stmt->set.is_update || !effects_keeps_rules(terminal->interface)) {
        return;
    }
    size_t slot = flow->slots[terminal->output] - 1;
    size_t loop;
    uint64_t elements =
        effects_reached(stmt->set.place, flow->loops.items, flow->loops.count, &loop);
    flow->now[slot] =
        gain_add(flow->now[slot], (Gain){loop == flow->loops.count ? elements : 0, 1});
    if (loop < flow->loops.count && loop >= flow->barrier) {
        Pending pending = {.slot = slot, .loop = loop, .elements = elements};
        LIST_PUSH(flow->effects->arena, &flow->pending, pending);
    }
}

// What a callee does where the output has gained `before`.
static void note_inner(OutputEffect *item, const OutputEffect *inner, Gain before, Event event) {
    static const EventKind reads[] = {EVENT_READ_NONE, EVENT_READ_PART};
    for (size_t k = 0; k < 2; k++) {
        const Event *read = &inner->events[reads[k]];
        if (read->happens) {
            event.inner = reads[k];
            event.needs = read->needs;
            note_read(item, k == 0 ? before : gain_add(before, inner->part), event);
        }
    }
    if (inner->events[EVENT_WRITE].happens) {
        event.inner = EVENT_WRITE;
        note_write(item, event);
    }
}

static void walk_call(Flow *flow, TirStmt *stmt) {
    effects_visit_stmt(flow->effects, stmt, walk_access, flow);
    const TirFunction *callee = stmt->call.function;
    const FunctionEffect *effect = &flow->effects->effects[callee->id];
    for (size_t k = 0; k < effect->count; k++) {
        const OutputEffect *inner = &effect->items[k];
        size_t slot = flow->slots[inner->terminal->output] - 1;
        OutputEffect *item = &flow->effect.items[slot];
        Gain before = flow->now[slot];
        note_inner(item, inner, before, (Event){.span = stmt->span, .callee = callee});
        flow->now[slot] = gain_add(before, inner->gain);
    }
}

static void walk_block(Flow *flow, const TirBlock *block);

// Leaves those of the assignments from `then` on, before `otherwise`, that are among those from
// there on, too.
static void join_pending(Flow *flow, size_t then, size_t otherwise) {
    size_t kept = then;
    for (size_t i = then; i < otherwise; i++) {
        Pending pending = flow->pending.items[i];
        uint64_t others = 0;
        for (size_t k = otherwise; k < flow->pending.count; k++) {
            const Pending *other = &flow->pending.items[k];
            bool is_same = other->slot == pending.slot && other->loop == pending.loop;
            others |= is_same ? other->elements : 0;
        }
        pending.elements &= others;
        if (pending.elements != 0) {
            flow->pending.items[kept++] = pending;
        }
    }
    flow->pending.count = kept;
}

static void walk_if(Flow *flow, TirStmt *stmt) {
    effects_visit_stmt(flow->effects, stmt, walk_access, flow);
    Gain *before = state_copy(flow);
    size_t barrier = flow->barrier;
    size_t pending = flow->pending.count;
    walk_block(flow, &stmt->branch.then);
    Gain *then = flow->now;
    size_t otherwise = flow->pending.count;
    flow->now = before;
    flow->barrier = barrier;
    walk_block(flow, &stmt->branch.otherwise);
    join_pending(flow, pending, otherwise);
    state_join(flow, flow->now, then);
    state_give(flow, then);
    bool steps_over =
        flow->loops.count > 0 && flow->loops.items[flow->loops.count - 1].has_continue;
    flow->barrier = steps_over ? flow->loops.count : barrier;
}

// The loop's positions where constants prove that it runs.
static Loop for_positions(const Flow *flow, const TirStmt *stmt) {
    Loop loop = {.is_for = true, .pending = flow->pending.count};
    ConstantTurns turns;
    if (constant_turns(&flow->effects->tir, stmt, &turns) && turns.count > 0) {
        loop.var = stmt->for_loop.var;
        loop.first = turns.first;
        loop.step = turns.step;
        loop.count = turns.count;
    }
    return loop;
}

// Assignments that waited for this loop count where it ends by its condition, and those that wait
// for one outside do if it always ends so.
static void settle_pending(Flow *flow, const Loop *loop) {
    size_t kept = loop->pending;
    for (size_t k = loop->pending; k < flow->pending.count; k++) {
        const Pending *pending = &flow->pending.items[k];
        if (pending->loop == flow->loops.count) {
            Gain gain = {pending->elements, 1};
            flow->now[pending->slot] = gain_add(flow->now[pending->slot], gain);
        } else if (!loop->has_break) {
            flow->pending.items[kept++] = *pending;
        }
    }
    flow->pending.count = kept;
}

// Walks the body of a loop; assignments in it wait for loops from `barrier` on. Returns what became
// of the loop.
static Loop walk_body(Flow *flow, const TirBlock *body, Loop loop, size_t barrier) {
    size_t outer_barrier = flow->barrier;
    LIST_PUSH(flow->effects->arena, &flow->loops, loop);
    flow->barrier = barrier;
    walk_block(flow, body);
    flow->barrier = outer_barrier;
    return flow->loops.items[--flow->loops.count];
}

static void walk_for(Flow *flow, TirStmt *stmt) {
    effects_visit_stmt(flow->effects, stmt, walk_access, flow);
    Loop loop = for_positions(flow, stmt);
    bool runs = loop.var != NULL;
    Gain *before = runs ? NULL : state_copy(flow);
    // A loop that may run zero times is a barrier itself.
    size_t barrier = runs ? flow->barrier : flow->loops.count + 1;
    loop = walk_body(flow, &stmt->for_loop.body, loop, barrier);
    if (loop.continues != NULL) {
        state_join(flow, flow->now, loop.continues);
    }
    settle_pending(flow, &loop);
    if (loop.breaks != NULL) {
        state_join(flow, flow->now, loop.breaks);
    }
    if (!runs) {
        state_restore(flow, before);
    }
    state_give(flow, loop.breaks);
    state_give(flow, loop.continues);
}

static bool is_forever(const Flow *flow, const TirExpr *condition) {
    const TirScalar *value =
        condition->is_constant ? constant_values(&flow->effects->tir, condition) : NULL;
    return value != NULL && value->boolean;
}

static void walk_while(Flow *flow, TirStmt *stmt) {
    walk_block(flow, &stmt->while_loop.before);
    effects_visit_stmt(flow->effects, stmt, walk_access, flow);
    Gain *before = state_copy(flow);
    Loop loop = walk_body(flow, &stmt->while_loop.body, (Loop){.pending = flow->pending.count},
                          flow->loops.count + 1);
    state_restore(flow, before);
    if (is_forever(flow, stmt->while_loop.condition) && !loop.has_break) {
        state_fill(flow, flow->now, GAIN_ALL);
    }
    state_give(flow, loop.breaks);
    state_give(flow, loop.continues);
}

static void walk_jump(Flow *flow, const TirStmt *stmt) {
    if (stmt->kind == STMT_RETURN) {
        jump(flow, &flow->returns);
        return;
    }
    CHECK(flow->loops.items != NULL && flow->loops.count > 0);
    Loop *loop = &flow->loops.items[flow->loops.count - 1];
    if (stmt->kind == STMT_BREAK) {
        loop->has_break = true;
        jump(flow, &loop->breaks);
    } else {
        loop->has_continue = true;
        jump(flow, &loop->continues);
    }
}

static void walk_stmt(Flow *flow, TirStmt *stmt) {
    switch (stmt->kind) {
    case STMT_SET: walk_set(flow, stmt); return;
    case STMT_NEST: BUG("a nest before the passes");
    case STMT_CALL: walk_call(flow, stmt); return;
    case STMT_IF: walk_if(flow, stmt); return;
    case STMT_FOR: walk_for(flow, stmt); return;
    case STMT_WHILE: walk_while(flow, stmt); return;
    case STMT_BREAK:
    case STMT_CONTINUE:
    case STMT_RETURN: walk_jump(flow, stmt); return;
    case STMT_PRINT:
    case STMT_INPUT:
    case STMT_OUTPUT:
    case STMT_ASSERT: effects_visit_stmt(flow->effects, stmt, walk_access, flow); return;
    }
    UNREACHABLE();
}

static void walk_block(Flow *flow, const TirBlock *block) {
    for (size_t k = 0; k < block->count; k++) {
        walk_stmt(flow, block->items[k]);
    }
}

static void add_slot(Flow *flow, Terminal *terminal) {
    if (effects_keeps_rules(terminal->interface) && flow->slots[terminal->output] == 0) {
        flow->touched[flow->effect.count++] = terminal;
        flow->slots[terminal->output] = (uint32_t)flow->effect.count;
    }
}

// Gives slots to the outputs that the function or what it calls touches.
static void find_outputs(Flow *flow, const TirFunction *function) {
    const FunctionUses *uses = &flow->effects->uses[function->id];
    OutputEffect *found =
        ARENA_ARRAY(flow->effects->arena, OutputEffect, flow->effects->output_count);
    flow->effect = (FunctionEffect){.items = found};
    for (size_t k = 0; k < uses->accesses.count; k++) {
        add_slot(flow, uses->accesses.items[k].terminal);
    }
    for (size_t k = 0; k < uses->calls.count; k++) {
        const TirFunction *callee = uses->calls.items[k].callee;
        CHECK(callee->id < function->id); // callees come before callers
        const FunctionEffect *effect = &flow->effects->effects[callee->id];
        for (size_t o = 0; o < effect->count; o++) {
            add_slot(flow, effect->items[o].terminal);
        }
    }
    flow->effect.items = ARENA_ARRAY(flow->effects->arena, OutputEffect, flow->effect.count);
    for (size_t k = 0; k < flow->effect.count; k++) {
        flow->effect.items[k].terminal = flow->touched[k];
    }
}

static void walk_function(Flow *flow, const TirFunction *function) {
    find_outputs(flow, function);
    if (flow->effect.count == 0) {
        return;
    }
    flow->now = state_take(flow);
    state_fill(flow, flow->now, (Gain){0, 0});
    walk_block(flow, &function->body);
    if (flow->returns != NULL) {
        state_join(flow, flow->now, flow->returns);
    }
    for (size_t k = 0; k < flow->effect.count; k++) {
        flow->effect.items[k].gain = flow->now[k];
        flow->slots[flow->effect.items[k].terminal->output] = 0;
    }
    flow->effects->effects[function->id] = flow->effect;
    state_give(flow, flow->now);
    state_give(flow, flow->returns);
    flow->returns = NULL;
}

void effects_flow(Effects *effects) {
    const TirProgram *program = effects->program;
    effects->effects = ARENA_ARRAY(effects->arena, FunctionEffect, program->functions.count);
    Flow flow = {.effects = effects,
                 .slots = ARENA_ARRAY(effects->arena, uint32_t, effects->output_count),
                 .touched = ARENA_ARRAY(effects->arena, Terminal *, effects->output_count)};
    for (size_t k = 0; k < program->functions.count; k++) {
        walk_function(&flow, program->functions.items[k]);
    }
}
