# find_package(tmlc): the compiler as tmlc::tmlc, and
#
#   tmlc_add_model(TARGET model.tml [PREFIX name] [OPTIONS option...])
#
# which makes a library target of a component or a library: its object, the folder of its header, and
# libm, where there is one. Header and names in C are called after the file, or PREFIX. The options are
# those of the command tmlc. It is made again when the file, what it imports or the compiler changes.

get_filename_component(_tmlc_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(TMLC_EXECUTABLE "${_tmlc_prefix}/bin/tmlc")
if(NOT EXISTS "${TMLC_EXECUTABLE}")
  set(tmlc_FOUND FALSE)
  set(tmlc_NOT_FOUND_MESSAGE "there is no ${TMLC_EXECUTABLE}")
  return()
endif()
if(NOT TARGET tmlc::tmlc)
  add_executable(tmlc::tmlc IMPORTED GLOBAL)
  set_target_properties(tmlc::tmlc PROPERTIES IMPORTED_LOCATION "${TMLC_EXECUTABLE}")
endif()

# The machine that the project is for, as an option, unless the caller has said it.
function(_tmlc_target_option options result)
  set(${result} "" PARENT_SCOPE)
  if(options MATCHES "--target")
    return()
  endif()
  foreach(language C CXX)
    if(CMAKE_${language}_COMPILER_TARGET)
      set(${result} "--target=${CMAKE_${language}_COMPILER_TARGET}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  if(CMAKE_CROSSCOMPILING)
    message(FATAL_ERROR "tmlc_add_model: a project for another machine names it in OPTIONS "
                        "--target=TRIPLE or CMAKE_C_COMPILER_TARGET")
  endif()
endfunction()

# Whether linking libm makes sense: on systems that have one, and without a system where the C compiler
# knows of one for the machine.
function(_tmlc_has_libm result)
  set(${result} TRUE PARENT_SCOPE)
  if(UNIX OR MINGW)
    return()
  endif()
  foreach(language C CXX)
    if(CMAKE_${language}_COMPILER_ID MATCHES "GNU|Clang" AND NOT MSVC)
      separate_arguments(flags UNIX_COMMAND "${CMAKE_${language}_FLAGS}")
      if(CMAKE_${language}_COMPILER_TARGET)
        list(APPEND flags "--target=${CMAKE_${language}_COMPILER_TARGET}")
      endif()
      if(CMAKE_SYSROOT)
        list(APPEND flags "--sysroot=${CMAKE_SYSROOT}")
      endif()
      execute_process(COMMAND "${CMAKE_${language}_COMPILER}" ${flags} -print-file-name=libm.a
                      OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
      if(IS_ABSOLUTE "${found}" AND EXISTS "${found}")
        return()
      endif()
    endif()
  endforeach()
  set(${result} FALSE PARENT_SCOPE)
endfunction()

# Two models whose headers have one name cannot be told apart by who sees both: CMake then stops, and
# says what this property is called.
function(_tmlc_own_header target header variant)
  set(property "TMLC_MODEL of ${header} (PREFIX gives one of the two another header and names)")
  set_property(TARGET ${target} PROPERTY "INTERFACE_${property}" "${variant}")
  set_property(TARGET ${target} APPEND PROPERTY COMPATIBLE_INTERFACE_STRING "${property}")
endfunction()

function(tmlc_add_model target source)
  cmake_parse_arguments(PARSE_ARGV 2 model "" "PREFIX" "OPTIONS")
  if(model_UNPARSED_ARGUMENTS OR model_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "tmlc_add_model(TARGET model.tml [PREFIX name] [OPTIONS option...])")
  endif()
  _tmlc_target_option("${model_OPTIONS}" machine)
  get_filename_component(path "${source}" ABSOLUTE)
  get_filename_component(name "${source}" NAME_WLE)
  if(model_PREFIX)
    set(name "${model_PREFIX}")
    list(APPEND model_OPTIONS "--prefix=${model_PREFIX}")
  endif()
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${target}.tml")
  file(MAKE_DIRECTORY "${folder}")
  set(object "${folder}/${name}.o")
  set(header "${folder}/${name}.h")
  add_custom_command(
    OUTPUT "${object}" "${header}"
    COMMAND "${TMLC_EXECUTABLE}" -c "${path}" -o "${object}" -MF "${object}.d" ${machine}
            "$<$<CONFIG:Debug,RelWithDebInfo>:-g>" ${model_OPTIONS}
    DEPENDS "${path}" "${TMLC_EXECUTABLE}"
    DEPFILE "${object}.d"
    COMMENT "Compiling ${source}"
    COMMAND_EXPAND_LISTS
    VERBATIM)
  add_library(${target} STATIC "${object}" "${header}")
  set_source_files_properties("${object}" PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if("C" IN_LIST languages)
    set_target_properties(${target} PROPERTIES LINKER_LANGUAGE C)
  else()
    set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
  endif()
  target_include_directories(${target} INTERFACE "$<BUILD_INTERFACE:${folder}>")
  _tmlc_own_header(${target} "${name}.h" "${path} ${machine} ${model_OPTIONS}")
  _tmlc_has_libm(has_libm)
  if(has_libm)
    target_link_libraries(${target} PUBLIC m)
  endif()
endfunction()
