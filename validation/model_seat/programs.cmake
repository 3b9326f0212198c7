# Programs that know nothing of sgfabric, which the tests of this area run over the fabric: validation/model_seat/programs
# of the build folder. Nothing of the project's own options is theirs, but for the sanitizers of those that are linked with
# the library: only they can be under the sanitizers.
include(CheckLanguage)
check_language(CXX)
if(NOT CMAKE_CXX_COMPILER)
  message(FATAL_ERROR "The tests of the model seat need a C++ compiler; -DSGF_TESTS=OFF leaves all tests out")
endif()
enable_language(CXX)

set(programs ${CMAKE_CURRENT_LIST_DIR}/programs)
set(program_folder ${PROJECT_BINARY_DIR}/validation/model_seat/programs)
set(linked_first -Wl,--no-as-needed -Wl,-rpath,${PROJECT_BINARY_DIR} $<TARGET_FILE:sgfabric_model>)
add_custom_target(model_seat_programs)

# model_seat_program(<name> <source> [LINK <library or option>...])
function(model_seat_program name source)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "LINK")
  set(target model_seat_program_${name})
  add_executable(${target} ${programs}/${source})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${program_folder}
                                             INTERPROCEDURAL_OPTIMIZATION OFF C_EXTENSIONS ON
                                             COMPILE_DEFINITIONS ""
                                             COMPILE_OPTIONS "-O0;${sanitizers}" LINK_OPTIONS "${sanitizers}"
                                             LINK_LIBRARIES "${arg_LINK}")
  target_include_directories(${target} PRIVATE ${SimGrid_INCLUDE_DIR})
  add_dependencies(${target} sgfabric_model)
  add_dependencies(model_seat_programs ${target})
endfunction()

foreach(source mail.c errors.c steps.c failures.cpp leaks.cpp machines.cpp ends.cpp)
  get_filename_component(name ${source} NAME_WE)
  model_seat_program(${name}_linked ${source} LINK ${linked_first} ${SimGrid_LIBRARY} m)
endforeach()
if(SGF_SANITIZE)
  return()
endif()

file(GLOB sources CONFIGURE_DEPENDS RELATIVE ${programs} ${programs}/*.c ${programs}/*.cpp)
list(REMOVE_ITEM sources alone.c collectives.c)
foreach(source IN LISTS sources)
  get_filename_component(name ${source} NAME_WE)
  model_seat_program(${name} ${source} LINK ${SimGrid_LIBRARY} m)
endforeach()
model_seat_program(mail_linked_last mail.c LINK ${SimGrid_LIBRARY} m ${linked_first})
model_seat_program(alone alone.c LINK -static)

# MPI programs, by SimGrid's own compiler.
find_program(SGF_SMPICC smpicc HINTS ${SimGrid_PATH}/bin /opt/simgrid/bin)
mark_as_advanced(SGF_SMPICC)
if(NOT SGF_SMPICC)
  message(STATUS "validation/model_seat: no smpicc: the tests of MPI programs will fail")
  return()
endif()
function(model_seat_mpi_program name source)
  set(program ${program_folder}/${name})
  add_custom_command(OUTPUT ${program}
                     COMMAND ${CMAKE_COMMAND} -E make_directory ${program_folder}
                     COMMAND ${SGF_SMPICC} ${programs}/${source} -o ${program} ${ARGN} -lm
                     DEPENDS ${programs}/${source} sgfabric_model VERBATIM)
  add_custom_target(model_seat_program_${name} DEPENDS ${program})
  add_dependencies(model_seat_programs model_seat_program_${name})
endfunction()
model_seat_mpi_program(collectives collectives.c)
model_seat_mpi_program(collectives_linked collectives.c ${linked_first})
