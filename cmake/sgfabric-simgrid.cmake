# Makes the target sgfabric::simgrid, SimGrid's headers and library, if there is a SimGrid. The build of sgfabric uses
# this file and, installed, its package: who links sgfabric needs SimGrid's headers and calls its functions too.
#
# SimGrid is where SimGrid_PATH, CMAKE_PREFIX_PATH or pkg-config say, or in a usual place. The names are those of
# SimGrid's own FindSimGrid.cmake, so that a project which uses both has one SimGrid. That module is not used here: it
# asks for C++.
if(TARGET sgfabric::simgrid)
  return()
endif()

if(NOT SimGrid_PATH)
  find_package(PkgConfig QUIET)
  if(PkgConfig_FOUND)
    pkg_check_modules(SGFABRIC_PC_SIMGRID QUIET simgrid)
  endif()
endif()
find_path(SimGrid_INCLUDE_DIR simgrid/engine.h
          HINTS ${SimGrid_PATH}/include ${SGFABRIC_PC_SIMGRID_INCLUDE_DIRS}
          PATHS /opt/simgrid/include)
find_library(SimGrid_LIBRARY simgrid
             HINTS ${SimGrid_PATH}/lib ${SGFABRIC_PC_SIMGRID_LIBRARY_DIRS}
             PATHS /opt/simgrid/lib)
mark_as_advanced(SimGrid_INCLUDE_DIR SimGrid_LIBRARY)

if(SimGrid_INCLUDE_DIR AND SimGrid_LIBRARY)
  add_library(sgfabric::simgrid INTERFACE IMPORTED)
  set_target_properties(sgfabric::simgrid PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${SimGrid_INCLUDE_DIR}"
                                                     INTERFACE_LINK_LIBRARIES "${SimGrid_LIBRARY}")
endif()
