// The main of a component's simulation.
#include "runtime/abi/abi.h"

// In the component's own object, under another name there.
extern const tml_model tml_model_descriptor;

int main(int argc, char **argv) {
    return tml_model_main(&tml_model_descriptor, argc, argv);
}
