# loadline_module(NAME LINK lib...) - the library of one folder: every *.cc that is no test, and a
# test program NAME_test of the *_test.cc beside them. Micro-benchmarks are *_bench.cc: NAME_bench.
function(loadline_module name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS *.cc)
  set(tests ${sources})
  set(benches ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(FILTER benches INCLUDE REGEX "_bench\\.cc$")
  list(FILTER sources EXCLUDE REGEX "_(test|bench)\\.cc$")
  if(sources)
    add_library(${name} STATIC ${sources})
    target_link_libraries(${name} PUBLIC loadline_settings ${ARG_LINK})
  else()
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE loadline_settings ${ARG_LINK})
  endif()
  if(tests AND LOADLINE_TESTS)
    loadline_test(${name}_test SOURCES ${tests} LINK ${name})
  endif()
  if(benches AND LOADLINE_TESTS AND NOT LOADLINE_SANITIZE)
    add_executable(${name}_bench ${benches})
    target_link_libraries(${name}_bench PRIVATE ${name} benchmark::benchmark_main)
    add_test(NAME ${name}_bench COMMAND ${name}_bench --benchmark_min_time=0.001
      WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  endif()
endfunction()

# loadline_test(NAME SOURCES file... LINK lib...) - one GoogleTest program, run by ctest as a whole
# from the source folder: LOADLINE_TESTDATA (the testdata/ folder beside the sources) and
# LOADLINE_SOURCE_DIR are relative to it, so that compiler caches hit in every clone.
function(loadline_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} GTest::gmock GTest::gtest_main)
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  target_compile_definitions(${name} PRIVATE
    LOADLINE_TESTDATA="${folder}/testdata" LOADLINE_SOURCE_DIR=".")
  add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES TIMEOUT 300)
endfunction()

# loadline_add_each(KIND) - adds every folder of targets/ or dialects/ and writes the table of what
# they declared, so that a new one is one new folder and no edit elsewhere.
function(loadline_add_each kind)
  file(GLOB folders CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${kind}/*/CMakeLists.txt)
  foreach(file ${folders})
    get_filename_component(folder ${file} DIRECTORY)
    add_subdirectory(${folder})
  endforeach()
  get_property(entries GLOBAL PROPERTY LOADLINE_${kind}_ENTRIES)
  get_property(libraries GLOBAL PROPERTY LOADLINE_${kind}_LIBRARIES)
  if(kind STREQUAL targets)
    set(type "loadline::target::TargetType")
    set(header "target/target.h")
  else()
    set(type "loadline::report::Dialect")
    set(header "report/dialect.h")
  endif()
  set(declarations "")
  set(calls "")
  foreach(entry ${entries})
    string(APPEND declarations "${type} ${entry}();\n")
    string(APPEND calls "      ${entry}(),\n")
  endforeach()
  configure_file(${PROJECT_SOURCE_DIR}/cmake/table.cc.in
    ${PROJECT_BINARY_DIR}/generated/${kind}_table.cc @ONLY)
  add_library(${kind}_table STATIC ${PROJECT_BINARY_DIR}/generated/${kind}_table.cc)
  target_link_libraries(${kind}_table PUBLIC ${libraries} loadline_settings)
endfunction()

# loadline_target(FOLDER TYPES name... LINK lib...), loadline_dialect(NAME LINK lib...): one folder.
# For each type the folder defines `TargetType loadline::targets::NAME_target()`, and a dialect
# defines `Dialect loadline::dialects::NAME_dialect()`.
function(loadline_target folder)
  cmake_parse_arguments(ARG "" "" "TYPES;LINK" ${ARGN})
  loadline_module(target_${folder} LINK ${ARG_LINK})
  foreach(type ${ARG_TYPES})
    set_property(GLOBAL APPEND PROPERTY LOADLINE_targets_ENTRIES ${type}_target)
  endforeach()
  set_property(GLOBAL APPEND PROPERTY LOADLINE_targets_LIBRARIES target_${folder})
endfunction()

function(loadline_dialect name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  loadline_module(dialect_${name} LINK ${ARG_LINK})
  set_property(GLOBAL APPEND PROPERTY LOADLINE_dialects_ENTRIES ${name}_dialect)
  set_property(GLOBAL APPEND PROPERTY LOADLINE_dialects_LIBRARIES dialect_${name})
endfunction()
