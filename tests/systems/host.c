// Simulates a component in a shared library as `random_programs` does: its steps one by one,
// several at once and in halves, in memory that moves, beside a second instance. Usage:
// systems_host LIBRARY ARGUMENTS; they are those of a simulation.
#include "tests/random/host.h"

#include "runtime/abi/abi.h"

#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv) {
    void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
    void *symbol = library == NULL ? NULL : dlsym(library, "tml_models");
    if (symbol == NULL) {
        fprintf(stderr, "systems_host: %s\n", argc > 1 ? dlerror() : "no library");
        return 2;
    }
    size_t count = 0;
    const tml_model *const model = ((tml_models_function *)symbol)(&count);
    host_be_unkind(true);
    return tml_main(model, argc - 1, argv + 1);
}
