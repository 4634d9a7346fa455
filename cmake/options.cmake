# Compiler settings for everything of ours, in one interface target.
set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

option(LOADLINE_TESTS "Build the tests and benchmarks" ON)
option(LOADLINE_FUZZ "Build the libFuzzer harnesses (clang only)" OFF)
set(LOADLINE_SANITIZE "" CACHE STRING "Comma list for -fsanitize=, e.g. address,undefined")

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()
find_program(MOLD_PROGRAM mold)
if(MOLD_PROGRAM)
  add_link_options(-fuse-ld=mold)
endif()

add_library(loadline_settings INTERFACE)
target_compile_options(loadline_settings INTERFACE
  -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -Wno-missing-field-initializers
  -Werror)
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  target_compile_options(loadline_settings INTERFACE -Wthread-safety)
else()
  # False alarms of g++ 12 in optimised library code.
  target_compile_options(loadline_settings INTERFACE -Wno-restrict -Wno-array-bounds
    -Wno-stringop-overflow -Wno-stringop-overread -Wno-maybe-uninitialized)
endif()
target_include_directories(loadline_settings INTERFACE
  ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR})
if(LOADLINE_SANITIZE)
  target_compile_options(loadline_settings INTERFACE -fsanitize=${LOADLINE_SANITIZE}
    -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(loadline_settings INTERFACE -fsanitize=${LOADLINE_SANITIZE})
endif()
if(LOADLINE_FUZZ AND NOT LOADLINE_TESTS)  # guided by all code; a smoke run needs no guide
  target_compile_options(loadline_settings INTERFACE -fsanitize=fuzzer-no-link)
endif()
