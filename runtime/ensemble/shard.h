// Which part of the runs this process makes.
#ifndef TML_RUNTIME_ENSEMBLE_SHARD_H
#define TML_RUNTIME_ENSEMBLE_SHARD_H

#include "runtime/run/options.h"

// Reads I/N, with I from 1 to N. False after saying what is wrong.
bool tml_shard_read(Options *options, const char *text);
// Without --shard: takes what the environment says of an array job of Slurm or a process of MPI;
// all runs if it says nothing. More shards than one need a store. False after saying what is wrong.
bool tml_shard_settle(Options *options);

#endif
