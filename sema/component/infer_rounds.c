// See infer_rounds.h. The file is checked again and again, each time with what was learnt before.
// At first a name without a type makes poison of everything that it is in, so what gets a type is
// proved: it rests on nothing that is not known. When nothing more is learnt, what is left is
// guessed, and all that follows from it is a guess, too.
#include "sema/component/infer_rounds.h"

#include "sema/component/infer.h"

#include <stdlib.h>
#include <string.h>

typedef struct Rounds {
    Infer infer;
    AstFile *file;
    CheckOptions options;
    bool guesses;  // something was guessed
    size_t errors; // of the last round
} Rounds;

static void forget_round(Infer *infer) {
    infer->has_news = false;
    infer->unknown = infer->origins = (Table){0};
    for (size_t k = 0; k < infer->names.count; k++) {
        InferName *name = infer->names.items[k];
        name->item = NULL;
        name->assigned = name->counted = name->exact = name->limit = NULL;
        name->has_negative = name->is_waiting = name->is_part_waiting = false;
        name->is_written = name->has_parts = name->is_fed = false;
        name->is_connected = name->is_late = name->wired_first = name->wired_second = false;
        name->part_root = ROOT_BOOL;
    }
}

static void run_round(Rounds *rounds) {
    Context *context = rounds->infer.context;
    forget_round(&rounds->infer);
    context->diags = diags_create(context->arena);
    check_program(context, rounds->file, &rounds->options);
    rounds->errors = context->diags->error_count;
}

// The type of all that is assigned to an output; NULL when it is not known. Constant ints fit what
// else is assigned where that is a uint (L2.7).
static const Type *assigned_type(TypeTable *types, const InferName *name) {
    const Type *type = name->assigned;
    const Type *counted = name->counted;
    bool is_real = type != NULL && type->root == ROOT_REAL; // no element raises that
    if (name->is_waiting || (name->is_part_waiting && !is_real) || type == counted) {
        return NULL;
    }
    if (type == NULL) {
        return counted;
    }
    Root root = name->part_root > type->root ? name->part_root : type->root;
    if (counted != NULL && (root < ROOT_UINT || (root == ROOT_UINT && name->has_negative))) {
        root = ROOT_INT;
    }
    bool covers = counted == NULL || shape_assign(type, counted, true).why == SHAPE_OK;
    return type_with_root(types, covers ? type : counted, root);
}

static bool learn(Rounds *rounds) {
    bool learnt = false;
    for (size_t k = 0; k < rounds->infer.names.count; k++) {
        InferName *name = rounds->infer.names.items[k];
        if (name->type != NULL) {
            continue;
        }
        const Type *type = name->is_output ? assigned_type(rounds->infer.types, name) : NULL;
        bool is_open =
            type != NULL && (name->assigned == NULL || (name->has_parts && type_is_scalar(type)));
        name->is_guess = name->is_guess || rounds->guesses || is_open;
        name->type = type == NULL ? name->exact : type;
        learnt = learnt || name->type != NULL;
    }
    return learnt;
}

// Rounds until nothing more is learnt.
static void settle(Rounds *rounds) {
    do {
        run_round(rounds);
    } while (rounds->infer.has_news || learn(rounds));
}

// A type that comes out another with other values of properties and constants rests on a guess.
static void compare_second_values(Rounds *rounds) {
    Infer *infer = &rounds->infer;
    size_t count = infer->names.count;
    InferName *first = ARENA_ARRAY(infer->context->arena, InferName, count);
    for (size_t k = 0; k < count; k++) {
        first[k] = *infer->names.items[k];
        infer->names.items[k]->type = first[k].is_output ? NULL : first[k].type;
    }
    infer->is_second = true;
    settle(rounds);
    infer->is_second = false;
    for (size_t k = 0; k < count; k++) {
        first[k].is_guess |= first[k].type != infer->names.items[k]->type;
        *infer->names.items[k] = first[k];
    }
    infer->names.count = count;
}

// Guesses the types of outputs or of others; false when there are none left.
static bool guess(Rounds *rounds, bool outputs) {
    bool guessed = false;
    for (size_t k = 0; k < rounds->infer.names.count; k++) {
        InferName *name = rounds->infer.names.items[k];
        if (name->type == NULL && name->is_output == outputs) {
            name->type =
                name->limit != NULL ? name->limit : type_scalar(rounds->infer.types, ROOT_REAL);
            name->is_guess = name->is_free = guessed = true;
        }
    }
    rounds->guesses = rounds->guesses || guessed;
    return guessed;
}

// What follows from guesses is learnt anew.
static void settle_again(Rounds *rounds) {
    for (size_t k = 0; k < rounds->infer.names.count; k++) {
        InferName *name = rounds->infer.names.items[k];
        name->is_free = name->is_free && !name->is_output;
        name->type = name->is_guess && !name->is_free ? NULL : name->type;
    }
    do {
        settle(rounds);
    } while (guess(rounds, false) || guess(rounds, true));
}

// Where the guess `real` is wrong for sure, as it is for the argument of `getbit`, another one that
// is not: the one that leaves the fewest errors.
static void try_roots(Rounds *rounds, InferName *name) {
    static const Root roots[] = {ROOT_INT, ROOT_UINT, ROOT_BOOL, ROOT_STR};
    size_t count = name->space == 'p' ? 4 : 3;
    for (size_t k = 0; k < count && rounds->errors > 0; k++) {
        const Type *before = name->type;
        size_t errors = rounds->errors;
        size_t names = rounds->infer.names.count;
        name->type = type_scalar(rounds->infer.types, roots[k]);
        settle_again(rounds);
        if (rounds->errors >= errors) {
            name->type = before;
            rounds->infer.names.count = names;
            settle_again(rounds);
        }
    }
}

static void improve_guesses(Rounds *rounds) {
    for (size_t k = 0; k < rounds->infer.names.count && rounds->errors > 0; k++) {
        InferName *name = rounds->infer.names.items[k];
        if (name->is_free && type_is_scalar(name->type)) {
            try_roots(rounds, name);
        }
    }
}

// What is read or written outside of output_fnc only has no feedthrough. That decides branches of
// guards, and so what else is read.
static void settle_feedthrough(Rounds *rounds) {
    bool changed = true;
    while (changed) {
        changed = false;
        for (size_t k = 0; k < rounds->infer.names.count; k++) {
            InferName *name = rounds->infer.names.items[k];
            bool loses = name->space == 't' && name->has_feedthrough && !name->is_fed;
            name->has_feedthrough = name->has_feedthrough && !loses;
            changed = changed || loses;
        }
        if (changed) {
            run_round(rounds);
        }
    }
}

static void print_name(const InferName *name, Buffer *out) {
    // An output that the values of properties leave without code would lack its value.
    bool is_left_out = name->is_output && !name->is_optional && !name->is_written;
    buffer_text(out, is_left_out ? "# with other values: " : "");
    infer_print(name, false, out);
    buffer_text(out, name->is_guess && name->space == 't' ? " # guessed"
                     : name->is_guess                     ? " # guessed # value guessed"
                     : name->space != 't'                 ? " # value guessed"
                                                          : "");
    buffer_text(out, "\n");
}

static int by_place(const void *a, const void *b) {
    const InferName *x = *(InferName *const *)a;
    const InferName *y = *(InferName *const *)b;
    return x->at != y->at ? (x->at > y->at) - (x->at < y->at) : strcmp(x->text, y->text);
}

static void print_all(const Infer *infer, Buffer *out) {
    static const struct Section {
        char space;
        bool is_output;
    } sections[] = {{'t', false}, {'t', true}, {'p', false}, {'n', false}};
    if (infer->names.count > 0) { // else there is nothing to point at
        qsort(infer->names.items, infer->names.count, sizeof *infer->names.items, by_place);
    }
    for (size_t section = 0; section < sizeof sections / sizeof sections[0]; section++) {
        for (size_t k = 0; k < infer->names.count; k++) {
            const InferName *name = infer->names.items[k];
            if (name->space == sections[section].space &&
                name->is_output == sections[section].is_output) {
                print_name(name, out);
            }
        }
    }
}

bool infer_interface(Context *context, AstFile *file, const CheckOptions *options, Buffer *out) {
    Rounds rounds = {
        .infer = {.context = context, .types = types_create(context->arena)},
        .file = file,
        .options = *options,
    };
    rounds.options.infer = &rounds.infer;
    rounds.options.no_warnings = true;
    rounds.options.notes = NULL;
    do {
        run_round(&rounds);
    } while (rounds.infer.has_news);
    DiagList *untyped =
        context->diags; // these errors rest on no type, unless a macro waits for one
    settle(&rounds);
    compare_second_values(&rounds);
    settle_again(&rounds);
    improve_guesses(&rounds);
    if (rounds.errors > 0 && untyped->error_count > 0) {
        context->diags = untyped;
        return false;
    }
    settle_feedthrough(&rounds);
    context->diags = diags_create(context->arena);
    print_all(&rounds.infer, out);
    return true;
}
