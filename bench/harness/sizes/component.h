/* What all components here share: how a call ended, and where an index was wrong. */
#ifndef COMPONENT_H
#define COMPONENT_H

#include <stddef.h>
#include <stdint.h>

typedef int32_t tml_status;
enum { TML_OK = 0, TML_E_ARG = 1, TML_E_INDEX = 1001 };

typedef struct tml_fault {
    int32_t code;
    uint32_t file;
    uint32_t line;
    uint32_t column;
    int64_t index;
    uint64_t length;
    uint64_t step;
} tml_fault;

#endif
