/* What `cmake --install` installs: all of it, where it belongs, and nothing that points back to where it was built. */
#include "harness.h"

#include <sgfabric/version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "packaging/packaging_support.h"

/* Folders below the prefix may have other names (lib64): the files are looked for by what follows. */
static bool has(const char* prefix, const char* file)
{
  char* found = shell("find '%s' -path '*/%s'", prefix, file);
  bool any    = found[0] != '\0';
  if (!any)
    printf("\nnot installed: %s\n", file);
  free(found);
  return any;
}

SGF_SCENARIO(all_that_a_user_needs_is_installed)
{
  char* prefix              = installed("files");
  const char* const files[] = {"bin/sgfabric",
                               "libsgfabric.so",
                               ("libsgfabric.so." SGF_VERSION),
                               "include/sgfabric/version.h",
                               "cmake/sgfabric/sgfabric-config.cmake",
                               "cmake/sgfabric/sgfabric-config-version.cmake",
                               "cmake/sgfabric/Findsgfabric.cmake",
                               "pkgconfig/sgfabric.pc",
                               "man1/sgfabric.1",
                               "doc/sgfabric/README.md",
                               "doc/sgfabric/LICENSE",
                               "doc/sgfabric/plugins/ATTRIBUTES.md",
                               "sgfabric/examples/outside/CMakeLists.txt"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    CU_ASSERT(has(prefix, files[i]));

  /* Every public header, platform, deployment and example of the project. */
  char* sources =
      shell("cd '%s' && ls include/sgfabric/*.h platforms/*.xml deployments/*.xml examples/*.c examples/*.xml",
            SGF_SOURCE_DIR);
  char* at = sources;
  for (char* file; (file = next_line(&at)) != NULL;)
    CU_ASSERT(has(prefix, file));
  free(sources);

  /* Every page of a module, where README.md beside them says. */
  char* pages = shell("cd '%s' && find plugins -name README.md -printf 'doc/sgfabric/%%p\\n'", SGF_SOURCE_DIR);
  at          = pages;
  for (char* page; (page = next_line(&at)) != NULL;)
    CU_ASSERT(has(prefix, page));
  free(pages);
  free(prefix);
}

SGF_SCENARIO(the_name_of_the_library_holds_the_version_that_decides_on_compatibility)
{
  char* prefix = installed("soname");
  char* soname =
      shell("readelf -d \"$(find '%s' -name libsgfabric.so)\" | sed -n 's/.*SONAME.*\\[\\(.*\\)\\]/\\1/p'", prefix);
  unsigned major, minor;
  CU_ASSERT_EQUAL_FATAL(sscanf(SGF_VERSION, "%u.%u", &major, &minor), 2);
  char expected[64];
  snprintf(expected, sizeof expected, "libsgfabric.so.%u.%u\n", major, minor);
  CU_ASSERT_STRING_EQUAL(soname, expected);
  CU_ASSERT(has(prefix, strtok(soname, "\n")));
  free(soname);
  free(prefix);
}

/* The command finds the library beside it, not that of the build, and runs what was installed with it. */
SGF_SCENARIO(an_installation_that_was_moved_works)
{
  char* prefix = installed("moved");
  char* used =
      shell("realpath \"$(ldd '%s/bin/sgfabric' | sed -n 's/.*libsgfabric.* => \\(.*\\) (.*/\\1/p')\"", prefix);
  CU_ASSERT_PTR_EQUAL(strstr(used, prefix), used);
  free(used);
  char* out = shell("cd '%s/share/sgfabric' && '%s/bin/sgfabric' run platforms/rack9.xml deployments/incast8_d.xml",
                    prefix, prefix);
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "complete: 8 flows, lossless"));
  free(out);
  free(prefix);
}

/* As a packager installs: below DESTDIR, for a prefix that is none of this machine's yet. */
SGF_SCENARIO(destdir_goes_before_the_prefix_and_is_written_nowhere)
{
  free(shell("rm -rf packaging_destdir && DESTDIR=\"$PWD/packaging_destdir\" cmake --install '%s' --prefix /opt/fabric",
             SGF_BINARY_DIR));
  CU_ASSERT(has("packaging_destdir", "opt/fabric/bin/sgfabric"));
  char* outside = shell("find packaging_destdir -type f -not -path 'packaging_destdir/opt/fabric/*'");
  CU_ASSERT_STRING_EQUAL(outside, "");
  free(outside);

  /* -I: text files; a debug build names its sources in the library. */
  char* named = shell("grep -rIlF -e packaging_destdir -e '%s' -e '%s' packaging_destdir || true", SGF_SOURCE_DIR,
                      SGF_BINARY_DIR);
  CU_ASSERT_STRING_EQUAL(named, "");
  free(named);
  char* paths = shell("readelf -d packaging_destdir/opt/fabric/bin/sgfabric | grep -E 'R(UN)?PATH'");
  CU_ASSERT_PTR_NOT_NULL(strstr(paths, "$ORIGIN"));
  CU_ASSERT_PTR_NULL(strstr(paths, SGF_BINARY_DIR));
  free(paths);
}
