# What `cmake --install` puts where. The prefix may be chosen then (--prefix) and the installation be moved: whatever
# is installed finds its neighbours from its own place.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(sgf_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/sgfabric)
set(sgf_data_dir ${CMAKE_INSTALL_DATADIR}/sgfabric)

# ---------------------------------------------------------------------------------------- headers, library, command

install(DIRECTORY include/sgfabric ${PROJECT_BINARY_DIR}/include/sgfabric
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.h")
install(TARGETS sgfabric EXPORT sgfabric-targets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS sgfabric_model LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS sgfabric_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

# A SimGrid that is in no usual place is found where it was at the time of the build.
file(RELATIVE_PATH bin_to_lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
set_target_properties(sgfabric_command PROPERTIES INSTALL_RPATH "$ORIGIN/${bin_to_lib}")
set_target_properties(sgfabric sgfabric_command PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)

# ---------------------------------------------------------------------------------------------------- CMake package

install(EXPORT sgfabric-targets NAMESPACE sgfabric:: DESTINATION ${sgf_package_dir})
configure_package_config_file(cmake/sgfabric-config.cmake.in sgfabric-config.cmake
                              INSTALL_DESTINATION ${sgf_package_dir}
                              PATH_VARS sgf_data_dir)
# Before 1.0 a minor version may change the API, as the SOVERSION says too.
write_basic_package_version_file(sgfabric-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/sgfabric-config.cmake ${PROJECT_BINARY_DIR}/sgfabric-config-version.cmake
              cmake/sgfabric-simgrid.cmake cmake/Findsgfabric.cmake
        DESTINATION ${sgf_package_dir})

# ------------------------------------------------------------------------------------------------------- pkg-config

# An installation folder as sgfabric.pc names it: relative to the prefix unless it was given as an absolute path. Where
# the library's is absolute, sgfabric.pc cannot tell the prefix from its own place.
function(sgf_pc_folder variable folder)
  if(NOT IS_ABSOLUTE ${folder})
    set(folder "\${prefix}/${folder}")
  endif()
  set(${variable} ${folder} PARENT_SCOPE)
endfunction()

if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
  set(pc_prefix ${CMAKE_INSTALL_PREFIX})
else()
  file(RELATIVE_PATH pc_to_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
  string(REGEX REPLACE "/$" "" pc_prefix "\${pcfiledir}/${pc_to_prefix}")
endif()
sgf_pc_folder(pc_libdir ${CMAKE_INSTALL_LIBDIR})
sgf_pc_folder(pc_includedir ${CMAKE_INSTALL_INCLUDEDIR})
sgf_pc_folder(pc_datadir ${sgf_data_dir})

if(SGFABRIC_PC_SIMGRID_FOUND AND NOT SimGrid_PATH)
  set(pc_requires simgrid)
else()
  set(pc_cflags " -I${SimGrid_INCLUDE_DIR}")
  set(pc_libs " ${SimGrid_LIBRARY}")
endif()
configure_file(cmake/sgfabric.pc.in sgfabric.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/sgfabric.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# -------------------------------------------------------------------------------------------------- manual and data

install(FILES plugins/runner/sgfabric.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
# The pages that README.md names, in the folders that it says.
install(DIRECTORY plugins DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md")
# Beside each other as in the project, so that the commands of README.md work there.
install(DIRECTORY platforms deployments DESTINATION ${sgf_data_dir})
install(DIRECTORY examples DESTINATION ${sgf_data_dir} PATTERN "run.sh" EXCLUDE PATTERN "setup.sh" EXCLUDE)
