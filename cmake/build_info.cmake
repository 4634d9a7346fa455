# Run at each build, with -D SOURCE, OUTPUT, VERSION, BUILD_TYPE and SANITIZE.
# Writes what a binary says of itself; the file only changes when the answer does.
find_package(Git QUIET)
set(COMMIT "unknown")
if(GIT_FOUND)
  execute_process(
    COMMAND ${GIT_EXECUTABLE} -C ${SOURCE} describe --always --dirty --abbrev=10 --exclude=*
    OUTPUT_VARIABLE described OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET
    RESULT_VARIABLE failed)
  if(NOT failed AND NOT described STREQUAL "")
    set(COMMIT "${described}")
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "// Generated at each build. Do not edit.
#pragma once
#define LOADLINE_VERSION \"@VERSION@\"
#define LOADLINE_COMMIT \"@COMMIT@\"
#define LOADLINE_BUILD_TYPE \"@BUILD_TYPE@\"
#define LOADLINE_SANITIZE \"@SANITIZE@\"
" @ONLY)
