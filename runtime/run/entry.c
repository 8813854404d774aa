// The main of a produced executable.
#include "runtime/abi/abi.h"

// In the program's own object.
extern const tml_program tml_program_descriptor;

int main(int argc, char **argv) {
    return tml_program_main(&tml_program_descriptor, argc, argv);
}
