# Warnings for our own sources, the names of files in them, sanitizers, coverage, and how a folder
# becomes a library.

set(TMLC_WARNINGS
  -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla -Werror)

# Every double operation rounds once, in the compiler's constant folding too.
add_compile_options($<$<COMPILE_LANGUAGE:C>:-ffp-contract=off>)

# What BUG says must not depend on where the sources lie: two builds are then equal to the byte.
# ccache gives the compiler relative paths.
file(RELATIVE_PATH to_sources ${CMAKE_BINARY_DIR} ${CMAKE_SOURCE_DIR})
foreach(prefix ${to_sources} ${CMAKE_SOURCE_DIR}/ ${CMAKE_BINARY_DIR}/)
  add_compile_options(-fmacro-prefix-map=${prefix}=)
endforeach()

if(TMLC_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()
if(TMLC_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

if(TMLC_COVERAGE)
  # Counters that can be in a file while the program runs: tests end processes in every way.
  add_compile_options(-fprofile-instr-generate -fcoverage-mapping
                      "SHELL:-mllvm -runtime-counter-relocation")
  add_link_options(-fprofile-instr-generate)
endif()

# tmlc_library(name folder-dependencies...): all C files of the current folder and those in it. Nothing
# unwinds the stack of a release: its tables, a fourteenth of tmlc-front, are left out; functions have
# sections of their own, so that programs leave out those that they do not call.
function(tmlc_library name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.c)
  add_library(${name} STATIC ${sources})
  target_compile_options(${name} PRIVATE ${TMLC_WARNINGS}
                         $<$<CONFIG:Release>:-fno-asynchronous-unwind-tables;-ffunction-sections>)
  target_link_libraries(${name} PUBLIC ${ARGN})
endfunction()
