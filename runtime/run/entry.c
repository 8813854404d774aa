// The main of a produced executable.
#include "runtime/abi/abi.h"

// In the program's own object; a component's has another name there.
extern const tml_model tml_model_descriptor;

int main(int argc, char **argv) {
    return tml_main(&tml_model_descriptor, argc, argv);
}
