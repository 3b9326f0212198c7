# CMake find module for sgfabric, used as SimGrid's FindSimGrid.cmake is.
#
# USERS OF PROGRAMS THAT USE SGFABRIC
#
#   If CMake does not find this file, say where it is:  -DCMAKE_MODULE_PATH=<prefix>/lib/cmake/sgfabric
#   If this file does not find sgfabric:                -Dsgfabric_PATH=<prefix of sgfabric>
#   If sgfabric does not find SimGrid:                  -DSimGrid_PATH=<prefix of SimGrid>
#
# DEVELOPERS OF PROGRAMS THAT USE SGFABRIC
#
#   Copy this file into the folder of your CMAKE_MODULE_PATH, or leave it where sgfabric installs it, beside
#   sgfabric-config.cmake. Then
#     find_package(sgfabric REQUIRED)
#     target_link_libraries(your-simulator sgfabric::sgfabric)
#   brings headers and libraries of sgfabric and SimGrid; sgfabric_VERSION and sgfabric_DATA_DIR are set. CMakeLists.txt
#   stays the same when this file is left out: CMake then finds sgfabric-config.cmake itself, through CMAKE_PREFIX_PATH.
find_package(sgfabric ${sgfabric_FIND_VERSION} CONFIG QUIET
             HINTS ${sgfabric_PATH} ${CMAKE_CURRENT_LIST_DIR}
             PATHS /opt/sgfabric)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(sgfabric CONFIG_MODE)
