// What turns of a loop read that run side by side, and whether that pays.
#ifndef TMLC_TIR_LANES_READS_H
#define TMLC_TIR_LANES_READS_H

#include "tir/lanes_body.h"

// Operations for each element of a table, or of rows that lie apart, beyond which lanes gain. With
// as many, what is read at clamped indices and doubled, they take 1.1 of the time; with four, two
// ways between the rows of a table, 0.6.
enum { LANES_OPS_PER_READ = 3 };

// Elements of a table that vector registers may hold (codegen/emit/table.h).
enum { LANES_TABLE_NUMEL = 64 };

typedef struct LanesReads {
    const LanesBody *body;
    bool has_loops, has_branches; // inside
    uint64_t ops;
    // Of terms that are scalars: sums, and products of two vectors.
    uint64_t sums, products;
    bool has_long;     // one of them has more terms than pay in lanes
    uint64_t anywhere; // elements whose place is not known before the loop runs
    uint64_t tables;   // those of them that are of small arrays that the loop does not write
    uint64_t apart;    // those that lie apart from turn to turn
    uint64_t windows;  // those of them that lie in no row of the turn, [i, constants...]
} LanesReads;

// Of a block of the body.
LanesReads lanes_reads(const LanesBody *body, TirBlock *block);
// Whether so many reads that lanes make one by one are made up for by what is computed of them.
bool lanes_reads_pay(const LanesReads *reads, uint64_t count);
// Whether sums gain: those of windows that move along from turn to turn, and short ones of rows,
// which are turned as a whole.
bool lanes_sums_pay(const LanesReads *reads);
// Whether what is read and written pays in each loop and branch inside the block.
bool lanes_reads_pay_inside(Arena *arena, const LanesBody *body, TirBlock *block);

#endif
