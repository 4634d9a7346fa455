# header_check: compiles every header alone. A header with a source of the same name is compiled
# alone there already (tools/check_style wants it included first), so only the others get a source
# of their own here. Part of `all`: a header that leans on its includers breaks the build. Once is
# enough: sanitizer builds go without.
file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
  ${PROJECT_SOURCE_DIR}/src/*.h ${PROJECT_SOURCE_DIR}/targets/*.h
  ${PROJECT_SOURCE_DIR}/dialects/*.h ${PROJECT_SOURCE_DIR}/compat/*.h)
set(lone_sources "")
foreach(header ${headers})
  string(REGEX REPLACE "\\.h$" ".cc" source ${header})
  if(NOT EXISTS ${PROJECT_SOURCE_DIR}/${source})
    set(lone ${PROJECT_BINARY_DIR}/generated/headers/${source})
    file(CONFIGURE OUTPUT ${lone} CONTENT "#include \"${header}\"\n" @ONLY)
    list(APPEND lone_sources ${lone})
  endif()
endforeach()
if(lone_sources AND NOT LOADLINE_SANITIZE)
  add_library(header_check OBJECT ${lone_sources})
  target_link_libraries(header_check PRIVATE loadline_settings fmt::fmt spdlog::spdlog GTest::gtest
    nlohmann_json::nlohmann_json)
endif()
