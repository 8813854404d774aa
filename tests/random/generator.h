// The generator's state, shared by the files that make it. Everything is written top down: an
// expression is made for a type that is wanted, so it is valid by construction.
#ifndef TMLC_TESTS_RANDOM_GENERATOR_H
#define TMLC_TESTS_RANDOM_GENERATOR_H

#include "support/buffer.h"
#include "tests/random/random.h"
#include "tests/random/type.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    FUZZ_VARS = 96,
    FUZZ_FUNCTIONS = 12,
    FUZZ_PARAMS = 4,
    FUZZ_MORE = 2, // results beside the first one
    FUZZ_NAME = 16,
    FUZZ_FAMILIES = 6,
};

// What a variable of a component is: these have names like `t.u3`.
typedef enum FuzzRole {
    FUZZ_PLAIN,
    FUZZ_INPUT,
    FUZZ_LATE_INPUT, // without feedthrough
    FUZZ_OUTPUT,
    FUZZ_LATE_OUTPUT,
    FUZZ_TUNABLE,
    FUZZ_CONSTANT,
    FUZZ_OPTIONAL_INPUT,
    FUZZ_OPTIONAL_OUTPUT,
} FuzzRole;

typedef struct FuzzVar {
    char name[FUZZ_NAME];
    FuzzType type;
    FuzzRole role;
    bool is_global;
    bool is_read_only; // loop variables, the counters of while loops, what may not be written here
    bool is_hidden;    // by a variable of an inner scope, or it may not be read here
    bool is_loop;      // first <= value <= last; or, with a size, 0 <= value < size
    int first, last;
    unsigned size; // a size parameter, or 0
} FuzzVar;

typedef struct FuzzFunction {
    char name[FUZZ_NAME];
    FuzzType params[FUZZ_PARAMS]; // may have size parameters as dims
    char param_names[FUZZ_PARAMS][FUZZ_NAME];
    bool is_var[FUZZ_PARAMS]; // copied back to the argument
    unsigned param_count;
    unsigned default_from; // parameters from here on have defaults
    bool has_result;
    FuzzType result, more[FUZZ_MORE];
    unsigned more_count;
    bool is_pure;   // changes no global, prints nothing
    bool is_short;  // may be called in any loop
    unsigned range; // the result is an index below this; 0: any value
} FuzzFunction;

// Variables that a `macro for` has made: `name{0}` to `name{count - 1}`.
typedef struct FuzzFamily {
    char name[FUZZ_NAME];
    unsigned count;
} FuzzFamily;

typedef struct Fuzz {
    Random random;
    Buffer *out;
    Buffer *connected; // the names of optional terminals that are there, each with a comma
    Buffer *inputs; // lines `#< value` for each input(type) so far; NULL: the program reads nothing
    FuzzVar vars[FUZZ_VARS]; // those in scope, in order of declaration
    unsigned var_count;
    FuzzFunction functions[FUZZ_FUNCTIONS]; // those that may be called
    unsigned function_count;
    FuzzFunction *function; // the one being written, or NULL
    FuzzFamily families[FUZZ_FAMILIES];
    unsigned family_count;
    bool has_sizes;     // inside a function with size parameters
    bool is_file_level; // initialisers that call no function
    bool is_component;  // nothing prints
    bool is_macro;      // inside the body of a macro, which declares nothing
    unsigned name_count;
    unsigned indent;
    unsigned base_indent; // of statements that run once
    unsigned loop_depth;
    unsigned index_depth;   // no side effects inside indices (E0604)
    unsigned literal_depth; // `|` separates pages there
    unsigned numel;         // at most so many scalars in a variable; operands may have some more
    bool is_large;          // with long dims
    bool is_deep;           // with several levels: half of the types have this shape
    FuzzType deep;
    bool is_single; // --real=f32
    bool is_strict; // --fp=strict: sums and functions are the oracle's to the last bit
    unsigned risk;  // percent of places that may trap which do nothing against it
    unsigned output_count;
} Fuzz;

// How tightly an operator binds (L5.1).
typedef enum FuzzPrecedence {
    PREC_ANY,
    PREC_OR,
    PREC_AND,
    PREC_NOT,
    PREC_BIT_OR,
    PREC_BIT_XOR,
    PREC_BIT_AND,
    PREC_RELATION,
    PREC_SHIFT,
    PREC_SUM,
    PREC_PRODUCT,
    PREC_UNARY,
    PREC_POSTFIX,
    PREC_ATOM,
} FuzzPrecedence;

// random_type.c

FuzzRoot fuzz_random_root(Fuzz *fuzz);
FuzzRoot fuzz_random_number(Fuzz *fuzz); // not bool
unsigned fuzz_random_dim(Fuzz *fuzz);
// Dims of at most `numel` scalars.
FuzzLevel fuzz_random_level(Fuzz *fuzz, unsigned max_rank, unsigned numel);
FuzzType fuzz_random_type(Fuzz *fuzz);
FuzzType fuzz_deep_shape(Fuzz *fuzz);

// expression.c

// Writes an expression of exactly this type that binds at least as tightly as `least`. The greater
// the fuel, the deeper it is.
void fuzz_expr(Fuzz *fuzz, const FuzzType *type, int fuel, FuzzPrecedence least);
// One that can be assigned to `type` (L6.1).
void fuzz_assignable(Fuzz *fuzz, const FuzzType *type, int fuel);
// One that is used whole, like an argument.
void fuzz_argument(Fuzz *fuzz, const FuzzType *type, int fuel);
// A scalar literal, a variable or a cast of one.
void fuzz_leaf(Fuzz *fuzz, const FuzzType *type, FuzzPrecedence least);
// One without zeros unless risk is taken: a divisor.
void fuzz_divisor(Fuzz *fuzz, const FuzzType *type, int fuel);
// An operand of a sum or product of root `result`: where that is real, small whole numbers, whose
// order does not matter.
void fuzz_term(Fuzz *fuzz, const FuzzType *type, FuzzRoot result, int fuel);
// What a real tensor from a function is wrapped in, so that a few ulp do not show.
void fuzz_hide_ulps(Fuzz *fuzz, const FuzzType *type);
void fuzz_hidden(Fuzz *fuzz, const FuzzType *type);
// A call; `sizes` are the values of its size parameters, 0 where any will do. False, with nothing
// written, where there are no places for it to write.
bool fuzz_call(Fuzz *fuzz, const FuzzFunction *function, unsigned *sizes, int fuel);
// The type with these values for size parameters.
FuzzType fuzz_with_sizes(const FuzzType *type, const unsigned *sizes);
// Opens a parenthesis where an operator of this precedence needs one, or at random. The result goes
// to fuzz_close.
bool fuzz_open(Fuzz *fuzz, FuzzPrecedence precedence, FuzzPrecedence least);
void fuzz_close(Fuzz *fuzz, bool is_open);

// A way to write an expression of a type. False, with nothing written, where it is not possible.
typedef bool FuzzWay(Fuzz *fuzz, const FuzzType *type, int fuel, FuzzPrecedence least);

// operator.c

FuzzWay fuzz_arithmetic, fuzz_relation, fuzz_logic, fuzz_bitwise, fuzz_unary, fuzz_dot,
    fuzz_transpose;
// Types of two operands that broadcast to `type` (L5.2): everything but the roots.
void fuzz_split(Fuzz *fuzz, const FuzzType *type, FuzzType *left, FuzzType *right);

// constant.c

// A number where a constant is wanted.
void fuzz_constant(Fuzz *fuzz, int value);
void fuzz_constant_dim(Fuzz *fuzz, unsigned dim);
void fuzz_write_type(Fuzz *fuzz, const FuzzType *type);
// The function that they call, if `body` does.
void fuzz_write_constants(const Buffer *body, Buffer *out);

// index.c

FuzzWay fuzz_element_of_var, fuzz_element, fuzz_slice, fuzz_flip;
// An index that is inside of the dim, but for the risk that is taken. In a bracket: index_depth.
void fuzz_index(Fuzz *fuzz, unsigned dim, int fuel);
// One that is computed: an int or a uint below the dim.
void fuzz_computed_index(Fuzz *fuzz, unsigned dim, int fuel);
// A range of `length` elements along a dim that has as many; or along one of length 1.
void fuzz_range(Fuzz *fuzz, unsigned dim, unsigned length);
// Writes brackets after a place or value of type `type`; the result is the type of what they
// select. On the left of `=` bounded ranges along a dim of length 1 have length 1 (L7.6).
FuzzType fuzz_brackets(Fuzz *fuzz, const FuzzType *type, bool on_left, int fuel);

// builtin.c, rearrange.c

FuzzWay fuzz_function, fuzz_predicate, fuzz_reduction, fuzz_position, fuzz_extreme, fuzz_compared,
    fuzz_clamp, fuzz_select, fuzz_bits, fuzz_running_sum, fuzz_algebra;
FuzzWay fuzz_narrow, fuzz_reshape, fuzz_permute, fuzz_concat, fuzz_nest, fuzz_unnest,
    fuzz_placement, fuzz_maker, fuzz_matrix_shape, fuzz_attribute;

// mixed.c

// Over several levels: a comparison of operands of unequal roots, each an operator's result, and
// what `select` makes of it.
FuzzWay fuzz_mixed;
// A function that makes it the value of a file-level variable, whose value and those of the others
// no optimiser knows there: printing may have changed them for all that it knows.
void fuzz_write_mixed_function(Fuzz *fuzz);

// macro.c

// `macro for` and `macro if` around statements (L10.7).
void fuzz_macro(Fuzz *fuzz, int depth);
// `macro for` that declares variables, at file level or in a block.
void fuzz_declare_family(Fuzz *fuzz, bool is_global, int fuel);
// The same with terminals; `head` is `in` or the like. The result is the first of them, or NULL.
FuzzVar *fuzz_terminal_family(Fuzz *fuzz, const char *head);
// Forgets those whose variables are gone.
void fuzz_drop_families(Fuzz *fuzz);

// value.c

void fuzz_scalar_literal(Fuzz *fuzz, FuzzRoot root, FuzzPrecedence least);
// A value as standard input has it.
const char *fuzz_input_value(Fuzz *fuzz, FuzzRoot root);

// input.c

// A variable with a value from standard input, and that value: what no optimiser knows.
void fuzz_input(Fuzz *fuzz, const FuzzType *type);

// component.c

// The whole text of a component.
void fuzz_component(Fuzz *fuzz);

// optional.c

// Adds optional terminals, some of which are connected.
void fuzz_declare_optional(Fuzz *fuzz);
// A statement that reads one: under a guard, or as an operand that may vanish (L10.5, L10.6).
void fuzz_optional(Fuzz *fuzz, int depth);
// Assigns those that are outputs.
void fuzz_assign_optional(Fuzz *fuzz);

// function.c

// A function of up to seven statements; it may be called from now on. The text goes to fuzz->out.
void fuzz_write_function(Fuzz *fuzz);
// The head of a function, whose parameters are variables from then on, and `end`, from which on it
// may be called; `first` is fuzz->var_count before.
void fuzz_begin_function(Fuzz *fuzz, FuzzFunction *function);
void fuzz_end_function(Fuzz *fuzz, const FuzzFunction *function, unsigned first);

// result.c

// Which parameters are copied back and which have defaults; further results.
void fuzz_random_interface(Fuzz *fuzz, FuzzFunction *function);
// Whether some parameter is copied back.
bool fuzz_writes_places(const FuzzFunction *function);
// The arguments that are copied back, by parameter, each of another variable. False where one has
// no place.
bool fuzz_choose_places(Fuzz *fuzz, const FuzzFunction *function, Buffer *places);
// `return` with a value for each result.
void fuzz_return(Fuzz *fuzz, const FuzzFunction *function, int fuel);
// A call of a function with several results.
void fuzz_assign_results(Fuzz *fuzz, bool may_declare);

// effect.c

// Some functions whose results are indices, and some that change file-level variables.
void fuzz_write_short_functions(Fuzz *fuzz);
// A call whose result is inside of the dim. False, with nothing written, where there is none.
bool fuzz_index_call(Fuzz *fuzz, unsigned dim, int fuel);
// `place op= e` whose right side changes what the place is or what its indices read (L5.8).
void fuzz_assign_effect(Fuzz *fuzz);
// Such a call makes the function that makes it impure.
void fuzz_note_call(Fuzz *fuzz, const FuzzFunction *function);

// assignment.c

// `place = e` and `place op= e`.
void fuzz_assign(Fuzz *fuzz, int fuel);
void fuzz_assign_with_operator(Fuzz *fuzz, int fuel);
// The beginning of such a line: the variable, an element or a slice of it. The result is its type.
FuzzType fuzz_place(Fuzz *fuzz, const FuzzVar *var);
// `name = e` that gives all of the variable its value, in one of several ways.
void fuzz_assign_whole(Fuzz *fuzz, const FuzzVar *var, int fuel);
// What is written makes the function that writes it impure.
void fuzz_note_write(Fuzz *fuzz, const FuzzVar *var);

// sides.c

// A branch whose sides differ in one scalar, behind a condition that holds of one of them.
void fuzz_sides(Fuzz *fuzz);

// limits.c

// A real between limits of one number, which pass a nan or catch it.
void fuzz_limits(Fuzz *fuzz);

// overlap.c

// An assignment whose right side reads what its left side writes (L6.3).
void fuzz_overlap(Fuzz *fuzz);

// statement.c

// Writes that many statements at the current indentation, in the scope that is open; `depth` more
// blocks may be opened.
void fuzz_statements(Fuzz *fuzz, unsigned count, int depth);
// One that declares nothing and prints nothing where it stands.
void fuzz_plain_statement(Fuzz *fuzz, int depth);
// A declaration of a new variable, with its type or by its first value.
void fuzz_declare(Fuzz *fuzz, bool is_global, int fuel);
void fuzz_declare_as(Fuzz *fuzz, const FuzzType *type, bool is_global, int fuel);
// Declares a new variable, whose name it gives, with this text as its value.
void fuzz_declare_value(Fuzz *fuzz, char name[FUZZ_NAME], const FuzzType *type, const char *value);
// What follows `if` or `while`, with the new line.
void fuzz_condition(Fuzz *fuzz, int fuel);
// `print` of every variable from `first` on.
void fuzz_print_vars(Fuzz *fuzz, unsigned first);
// A line of its own at the current indentation.
void fuzz_line(Fuzz *fuzz, const char *format, ...) __attribute__((format(printf, 2, 3)));
// The spaces that a line begins with.
void fuzz_indent(Fuzz *fuzz);

// Variables.

// A name that was not used yet: the letter and a number.
void fuzz_new_name(Fuzz *fuzz, char letter, char name[FUZZ_NAME]);
FuzzVar *fuzz_add_var(Fuzz *fuzz, const char *name, const FuzzType *type);
// A random variable for which `wanted` holds, or NULL.
typedef bool FuzzVarTest(const FuzzVar *var, const FuzzType *type);
bool fuzz_has_type(const FuzzVar *var, const FuzzType *type);
const FuzzVar *fuzz_find_var(Fuzz *fuzz, FuzzVarTest *wanted, const FuzzType *type);

static inline unsigned fuzz_below(Fuzz *fuzz, unsigned limit) {
    return random_below(&fuzz->random, limit);
}

static inline bool fuzz_percent(Fuzz *fuzz, unsigned percent) {
    return random_percent(&fuzz->random, percent);
}

static inline void fuzz_text(Fuzz *fuzz, const char *text) {
    buffer_text(fuzz->out, text);
}

#endif
