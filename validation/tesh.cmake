# Examples as SimGrid tests its own: examples/*.tesh say which command prints what, and tesh, which SimGrid brings along,
# runs and compares. Each is a test examples/<name>.tesh of ctest; by hand, from the root of the project:
#
#   tesh --setenv bindir=build/release examples/study.tesh
find_program(SGF_TESH tesh HINTS ${SimGrid_PATH}/bin /opt/simgrid/bin)
mark_as_advanced(SGF_TESH)
if(NOT SGF_TESH)
  message(STATUS "examples/*.tesh: there is no tesh, which comes with SimGrid: not tested")
  return()
endif()
if(SGF_SANITIZE)
  # What the address sanitizer says of SimGrid's stacks is in the output, and it cannot be preloaded.
  message(STATUS "examples/*.tesh: not under the sanitizers")
  return()
endif()

file(GLOB tesh_files CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} examples/*.tesh)
execute_process(COMMAND /usr/bin/python3 -c "import simgrid" RESULT_VARIABLE no_python OUTPUT_QUIET ERROR_QUIET)
if(NOT no_python EQUAL 0)
  message(STATUS "examples/mailbox_py.tesh: python3-simgrid is not installed: not tested")
  list(REMOVE_ITEM tesh_files examples/mailbox_py.tesh)
endif()
if(NOT TARGET example_s4u)
  message(STATUS "examples/s4u.tesh, examples/gather.tesh: there is no C++ compiler: not tested")
  list(REMOVE_ITEM tesh_files examples/s4u.tesh examples/gather.tesh)
endif()
if(NOT SGF_SMPICC)
  message(STATUS "examples/collectives.tesh: there is no smpicc, which comes with SimGrid: not tested")
  list(REMOVE_ITEM tesh_files examples/collectives.tesh)
endif()
foreach(file IN LISTS tesh_files)
  add_test(NAME ${file} COMMAND ${SGF_TESH} --setenv bindir=${PROJECT_BINARY_DIR} ${file}
           WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(${file} PROPERTIES TIMEOUT 180) # several commands, of 60 s at most each
endforeach()
