// Words that other languages have, and what TML writes in their place. A name whose counterpart
// does not compute the same for all arguments gets a sentence, since FOREIGN_NAME becomes an edit.
#include "parser/mistakes/foreign.h"

#include <string.h>

#define TYPE FOREIGN_TYPE
#define WIDTH FOREIGN_WIDTH
#define NAME FOREIGN_NAME
#define WORD FOREIGN_WORD
#define HEADER FOREIGN_HEADER
#define SENTENCE FOREIGN_SENTENCE
#define STATEMENT FOREIGN_STATEMENT
#define BLOCK FOREIGN_BLOCK
#define OPERATOR FOREIGN_OPERATOR
#define PREFIX FOREIGN_PREFIX

#define FUNCTION_FORM \
    "a function is written `fn name(type a, type b) type:`, with `end` after its statements"
#define LOOP_FORM "a loop is written `for i = first:end:`, with `end` after its statements"
#define WHILE_FORM "a loop is written `while condition:`, with `end` after its statements"
#define IF_FORM "TML has `if`, `elseif` and `else`, with one `end` after them"
#define NO_BLOCK "there is no such block; statements follow each other, one on a line"
#define PRINT_FORM "`print` shows texts and values in a row: `print(\"x is\", x)`"
#define RECORD "there are no structures: what belongs together has names in common, or is a tensor"
#define BUILT_IN "functions are built in; `import \"file.tml\"` reads those of another file"
#define SHORTER "a component has its own kinds of blocks: `fn output_fnc():`, `fn update_fnc():`"
#define NO_LIBRARY "there is no such built-in; it is written as a function in TML"
#define TENSOR_OF(value) "by its type: `tensor<real, 2, 3> x = " value "`"

static const struct Row {
    const char *words; // with a blank between two
    ForeignWord meant;
} rows[] = {
    {"float double float64 f64", {TYPE | NAME, "real"}},
    {"number LREAL float_t double_t", {TYPE, "real"}},
    {"f32 float32 single", {TYPE | WIDTH, "real"}},
    {"int32 i32", {TYPE | NAME, "int"}},
    {"integer int32_t DINT", {TYPE, "int"}},
    {"long short i16 i64 int16 int64 int8 int16_t int64_t SINT LINT isize", {TYPE | WIDTH, "int"}},
    {"uint32 u32", {TYPE | NAME, "uint"}},
    {"unsigned uint32_t UDINT DWORD", {TYPE, "uint"}},
    {"u8 u16 u64 uint8 uint16 uint64 uint8_t uint16_t uint64_t size_t usize WORD BYTE",
     {TYPE | WIDTH, "uint"}},
    {"boolean logical _Bool", {TYPE | NAME, "bool"}},
    {"vector matrix array list ndarray Vec", {TYPE, "tensor<real, 3>"}},
    {"pi PI", {NAME, "M_PI"}},
    {"ln", {NAME, "log"}},
    {"fabs absolute fabsf", {NAME, "abs"}},
    {"sgn signum", {NAME, "sign"}},
    {"sqr", {SENTENCE, "the square of `x` is `x * x`, its root `sqrt(x)`"}},
    {"sind cosd tand",
     {SENTENCE, "angles are in radians: `sin(deg2rad(x))`, and `cos` and `tan` like it"}},
    {"asind acosd atand atan2d", {SENTENCE, "angles are in radians: `rad2deg(atan2(y, x))`"}},
    {"arcsin", {NAME, "asin"}},
    {"arccos", {NAME, "acos"}},
    {"arctan", {NAME, "atan"}},
    {"arctan2", {NAME, "atan2"}},
    {"sqrtf", {NAME, "sqrt"}},
    {"sinf", {NAME, "sin"}},
    {"cosf", {NAME, "cos"}},
    {"tanf", {NAME, "tan"}},
    {"expf", {NAME, "exp"}},
    {"logf", {NAME, "log"}},
    {"fix", {NAME, "trunc"}},
    {"ceiling", {NAME, "ceil"}},
    {"average", {NAME, "mean"}},
    {"maximum", {NAME, "max"}},
    {"minimum", {NAME, "min"}},
    {"where ifelse", {NAME, "select"}},
    {"squeeze", {NAME, "narrow"}},
    {"clip saturate", {NAME, "clamp"}},
    {"infinity", {NAME, "inf"}},
    {"disp", {NAME, "print"}},
    {"println printf fprintf sprintf puts cout echo console", {SENTENCE, PRINT_FORM}},
    {"fmin fmax fminf fmaxf",
     {SENTENCE, "`min(a, b)` and `max(a, b)` choose; a nan wins, where `fmin` leaves it out"}},
    {"arange", {SENTENCE, "`iota(n)` is 0 to n - 1, `a + b * iota(n)` others"}},
    {"array asarray matrix",
     {SENTENCE, "a tensor is written `[1, 2, 3]`, a matrix `[1, 2; 3, 4]`"}},
    {"vec list tuple", {SENTENCE, "a tensor is written `[1, 2, 3]`"}},
    {"zeros zeros_like", {SENTENCE, "a tensor of zeros is declared " TENSOR_OF("0.0")}},
    {"ones ones_like", {SENTENCE, "a tensor of ones is declared " TENSOR_OF("1.0")}},
    {"full full_like", {SENTENCE, "a tensor of equal elements is declared " TENSOR_OF("2.5")}},
    {"empty", {SENTENCE, "a tensor has a value from the start, declared " TENSOR_OF("0.0")}},
    {"rand random rng",
     {SENTENCE,
      "`uniform(seed, step, 3)` has random numbers; a step gives others, as a count does"}},
    {"randn",
     {SENTENCE,
      "`normal(seed, step, 3)` has random numbers; a step gives others, as a count does"}},
    {"randi", {NAME, "randint"}},
    {"len length", {SENTENCE, "the length of `x` is `x.len`"}},
    {"size shape", {SENTENCE, "the lengths of `x` are `x.size`, the first of them `x.size[0]`"}},
    {"ndim ndims ndimensions", {SENTENCE, "the number of dimensions of `x` is `x.size.len`"}},
    {"numel sizeof", {SENTENCE, "the number of elements of `x` is `x.numel`"}},
    {"transpose T", {SENTENCE, "the transpose of `x` is `x'`"}},
    {"matmul", {SENTENCE, "the matrix product is `a .* b`"}},
    {"dot inner vdot", {SENTENCE, "the dot product is `a .* b`"}},
    {"pow power powf", {SENTENCE, "powers are `x ** y`"}},
    {"multiply times",
     {SENTENCE, "`a * b` multiplies element by element, `a .* b` is the product"}},
    {"equal not_equal less greater less_equal greater_equal",
     {SENTENCE,
      "`==`, `!=`, `<` and `>` compare equal shapes; `eq ne lt gt le ge` stretch them first"}},
    {"broadcast_to broadcast_arrays",
     {SENTENCE, "operators and assignments broadcast; `broadcast_in_dim(x, size, dims)` says how"}},
    {"divide rdivide", {SENTENCE, "`a / b` divides element by element"}},
    {"mod rem fmod fmodf", {SENTENCE, "the remainder is `x % y`, with the sign of `x`"}},
    {"xor bitxor", {SENTENCE, "exclusive or is `x ^ y`, of bools `x != y`"}},
    {"bitand bitor bitwise_and bitwise_or",
     {SENTENCE, "the bits of uints are combined by `x & y` and `x | y`"}},
    {"bitshift left_shift right_shift", {SENTENCE, "bits are moved by `x << n` and `x >> n`"}},
    {"bitcmp bitwise_not", {SENTENCE, "the complement of a uint is `~x`"}},
    {"imag", {SENTENCE, "a complex number is a pair: the imaginary part of `z` is `z[1]`"}},
    {"angle", {SENTENCE, "the angle of a pair is `carg(z)`, of coordinates `atan2(y, x)`"}},
    {"vstack vertcat row_stack",
     {SENTENCE,
      "`stack(0, v, w)` makes vectors the rows of a matrix; `concat(0, a, b)` joins matrices"}},
    {"hstack horzcat",
     {SENTENCE, "`concat(0, v, w)` joins vectors, `concat(1, a, b)` matrices side by side"}},
    {"column_stack", {SENTENCE, "`stack(1, v, w)` makes vectors the columns of a matrix"}},
    {"concatenate cat append extend push",
     {SENTENCE, "tensors do not grow; `concat(k, a, b)` joins along dimension k"}},
    {"sorted", {NAME, "sort"}},
    {"percentile", {SENTENCE, "`quantile(x, q)` takes q within 0 and 1"}},
    {"stdev", {NAME, "std"}},
    {"variance", {NAME, "var"}},
    {"cov corrcoef", {SENTENCE, "the covariance is `mean((x - mean(x)) * (y - mean(y)))`"}},
    {"linsolve mldivide", {SENTENCE, "`solve(a, b)` solves a linear system"}},
    {"cholesky", {NAME, "chol"}},
    {"inverse", {NAME, "inv"}},
    {"identity", {NAME, "eye"}},
    {"lqr dlqr dare care place c2d zpk tf2ss lsim quadprog fmincon fminsearch fsolve butter "
     "cheby1 firwin",
     {SENTENCE, NO_LIBRARY}},
    {"ode45 ode23 odeint solve_ivp",
     {SENTENCE, "a differential equation is stepped in `update_fnc`: `x += n.dt * rate`"}},
    {"integrate integrator cumtrapz",
     {SENTENCE, "an integral is a variable that keeps its value: `x += n.dt * rate`"}},
    {"rising_edge falling_edge edge R_TRIG F_TRIG",
     {SENTENCE, "an edge is `c and not before`, with `before = c` behind it"}},
    {"plot subplot xlabel ylabel imshow surf",
     {SENTENCE,
      "nothing is drawn here: `print`, or the table of a simulation, is for other tools"}},
    {"malloc calloc allocate",
     {SENTENCE, "nothing is allocated: a tensor is declared " TENSOR_OF("0.0")}},
    {"eig eigs eigvals", {SENTENCE, "`values, vectors = eigh(a)` is for symmetric matrices"}},
    {"lu schur logm",
     {SENTENCE, NO_LIBRARY "; there are `det inv solve chol qr lstsq eigh svd expm`"}},
    {"mpower", {NAME, "matrix_power"}},
    {"repmat",
     {SENTENCE, "`tile(x, k)` has each row k times, and operators broadcast by themselves"}},
    {"repelem", {NAME, "repeat"}},
    {"gather", {NAME, "take"}},
    {"scatter", {NAME, "put"}},
    {"accumarray bincount", {SENTENCE, "`add_at(x, i, v)` adds v at the positions i"}},
    {"one_hot", {NAME, "onehot"}},
    {"bitcount bit_count", {NAME, "popcount"}},
    {"interp1 lookup", {SENTENCE, "`interp(x, xs, ys)` looks x up in a table"}},
    {"convolve", {NAME, "conv"}},
    {"conv2 filter2 imfilter convolve2d correlate2d",
     {SENTENCE, "in loops over `i` and `j` it is `y[i, j] = sum(img[i:i + 3, j:j + 3] * k)`; a "
                "convolution turns `k`: `k[::-1, ::-1]`"}},
    {"lfilter", {NAME, "filter"}},
    {"circshift", {SENTENCE, "`roll(x, k)` moves along rows, `roll(m, k, 0)` down columns"}},
    {"fliplr", {NAME, "flip"}},
    {"flipud", {SENTENCE, "`flip(m, 0)` has the last row first"}},
    {"logspace geomspace", {SENTENCE, "`10.0 ** linspace(a, b, 50)` goes from 10^a to 10^b"}},
    {"mix", {NAME, "lerp"}},
    {"sinc", {SENTENCE, "the value is `sin(x) / x`, and 1 where `x` is 0"}},
    {"relay",
     {SENTENCE,
      "a variable that keeps its value switches at two limits: `on = x > high or (on and x > "
      "low)`"}},
    {"inc", {SENTENCE, "`x += 1` counts up"}},
    {"dec", {SENTENCE, "`x -= 1` counts down"}},
    {"plus minus subtract", {SENTENCE, "operators add and subtract: `a + b`, `a - b`"}},
    {"delay",
     {SENTENCE, "in a wire it is the value of a step before; in functions a variable of "
                "the file keeps one"}},
    {"radians", {NAME, "deg2rad"}},
    {"degrees", {NAME, "rad2deg"}},
    {"unique", {SENTENCE, "equal elements stand side by side in `sort(x)`; no length varies"}},
    {"histogram hist histcounts",
     {SENTENCE, "`add_at(counts, k, 1)` counts at the positions k, as those of `searchsorted`"}},
    {"find argwhere",
     {SENTENCE, "`positions, count = nonzero(c)` has as many positions as elements"}},
    {"allclose", {SENTENCE, "`all(isclose(a, b))` says whether all values are close"}},
    {"array_equal isequal", {SENTENCE, "`all(a == b)` says whether all elements are equal"}},
    {"flatten ravel", {SENTENCE, "`reshape(x, x.numel)` is all elements in a row"}},
    {"astype", {SENTENCE, "a cast converts all elements: `tensor<int, 3>(x)`"}},
    {"copy clone", {SENTENCE, "every assignment copies: `y = x`"}},
    {"isempty", {SENTENCE, "no tensor is empty"}},
    {"newaxis", {SENTENCE, "dims of length 1 come from `reshape(x, 3, 1)`"}},
    {"swapaxes moveaxis", {SENTENCE, "`permute(x, 1, 0)` changes the order of dims"}},
    {"num2str int2str str2num to_string format sprint repr", {SENTENCE, PRINT_FORM}},
    {"range",
     {SENTENCE, "a loop is written `for i = first:end:`; `iota(n)` is 0 to n - 1 as a tensor"}},
    {"None NULL nullptr null nil undefined Nothing",
     {SENTENCE, "every variable has a value; of reals, `nan` can stand for none"}},
    {"REAL_TO_INT INT_TO_REAL BOOL_TO_INT INT_TO_BOOL REAL_TO_DINT DINT_TO_REAL UINT_TO_INT",
     {SENTENCE, "a cast is written as its type: `int(x)`, `real(x)`, `bool(x)`"}},
    {"LIMIT", {SENTENCE, "limits are `clamp(x, low, high)`: the value comes first"}},
    {"SEL", {SENTENCE, "`select(c, a, b)` is `a` where `c` is true"}},
    {"der", {SENTENCE, "there are no equations: `update_fnc` adds `n.dt * derivative` to a state"}},
    {"pre", {SENTENCE, "a variable of a component keeps its value until it is assigned"}},
    {"time", {SENTENCE, "time is an input, or is counted: `time += n.dt` in `update_fnc`"}},
    {"dt Ts Tsample sample_time",
     {SENTENCE, "the length of a step is a constant: `real n.dt = 1e-4`, read as `n.dt`"}},
    {"hessian", {SENTENCE, "second derivatives are `jacobian(gradient(e, x), x)`"}},
    {"assert_equal assertEqual assert_eq verifyEqual expect verify",
     {SENTENCE, "`assert(a == b)` ends a test, of reals `assert(near(a, b, 1e-9))`"}},
    {"step tick run_step", {SENTENCE, "in a test `cycle()` runs a step of the component"}},
    {"sleep pause wait usleep",
     {SENTENCE, "nothing waits: a component runs once per step, a script to its end"}},
    {"exit quit abort",
     {SENTENCE, "a script ends behind its last line; `assert(c, \"text\")` stops it"}},
    {"struct", {SENTENCE, RECORD}},
    {"self this", {SENTENCE, "there are no objects: functions see the variables of their file"}},
    {"__name__", {SENTENCE, "statements of a file run by themselves, in order"}},
    {"elif elsif", {WORD, "elseif"}},
    {"endif endfor endwhile endfunction end_if end_for end_while end_function end_case done fi "
     "esac",
     {WORD, "end"}},
    {"include use using require", {STATEMENT, BUILT_IN}},
    {"from", {STATEMENT, BUILT_IN}},
    {"function func fun def void sub proc subroutine procedure", {HEADER, FUNCTION_FORM}},
    {"call", {STATEMENT, "a function is called as `f(x)`, without a word before it"}},
    {"implicit", {STATEMENT, "every variable has a type by its first value: leave it out"}},
    {"pub public private protected inline virtual export extern async",
     {HEADER, "functions and variables have no such word before them"}},
    {"foreach parfor", {HEADER, LOOP_FORM}},
    {"loop repeat until", {HEADER, WHILE_FORM}},
    {"when",
     {HEADER, "`if` has the condition; an edge is `if c and not before:`, with `before = c` behind "
              "it"}},
    {"unless", {HEADER, IF_FORM}},
    {"let var const auto mut val static constexpr final local persistent constant parameter "
     "param state discrete volatile register",
     {FOREIGN_DECLARES, NULL}},
    {"switch match select", {BLOCK, IF_FORM}},
    {"case otherwise default", {BLOCK, IF_FORM}},
    {"do", {BLOCK, "`while true:` with `if done:` and a `break` at its end runs once at least"}},
    {"enum", {BLOCK, "constants name the members: `int n.idle = 0`, `int n.run = 1`"}},
    {"struct class union typedef record type interface trait impl namespace template",
     {BLOCK, RECORD}},
    {"begin algorithm equation initial with var_input var_output var_global", {BLOCK, NO_BLOCK}},
    {"var", {BLOCK, "a declaration is written `type name = value`"}},
    {"try catch except finally",
     {BLOCK, "there are no exceptions: `assert(c, \"text\")` ends a program, values show failure"}},
    {"model block package function_block configuration subsystem", {BLOCK, SHORTER}},
    {"program",
     {BLOCK, "statements of a file run by themselves; a component has `fn output_fnc():` and "
             "`fn update_fnc():`"}},
    {"raise throw panic error",
     {STATEMENT | SENTENCE, "`assert(c, \"text\")` ends a program that is wrong"}},
    {"global nonlocal", {STATEMENT, "functions see the variables of their file by themselves"}},
    {"string String character Text",
     {STATEMENT,
      "texts stand in calls such as `print(\"x is\", x)`, and in properties of components: `str "
      "p.mode = \"fast\"`"}},
    {"goto", {STATEMENT, "there is no `goto`; `break` and `continue` leave loops and turns"}},
    {"del delete free", {STATEMENT, "memory is neither taken nor given back: leave it out"}},
    {"clear clc close hold figure format warning",
     {STATEMENT, "there is no session to set up: leave it out"}},
    {"print", {STATEMENT, "`print` is a function: `print(x)`"}},
    {"assert", {STATEMENT, "`assert` is a function: `assert(c)` or `assert(c, \"text\")`"}},
    {"disp println puts echo", {STATEMENT, "`print` is a function: `print(x)`"}},
    {"yield await", {STATEMENT, "a component runs once per step, and returns by itself"}},
    {"AND", {OPERATOR, "and"}},
    {"OR", {OPERATOR, "or"}},
    {"mod", {OPERATOR, "%"}},
    {"MOD", {OPERATOR, "%"}},
    {"is", {OPERATOR | SENTENCE, "`==` compares"}},
    {"as", {OPERATOR | SENTENCE, "a cast is written as its type: `real(x)`"}},
    {"then THEN", {OPERATOR | SENTENCE, "a header ends with `:`"}},
    {"do DO loop LOOP of OF", {OPERATOR | SENTENCE, "a header ends with `:`"}},
    {"xor XOR", {OPERATOR | SENTENCE, "exclusive or is `x ^ y`, of bools `x != y`"}},
    {"div DIV", {OPERATOR | SENTENCE, "`/` divides; on integers it cuts toward zero"}},
    {"if unless", {OPERATOR | SENTENCE, "`select(c, a, b)` chooses between values"}},
    {"NOT", {PREFIX, "not"}},
    {"lambda", {PREFIX, "functions have names: `fn f(real x) real:` at file level"}},
    {"new", {PREFIX, "nothing is allocated: a tensor is declared " TENSOR_OF("0.0")}},
    {"f r b u F", {PREFIX, PRINT_FORM}},
    {"np numpy math Math torch tf jnp scipy cmath linalg std Modelica fmt sys os console",
     {FOREIGN_MODULE, NULL}},
};

static char small(char c) {
    return (char)(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
}

static bool equals(const char *row, Slice word, bool any_case) {
    for (size_t i = 0; i < word.len; i++) {
        if (any_case ? row[i] != small(word.data[i]) : row[i] != word.data[i]) {
            return false;
        }
    }
    return true;
}

static bool lists(const char *words, Slice word, bool any_case) {
    for (; *words != '\0'; words += strspn(words, " ")) {
        size_t len = strcspn(words, " ");
        if (len == word.len && equals(words, word, any_case)) {
            return true;
        }
        words += len;
    }
    return false;
}

// Words of TML and functions that are spelled with capitals elsewhere.
static const struct Row small_rows[] = {
    {"real", {TYPE | NAME, "real"}},
    {"int", {TYPE | NAME, "int"}},
    {"uint", {TYPE | NAME, "uint"}},
    {"bool", {TYPE | NAME, "bool"}},
    {"true", {NAME, "true"}},
    {"false", {NAME, "false"}},
    {"nan", {NAME, "nan"}},
    {"inf", {NAME, "inf"}},
    {"m_pi", {NAME, "M_PI"}},
    {"sqrt", {NAME, "sqrt"}},
    {"abs", {NAME, "abs"}},
    {"sin", {NAME, "sin"}},
    {"cos", {NAME, "cos"}},
    {"tan", {NAME, "tan"}},
    {"exp", {NAME, "exp"}},
    {"ln", {NAME, "log"}},
    {"min", {NAME, "min"}},
    {"max", {NAME, "max"}},
    {"print", {NAME, "print"}},
    {"else", {WORD, "else"}},
    {"elseif", {WORD, "elseif"}},
    {"end", {WORD, "end"}},
    {"if", {BLOCK, "words of TML are small: `if condition:`"}},
    {"while", {BLOCK, "words of TML are small: `while condition:`"}},
    {"for", {BLOCK, "words of TML are small: `for i = first:end:`"}},
    {"return", {STATEMENT, "words of TML are small: `return`"}},
};

static const ForeignWord *find_row(const struct Row *table, size_t count, Slice word,
                                   unsigned roles, bool any_case) {
    for (size_t i = 0; i < count; i++) {
        if ((table[i].meant.roles & roles) != 0 && lists(table[i].words, word, any_case)) {
            return &table[i].meant;
        }
    }
    return NULL;
}

const ForeignWord *foreign_find(Slice word, unsigned roles) {
    enum { COUNT = sizeof rows / sizeof rows[0] };
    enum { SMALL_COUNT = sizeof small_rows / sizeof small_rows[0] };
    const ForeignWord *found = find_row(rows, COUNT, word, roles, false);
    found = found != NULL ? found : find_row(small_rows, SMALL_COUNT, word, roles, true);
    // `Integer`, `END_IF`; sentences about functions are about one spelling.
    unsigned words = roles & (TYPE | WORD | BLOCK);
    return found != NULL ? found : find_row(rows, COUNT, word, words, true);
}

const char *foreign_width(const ForeignWord *foreign) {
    if ((foreign->roles & FOREIGN_WIDTH) == 0) {
        return "";
    }
    return strcmp(foreign->tml, "int") == 0    ? ", which has 32 bits"
           : strcmp(foreign->tml, "uint") == 0 ? ", which has 32 bits and wraps at 2^32"
                                               : ", which has 64 bits without `--real=f32`";
}

const char *foreign_row(size_t index, ForeignWord *meant) {
    if (index >= sizeof rows / sizeof rows[0]) {
        return NULL;
    }
    *meant = rows[index].meant;
    return rows[index].words;
}
