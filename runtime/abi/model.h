/* What hosts of a compiled component or library see: statuses, faults, and the table that describes
   a model. Every header that tmlc writes begins with this text, so it needs nothing but <stddef.h>
   and <stdint.h>, and is C99 to C17 and C++11. */
#ifndef TML_MODEL_H
#define TML_MODEL_H

#include <stddef.h>
#include <stdint.h>

/* How a call ended. After a trap (1001 and above) the state's `fault` says where and why. */
typedef int32_t tml_status;
enum {
    TML_OK = 0,
    TML_E_ARG = 1,   /* a pointer is null; nothing was done */
    TML_E_APART = 2, /* of runs side by side: one of them would trap */
    TML_E_INDEX = 1001,
    TML_E_DIVISION = 1002,
    TML_E_STEP = 1003,
    TML_E_ASSERT = 1004
};

typedef struct tml_fault {
    int32_t code;    /* tml_status; 0 before the first trap */
    uint32_t file;   /* index in tml_model.files */
    uint32_t line;   /* from 1 */
    uint32_t column; /* from 1 */
    int64_t index;   /* TML_E_INDEX: the index; TML_E_ASSERT: which of tml_model.texts */
    uint64_t length; /* TML_E_INDEX: of the dimension */
    uint64_t step;   /* of step_n: how many steps it finished before the one that trapped */
} tml_fault;

typedef enum tml_root { TML_BOOL, TML_UINT, TML_INT, TML_REAL } tml_root;

/* A type: `depth` levels of dims, outermost first; depth 0 is a scalar. Elements in memory are
   row-major over all dims: bool is one byte 0 or 1, uint and int 4 bytes, real 8 (or 4). */
typedef struct tml_type {
    uint8_t root;       /* tml_root */
    uint8_t real_bytes; /* 8, or 4 when reals are single */
    uint16_t depth;
    uint16_t flat_rank;          /* dims of all levels together */
    const uint16_t *level_ranks; /* `depth` of them */
    const uint32_t *dims;        /* `flat_rank` of them, outermost first */
} tml_type;

typedef enum tml_role {
    TML_INPUT,    /* input terminal, in the inputs */
    TML_OUTPUT,   /* output terminal, in the outputs */
    TML_PARAM,    /* tunable property, in the parameters */
    TML_CONSTANT, /* property or namespace constant fixed by the compiler */
    TML_VARIABLE, /* file-level variable, in the state */
    TML_DEBUG     /* debug signal, in the state; only where it was asked for */
} tml_role;

typedef struct tml_variable {
    const char *name;     /* as the source has it, without namespace */
    const char *space;    /* "t", "p", "n", or "" for variables */
    uint8_t role;         /* tml_role */
    uint8_t feedthrough;  /* terminals: 1 when it has direct feedthrough */
    uint8_t optional;     /* terminals: 1 when declared optional; those left out are not listed */
    const tml_type *type; /* NULL: a text */
    size_t offset;        /* bytes into the struct of its role */
    const void *value;    /* TML_CONSTANT and TML_PARAM: the (default) value; TML_INPUT: the
                             default, or NULL; TML_DEBUG: its text, or NULL; else NULL */
} tml_variable;

/* Where a variable of input or output hardware lies: element i at address + 4 i, or + 8 i for reals
   of 8 bytes. */
typedef struct tml_io {
    uint32_t variable; /* index in tml_model.variables; UINT32_MAX: in none, accessed in place */
    uint32_t dma;      /* 1: its accesses are those of a block */
    uint64_t address;
    const char *range; /* "hil", "ao", "abs", "shared", "ext", "sink", or NULL */
    const char *name;  /* as the source has it */
} tml_io;

/* A line of the source. */
typedef struct tml_line {
    uint32_t file; /* index in tml_model.files */
    uint32_t line; /* from 1 */
    const char *text;
} tml_line;

/* Derivatives of a step (--linearize). Its variables are those with real elements: states, which a
   step changes, then inputs, tunable properties, and outputs. Their offsets are those in the
   structs of their roles; states that are outputs, too, lie in the state like the others. */
typedef struct tml_linear {
    uint32_t state_count, input_count, param_count, output_count;
    const tml_variable *variables;
    uint32_t rows, columns; /* elements of states and outputs; of states, inputs and properties */
    /* Stores, row by row, how states after a step and its outputs change with the columns; the step
       itself is not done. A trap is that of the step. */
    tml_status (*step)(void *state, const void *params, const void *inputs, void *matrix);
    /* The same of the states before the first step, by the properties: a row for each element.
       NULL: there are no states or no properties. */
    tml_status (*start)(void *state, const void *params, void *matrix);
    uint32_t fixed_count; /* states that a step changes and that have no derivative */
    const char *const *fixed;
} tml_linear;

typedef enum tml_kind {
    TML_COMPONENT, /* steps of inputs and outputs, which a host calls */
    TML_PROGRAM    /* of an executable: one step, whose terminals are ports that it reads and writes
                      itself; it has no structs, and of the functions `step` alone */
} tml_kind;

/* The functions take the structs of the model's own header; `inputs` and `outputs` of step_n are
   arrays of n. Functions that the source does not have are there all the same and do nothing. */
typedef struct tml_model {
    uint32_t version; /* TML_MODEL_VERSION */
    uint32_t kind;    /* tml_kind */
    const char *name; /* of --prefix, or the source file without folders and suffix */
    uint64_t layout;  /* a hash of names, types and offsets in its structs; its upper half of those
                         of  variables, without the state's scratch memory */
    size_t params_bytes, inputs_bytes, outputs_bytes, state_bytes;
    size_t fault_offset; /* of the tml_fault in the state */
    uint32_t variable_count;
    const tml_variable *variables; /* in the order of the source */
    const void *defaults;          /* the parameters as the source gives them */
    const void *inputs_defaults;   /* inputs, 0 where the source gives none; NULL: it gives none */
    tml_status (*init)(void *state, const void *params);
    tml_status (*output)(void *state, const void *params, const void *inputs, void *outputs);
    tml_status (*update)(void *state, const void *params, const void *inputs, void *outputs);
    tml_status (*step)(void *state, const void *params, const void *inputs, void *outputs);
    tml_status (*step_n)(void *state, const void *params, size_t n, const void *inputs,
                         void *outputs);
    uint32_t file_count;
    const char *const *files;
    uint32_t text_count; /* of assertions */
    const char *const *texts;
    uint32_t line_count;   /* those that may trap, in executables; none in objects for hosts */
    const tml_line *lines; /* by file and line */
    uint32_t io_count;
    const tml_io *ios; /* variables of hardware */
    uint64_t code;     /* a hash of all that it was made from, as in its names for linkers */
    /* Runs side by side (--batch): `lanes` instances at once, or 0 and no functions. Structs have
       the same members, each scalar as many times as there are lanes, one beside the other, so that
       what is at byte b is at b * lanes; all structs begin at multiples of 64 bytes. A status is
       that of all runs, or TML_E_APART; after any but TML_OK their states mean nothing. */
    uint32_t lanes;
    tml_status (*init_batch)(void *states, const void *params);
    tml_status (*step_n_batch)(void *states, const void *params, size_t n, const void *inputs,
                               void *outputs);
    const tml_linear *linear; /* with --linearize; else NULL */
} tml_model;

enum { TML_MODEL_VERSION = 6 };

/* What a shared library of a component exports for hosts that know nothing of it: returns its
   models and stores how many there are. Objects and archives do not have it. */
typedef const tml_model *tml_models_function(size_t *count);

#endif
