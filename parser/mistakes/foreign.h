// The words of other languages that messages know, for the parser and for the checker.
#ifndef TMLC_PARSER_MISTAKES_FOREIGN_H
#define TMLC_PARSER_MISTAKES_FOREIGN_H

#include "support/intern.h"

// Where a word stands, and what TML has instead.
typedef enum ForeignRole {
    FOREIGN_TYPE = 1,       // a type
    FOREIGN_NAME = 2,       // a name that TML spells otherwise: it means the same
    FOREIGN_SENTENCE = 4,   // a name or function; `tml` is a sentence for a note
    FOREIGN_WORD = 8,       // begins a statement, in place of a word of TML
    FOREIGN_HEADER = 16,    // begins one that has an `end` of its own; `tml` is a sentence
    FOREIGN_DECLARES = 32,  // begins a declaration; `tml` is NULL
    FOREIGN_STATEMENT = 64, // begins a statement; `tml` is a sentence
    FOREIGN_BLOCK = 128,    // begins a block that makes no sense; `tml` is a sentence
    FOREIGN_OPERATOR = 256, // stands between operands, or begins the second line of a header
    FOREIGN_PREFIX = 512,   // stands before an operand; `tml` is a sentence
    FOREIGN_MODULE = 1024,  // what functions are members of elsewhere; `tml` is NULL
    FOREIGN_WIDTH = 2048,   // of a type: its width is not that of the one in TML
} ForeignRole;

typedef struct ForeignWord {
    unsigned roles;
    const char *tml;
} ForeignWord;

// NULL when no word has one of the roles. Words of TML and types are known in any case of letters.
const ForeignWord *foreign_find(Slice word, unsigned roles);

// What is said of a type of TML that has another width, to follow it; else empty.
const char *foreign_width(const ForeignWord *foreign);

// The rows one after the other, for tests: words with a blank between two; NULL at the end.
const char *foreign_row(size_t index, ForeignWord *meant);

#endif
