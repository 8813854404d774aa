# How the front end becomes a module of WebAssembly, with clang-19 and Debian's C library for WASI. It is
# the language server of browsers; scripts/wasm builds it.
set(CMAKE_SYSTEM_NAME Generic) # CMake knows no WASI
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(WASI TRUE)
set(CMAKE_C_COMPILER clang-19)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
set(CMAKE_AR llvm-ar-19)
set(CMAKE_RANLIB llvm-ranlib-19)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_C_FLAGS_RELEASE "-Os -DNDEBUG" CACHE STRING "browsers fetch it")
# Headers of signals have types that others need.
add_compile_definitions(_WASI_EMULATED_SIGNAL)
# A stack that is full must not run into the data.
add_link_options(-fuse-ld=/usr/bin/wasm-ld-19 LINKER:--stack-first,-z,stack-size=1048576 LINKER:--strip-all)
