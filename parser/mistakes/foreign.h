// The words of other languages that messages know, for the parser and for the checker.
#ifndef TMLC_PARSER_MISTAKES_FOREIGN_H
#define TMLC_PARSER_MISTAKES_FOREIGN_H

#include "support/intern.h"

// Where a word stands, and what TML has instead.
typedef enum ForeignRole {
    FOREIGN_TYPE = 1,      // a type
    FOREIGN_NAME = 2,      // a name that TML spells otherwise
    FOREIGN_SENTENCE = 4,  // a name; `tml` is a sentence for a note
    FOREIGN_WORD = 8,      // begins a statement
    FOREIGN_HEADER = 16,   // begins one that has an `end` of its own
    FOREIGN_DECLARES = 32, // begins a declaration; `tml` is NULL
} ForeignRole;

typedef struct ForeignWord {
    unsigned roles;
    const char *tml;
} ForeignWord;

// NULL when no word has one of the roles.
const ForeignWord *foreign_find(Slice word, unsigned roles);

#endif
