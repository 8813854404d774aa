# Jansson and utf8proc for WebAssembly, which Debian has as sources only: TMLC_SOURCES is the folder with
# both, as scripts/wasm unpacks them.
set(TMLC_SOURCES "" CACHE PATH "the folder of the sources of Jansson and utf8proc")
file(GLOB jansson ${TMLC_SOURCES}/jansson-*)
file(GLOB utf8proc ${TMLC_SOURCES}/utf8proc-*)
if(NOT jansson OR NOT utf8proc)
  message(FATAL_ERROR "no sources of Jansson and utf8proc in `${TMLC_SOURCES}`")
endif()

# Under the names that pkg-config gives them, as Debian configures them.
set(json_inline inline)
set(json_have_long_long 1)
set(json_have_localeconv 1)
set(json_have_atomic_builtins 1)
set(json_have_sync_builtins 1)
configure_file(${jansson}/src/jansson_config.h.in ${CMAKE_BINARY_DIR}/jansson/jansson_config.h @ONLY)
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/jansson/jansson_private_config.h
     CONTENT "#define INITIAL_HASHTABLE_ORDER 3\n")
file(GLOB sources ${jansson}/src/*.c)
add_library(jansson STATIC ${sources})
target_include_directories(jansson SYSTEM PUBLIC ${jansson}/src ${CMAKE_BINARY_DIR}/jansson)
target_compile_definitions(jansson PRIVATE HAVE_STDINT_H HAVE_UNISTD_H)
add_library(PkgConfig::JANSSON ALIAS jansson)

add_library(utf8proc STATIC ${utf8proc}/utf8proc.c)
target_include_directories(utf8proc SYSTEM PUBLIC ${utf8proc})
target_compile_definitions(utf8proc PUBLIC UTF8PROC_STATIC)
add_library(PkgConfig::UTF8PROC ALIAS utf8proc)
target_compile_options(jansson PRIVATE -w)
target_compile_options(utf8proc PRIVATE -w)
