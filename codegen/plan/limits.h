// All limits by which plans choose, on one page, each with what set it.
#ifndef TMLC_CODEGEN_PLAN_LIMITS_H
#define TMLC_CODEGEN_PLAN_LIMITS_H

// Vectors. One of 64 bytes is as long as the longest registers are: there vectors of 32 bytes take
// 1.4 times as long for a sum of two arrays in the first cache. LLVM splits them for registers of
// 32 bytes, with which both take the same time.
enum {
    LANES_BYTES = 64,      // of one full vector
    LANES_FULL_LIMIT = 16, // in a full vector, also of bytes
    LANES_SCALAR = 4,      // sums side by side where there are no vectors
    // Full vectors at once where elements are sums, in 8 registers: 64 columns of 64 rows take 0.8
    // of the time with 8 of 64 bytes instead of 4.
    LANES_SUMS = 4,
    LANES_SUMS_LONGEST = 8, // with registers of 64 bytes
    // The share of the registers that they take: 63 columns of 33 reals take half of the time with
    // 12 of 16 instead of 8 and 4. The least and greatest take two terms at a time beside.
    SUMS_SHARE = 3,
    EXTENT_SHARE = 1,
    SUMS_WHOLE = 4,
    // Of an array whose rows are one vector each: 16 registers of 64 bytes. What is written at once
    // may take this share of the registers, beside its operands: a sum of 6x6 products by registers
    // of 32 bytes, of which there are 16, takes 1.4 times as long when 12 of them hold it.
    SHORT_ROWS_BYTES = 1024,
    SHORT_ROWS_SHARE = 2,
    FIRST_VALUE_NUMEL = 8, // elements of a first value that are stored one by one
    ELEMENTS_NUMEL = 9,    // of an array that is held in scalars
    LANES_LIMIT = 64,      // in any vector
};

// Registers for which loops ask whether they may gather without checks (tir/passes/guard.c): with
// 32 bytes 0.5 to 0.85 of the time, with 16, which bring two reals together, 1.1 to 1.6.
enum { GATHER_BYTES = 32 };

// Short rows in pieces, by registers of 32 bytes: two reals and one take 0.75 to 0.95 of the time
// of three, as do four and the rest of five to seven. Where more rows than these are held in
// registers, in two instead of one, they take up to 1.2 times as long.
enum {
    PARTED_BYTES = 32,
    PARTED_ROWS_MOST = 8,
};

// What is read of every second to fourth element, forwards or backwards: as many loads of vectors,
// which are shuffled. Every second element of rows of 128, which LLVM gets by as many loads and the
// last 16 of a row one by one, takes 0.7 of the time. Four are read one by one in 0.85 of it.
enum {
    NEAR_LIMIT = 4,
    NEAR_ELEMENT_BYTES = 4,
    NEAR_LANES_FROM = 4,
};

// Of a concatenation, from which its parts are walked together: the first cache.
enum { PARTS_BYTES_FROM = 32 * 1024 };

// A matrix that is taken both ways: from the first cache on, and vectors of sums at once. One of
// 512 KB in the second cache takes 0.8 of the time, with 8 vectors the same.
enum { BOTH_WAYS_BYTES_FROM = 32 * 1024, BOTH_WAYS_VECTORS = 4 };

// Straight code instead of loops. With 8, 16 and 32 elements the sums of arrays of 64 to 240 reals
// take the same time, so this is about what LLVM has to work on: more of it takes longer to
// compile.
enum {
    UNROLL_LIMIT = 16,       // elements
    UNROLL_COST_LIMIT = 256, // scalar operations in one piece of straight code
    UNROLL_DOT_LIMIT = 64,   // the same of a dot inside of an element
    KEPT_LIMIT = 64,         // elements of an array that steps may keep in registers
    // The same where code is to be small and there are no vectors, by what the examples take on a
    // Cortex-M4: all of it 22.4 KB, with 4 elements of any cost 25.6.
    UNROLL_SMALL_LIMIT = 8,
    UNROLL_SMALL_COST_LIMIT = 24,
    UNROLL_SMALL_DOT_LIMIT = 16,
};

// Cost in scalar operations.
enum {
    COST_LIMIT = 1 << 30, // where costs stop growing
    COST_MATH_CALL = 16,  // exp, log, sin and erf of libm take 10 to 32 cycles
};

// Sums. They decide bits: L5.6. Of 1000 terms 2 accumulators take 1.3 times as long as 4; 8 take
// 0.85 of the time with registers of 64 bytes, nothing less with 32. In order 16 and 24 terms take
// twice as long.
enum {
    TERMS_ACCUMULATORS = 4,
    TERMS_BLOCK_ROUNDS = 32, // 8 KB of an operand, where accumulators take turns
    DOT_ROUNDS_LEAST = 2,    // of a product, which gain by multiply-adds
    TERMS_ROW_VECTORS = 2,   // in a row of terms, below which all are read one by one
    TERMS_VECTORS_FROM = 2,  // full vectors of terms, below which they are added in order
    ROW_LANES_LEAST = 4,     // of vectors that do not cross the ends of rows
    ROWS_TERMS_FROM = 4, // of many rows times a vector: shorter ones LLVM reads in half the time
};

// The best of many and where it is, which are not sums. Fewer registers than these have half of the
// accumulators, which take twice as many vectors in a round: of 32768 reals in registers of 32
// bytes, greatest and least at once take 0.6 of the time.
enum {
    BEST_REGISTERS = 32,
    BEST_COST_LIMIT = 64, // scalar operations in a round
    PLACE_DEPTH = 4,      // vectors of each accumulator in a round, where places are wanted
};

// What goes from round to round takes at most this share of the registers: two products of 4096
// reals by 16 registers of 32 bytes, half of the accumulators at a time, take 0.7 of the time of
// two loops.
enum {
    TERMS_SHARE = 3,
    TERMS_WHOLE = 4,
    EXTENT_BESIDE = 2, // of least and greatest: nans and signs of zeros
};

// Stores past the caches. On a machine with 2 MiB for each core, a fill of 4 MiB writes 23 GB/s
// past the caches and 12 GB/s through them, 29 GB/s where the lines were in the shared cache
// already; a sum of two arrays 9.8, 6.9 and 9.8. At 1 MiB and a line that is in the cache, past
// them is 2.5 times slower. Both ends of a row are stored as usual: with rows of 512 bytes at any
// place 0.85 of the time is left, of 384 bytes 0.8 to 1.1, and 0.4 where they are whole lines; of
// 256 bytes nothing is gained, and up to twice the time is lost.
enum {
    STREAM_BYTES_FROM = 4 << 20, // of a result
    STREAM_ROW_BYTES = 384,
    STREAM_PIECE_BYTES = 32, // of a store: half a cache line
};

// Rows that are shorter than this many vectors, and no multiple of one, are stored in vectors that
// run over their ends. In the first cache rows of 3, 6, 7, 12 and 15 reals take 0.3, 0.55, 0.45,
// 0.65 and 0.5 of the time of pieces of 8, 4, 2 and 1, with vectors of 32 bytes 0.4, 0.7, 0.6, 0.9
// and 0.6.
enum {
    WRAP_VECTORS_BELOW = 2,
    WRAP_ALL_VECTORS_BELOW = 9, // the same of several dims, of which the last is shorter than one
    WRAP_COST_LIMIT = 64, // scalar operations of an element times vectors, which are straight code
};

// Rows at once where they share what they read: a filter of 3 by 3 takes 0.8 of the time with four
// of them. Where less is computed of it, or where the rows lie some pages apart, so that what is
// read waits for stores of the same place in a page, it takes 1.4 times as long.
enum {
    ROWS_AT_ONCE = 4,
    ROWS_SHARED_SHARE = 4, // of what they read, from which it gains
    ROWS_COST_FROM = 16,   // scalar operations of an element
    ROWS_BYTES = 8192,     // of all of them
};

// Full pieces of a row at once, in 4 registers: with registers of 64 bytes a polynomial of degree 7
// takes 0.85 of the time, shifts of what lies in the second cache 0.8, a choice between differences
// of what lies there 0.7.
enum {
    PIECES_BYTES = 256,      // of 4 pieces, by registers of 64 bytes; shorter ones take fewer
    PIECES_ROUNDS_FROM = 2,  // of a row
    PIECES_COST_LIMIT = 384, // scalar operations, also those that are the same as others
    GROUP_LIMIT = 4,         // rows or pieces at once
};

// Products whose sums are few: a multiply-add takes 4 cycles and two begin in each. Below half of
// the 8 that hide it, two chains of terms for each sum are worth one addition more. They decide
// bits: L5.6.
enum {
    CHAINS_SUMS_BELOW = 4,  // vectors of sums
    CHAINS_TERMS_FROM = 4,  // 2 + 1 additions behind each other instead of 4
    CHAINS_TERMS_MOST = 256 // one block of a panel
};

// Running sums of several rows: 8 by 8 reals, or 8 by 8 of half of the bytes, as 16 by 16 of these
// need all registers.
enum { RUNNING_ROWS = 8 };

// Windows that move: a step takes 0.6 of the time of three statements with 32 rows of 16 reals, 0.7
// with rows of 128. Where sums have two chains, one vector at a time takes 0.8 of the time of two;
// of longer rows four take 0.6 of the time of one.
enum {
    WINDOW_PIECES = 4, // vectors of a row at once
    WINDOW_ROWS_FROM = 8,
    WINDOW_FACTOR_COST = 4, // scalar operations
};

// Squares that are turned in registers.
enum {
    TILE_LIMIT = 16, // rows and lanes
    // Elements: 16 by 16 take a quarter of the time with registers of 64 bytes, 12 by 12 the same.
    // Fewer are turned where squares leave no rest: 8 by 8 and 4 by 4 take 0.7 of the time.
    TILE_NUMEL_FROM = 256,
    TILE_LEAST = 4,
    // With a rest, which is one more square that overlaps where it is at least this share of one.
    TILE_NUMEL_LEAST = 40,
    TILE_REST_SHARE = 4,
    // Past the caches: four lines of a row of the result, and as many rows as make 64 KB; in
    // gigabytes per second of 2048 by 2048 reals 26, of the same without blocks 20, through the
    // caches 4 to 10.
    TILE_BLOCK_ROW_BYTES = 256,
    TILE_BLOCK_BYTES = 64 * 1024,
};

// Registers for a table of which lanes pick elements: linear interpolation in one of 16 reals takes
// 0.39 of the time that gathers take, of 32 0.54, of 64 0.72 (floats 0.22, 0.22, 0.31), on a Zen 5.
enum { TABLE_REGISTERS = 8 };

// Products of matrices: 3 registers of columns times as many rows as fit are 24 sums of 32
// registers, 94 % of the peak of a machine with vectors of 64 bytes.
enum {
    PRODUCT_PIECES = 3,           // full vectors side by side
    PRODUCT_STRAIGHT_LIMIT = 128, // multiply-adds in straight code
    PRODUCT_BLOCK_TERMS = 256,    // depth of a panel: 48 KB with 24 columns, the first cache
    PRODUCT_BLOCK_ROWS = 128,
    PRODUCT_PACKED_TERMS = 4,     // of rows that share vectors, each of which takes an exchange
    PRODUCT_SINGLE_ROWS_FROM = 2, // rows that share what is copied element by element
    PRODUCT_PANEL_ROWS_FROM = 32, // rows from which copying a panel is worth it
    PRODUCT_PANEL_BYTES_FROM = 32 * 1024, // of the right operand, below which it is in the cache
};

// Threads, in about cycles of one of them: elements times operations, of which lanes do this many
// at once.
enum {
    SPLIT_LANES = 8,
    SPLIT_WORK_FROM = 300 * 1000, // 60 us; to wake a thread and to wait for it takes some 20
    SPLIT_PARTS = 10,             // that it has at most, of the least work
    SPLIT_TURNS_ENOUGH = 32,
    SPLIT_STREAM_PIECES = 64,
    SPLIT_LOOP_TURNS = 8,        // of a loop of statements; with fewer, threads share these instead
    SPLIT_OWN_BYTES = 128 << 10, // of variables of a turn, which are on the stack of its thread
    SPLIT_TURNS_GUESSED = 16,    // of a loop that is left when something holds
    SPLIT_COLUMNS_ENOUGH = 8,    // tiles of a product side by side
};

#endif
