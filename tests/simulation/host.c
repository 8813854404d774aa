// Runs one of the models as its executable would: host MODEL ARGUMENTS...
#include "runtime/abi/abi.h"
#include "tests/simulation/models.h"

int main(int argc, char **argv) {
    const tml_model *model = argc > 1 ? test_model(argv[1]) : NULL;
    return model ? tml_main(model, argc - 1, argv + 1) : 99;
}
