// What a statement adds is a value of each lane, which is neutral where the statement does not run.
// So statements of one turn can be added in the order of the text, whichever of them ran.
#include "codegen/emit/masked_total.h"

#include "codegen/emit/calls.h"
#include "codegen/emit/frame.h"
#include "codegen/emit/index.h"
#include "codegen/emit/lanes.h"
#include "codegen/emit/op_map.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"
#include "support/table.h"
#include "tir/same.h"

// What leaves a total as it is, signs of zeros included.
static LLVMValueRef neutral(Gen *gen, const TirExpr *value) {
    TirOp op = value->map.op;
    if (value->type->root != ROOT_REAL) {
        return gen_i32(gen, op == OP_MUL);
    }
    return gen_real(gen, op == OP_MUL ? 1 : op == OP_ADD ? -0.0 : 0);
}

static LLVMValueRef no_terms(Gen *gen, const TirStmt *stmt) {
    return lanes_splat(gen, neutral(gen, stmt->set.value), gen->masked->lanes);
}

static void begin_total(Gen *gen, const LanesTotal *total) {
    Masked *masked = gen->masked;
    for (size_t i = 0; i < total->additions.count; i++) {
        const TirStmt *stmt = total->additions.items[i];
        LLVMValueRef none = no_terms(gen, stmt);
        Parts *terms = ARENA_NEW(gen->arena, Parts);
        for (unsigned p = 0; p < masked->parts; p++) {
            terms->of[p] = LLVMBuildAlloca(gen->at_entry, LLVMTypeOf(none), "");
            LLVMBuildStore(gen->builder, none, terms->of[p]);
        }
        table_set(gen->arena, &masked->terms, stmt, terms);
    }
}

bool masked_add(Gen *gen, const TirStmt *stmt, const Parts *active) {
    Masked *masked = gen->masked;
    const Parts *slots = table_get(&masked->terms, stmt);
    if (slots == NULL) {
        return false;
    }
    const TirExpr *term = lanes_total_term(&masked->body, stmt);
    LLVMValueRef none = no_terms(gen, stmt);
    for (masked->part = 0; masked->part < masked->parts; masked->part++) {
        LLVMValueRef terms = masked_lanes(gen, term);
        LLVMValueRef mask = masked_bits(gen, masked_load_mask(gen, active->of[masked->part]));
        terms = LLVMBuildSelect(gen->builder, mask, terms, none, "");
        LLVMBuildStore(gen->builder, terms, slots->of[masked->part]);
    }
    return true;
}

static LLVMValueRef add(Gen *gen, const TirExpr *value, LLVMValueRef total, LLVMValueRef term) {
    Root root = value->type->root;
    switch (value->map.op) {
    case OP_ADD: return op_add(gen, root, total, term);
    case OP_SUB: return op_sub(gen, root, total, term);
    default: return op_mul(gen, root, total, term);
    }
}

// Integers have no order.
static LLVMValueRef of_all_lanes(Gen *gen, const TirExpr *value, LLVMValueRef terms) {
    LLVMTypeRef type = LLVMTypeOf(terms);
    const char *name =
        value->map.op == OP_MUL ? "llvm.vector.reduce.mul" : "llvm.vector.reduce.add";
    return gen_intrinsic(gen, name, &type, 1, &terms, 1);
}

// Adds what lane `lane` of the part at hand adds, or all of them at once.
static LLVMValueRef add_term(Gen *gen, const TirStmt *stmt, LLVMValueRef sum, unsigned lane) {
    const Parts *slots = table_get(&gen->masked->terms, stmt);
    const TirExpr *value = stmt->set.value;
    LLVMTypeRef type = LLVMTypeOf(no_terms(gen, stmt));
    LLVMValueRef terms = LLVMBuildLoad2(gen->builder, type, slots->of[gen->masked->part], "");
    bool has_order = value->type->root == ROOT_REAL;
    return add(gen, value, sum,
               has_order ? lanes_extract(gen, terms, lane) : of_all_lanes(gen, value, terms));
}

// Adds the terms of the part at hand to the place of addition number `first`.
static void add_to(Gen *gen, const LanesTotal *total, size_t first) {
    const TirExpr *place = total->additions.items[first]->set.place;
    bool is_var = place->kind == EXPR_VAR;
    Root root = place->type->root;
    LLVMValueRef pointer = is_var ? frame_var_address(gen, place->var) : masked_address(gen, place);
    Address address = {.pointer = pointer, .var = total->var};
    LLVMValueRef sum = index_load(gen, root, address, 1);
    unsigned count = root == ROOT_REAL ? gen->masked->lanes : 1;
    for (unsigned lane = 0; lane < count; lane++) {
        for (size_t i = first; i < total->additions.count; i++) {
            const TirStmt *stmt = total->additions.items[i];
            if (tir_same_value(stmt->set.place, place)) {
                sum = add_term(gen, stmt, sum, lane);
            }
        }
    }
    index_store(gen, root, sum, address, 1);
}

static bool is_first_of_place(const LanesTotal *total, size_t number) {
    const TirExpr *place = total->additions.items[number]->set.place;
    for (size_t i = 0; i < number; i++) {
        if (tir_same_value(total->additions.items[i]->set.place, place)) {
            return false;
        }
    }
    return true;
}

static void add_part(Gen *gen, const LanesTotal *total) {
    for (size_t i = 0; i < total->additions.count; i++) {
        if (is_first_of_place(total, i)) {
            add_to(gen, total, i);
        }
    }
}

// In the order of the text.
static void each_total(Gen *gen, void (*act)(Gen *gen, const LanesTotal *total)) {
    const LanesBody *body = &gen->masked->body;
    for (size_t i = 0; i < body->all.count; i++) {
        const LanesTotal *total = table_get(&body->totals, body->all.items[i]);
        if (total != NULL) {
            act(gen, total);
        }
    }
}

void masked_totals_begin(Gen *gen) {
    each_total(gen, begin_total);
}

void masked_totals_end(Gen *gen) {
    Masked *masked = gen->masked;
    for (masked->part = 0; masked->part < masked->parts; masked->part++) {
        each_total(gen, add_part);
    }
}
