// `tmlc test`: tests beside the source (L19).
#ifndef TMLC_DRIVER_TEST_TEST_H
#define TMLC_DRIVER_TEST_TEST_H

#include "driver/options.h"

// Runs the tests of the files and folders that the options name.
ExitStatus test_inputs(const Options *options, RenderOptions render);

#endif
