# LLVM 19, linked statically with the targets that tmlc supports
# (docs/decisions/static-llvm.md has the measurements).

# What is loaded at each start is time that every run pays for: libraries are linked from their
# archives where there are any.
function(tmlc_prefer_archive target property)
  foreach(name ${ARGN})
    find_library(TMLC_ARCHIVE_${name} lib${name}.a)
    if(NOT TMLC_ARCHIVE_${name})
      return()
    endif()
    list(APPEND archives ${TMLC_ARCHIVE_${name}})
  endforeach()
  set_target_properties(${target} PROPERTIES ${property} "${archives}")
endfunction()

find_package(LLVM 19.1 REQUIRED CONFIG PATHS /usr/lib/llvm-19)
if(TARGET ZLIB::ZLIB)
  tmlc_prefer_archive(ZLIB::ZLIB IMPORTED_LOCATION_RELEASE z)
endif()
if(TARGET zstd::libzstd_shared)
  tmlc_prefer_archive(zstd::libzstd_shared IMPORTED_LOCATION zstd)
endif()
set(TMLC_LLVM_TARGETS X86 AArch64 ARM RISCV WebAssembly)

set(components core analysis passes orcjit debuginfodwarf target native)
foreach(target ${TMLC_LLVM_TARGETS})
  string(TOLOWER ${target} lower)
  list(APPEND components ${lower}codegen ${lower}asmparser ${lower}desc ${lower}info)
endforeach()
llvm_map_components_to_libnames(libraries ${components})

add_library(tmlc_llvm INTERFACE)
target_include_directories(tmlc_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
target_link_libraries(tmlc_llvm INTERFACE ${libraries} m)
# bfd needs ten times as long for these archives; gcc finds lld in LLVM's own folder. Tests keep all
# sections: Criterion finds its tests in one that nothing refers to. Linking with -O0 leaves texts in their
# order; merged ones are sorted by hashes, which puts ours on all pages among LLVM's.
target_link_options(tmlc_llvm INTERFACE -fuse-ld=lld -B${LLVM_TOOLS_BINARY_DIR} -no-pie
                    $<$<NOT:$<BOOL:$<TARGET_PROPERTY:KEEP_SECTIONS>>>:-Wl,--gc-sections>
                    -static-libstdc++ -static-libgcc -Wl,--as-needed -Wl,-O0
                    -Wl,-T,${CMAKE_CURRENT_LIST_DIR}/llvm_constructors.ld)
