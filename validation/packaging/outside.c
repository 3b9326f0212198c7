/* A project outside, examples/outside, is built with the installed package in each way there is, in C and in C++, and
 * run on an installed platform. */
#include "harness.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "packaging/packaging_support.h"

#define WARNINGS "-Wall -Wextra -Wpedantic -Werror"

/* What ping says of a write from gpu0 to gpu1 on rack9: the same write by the installed command tells when it ends. */
static void expected_line(const char* prefix, char* line, size_t size)
{
  free(shell(
      "cat > '%s/ping_d.xml' <<EOF\n"
      "<?xml version=\"1.0\"?>\n"
      "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      "<platform version=\"4.1\">\n"
      "  <actor host=\"gpu0\" function=\"rdma_write\"><argument value=\"gpu1\"/><argument value=\"1MB\"/></actor>\n"
      "</platform>\n"
      "EOF\n",
      prefix));
  char* out = shell("'%s/bin/sgfabric' run '%s/share/sgfabric/platforms/rack9.xml' '%s/ping_d.xml' --json 2>/dev/null",
                    prefix, prefix, prefix);
  json_t* root = json_loads(out, 0, NULL);
  CU_ASSERT_PTR_NOT_NULL_FATAL(root);
  const json_t* flow = json_array_get(json_object_get(root, "flows"), 0);
  CU_ASSERT_EQUAL(json_integer_value(json_object_get(flow, "bytes")), 1000000);
  const double end = json_real_value(json_object_get(flow, "end_s"));
  CU_ASSERT(end > 0);
  snprintf(line, size, "%.6f us: gpu0 has written 1000000 bytes to gpu1\n", end * 1e6);
  json_decref(root);
  free(out);
}

/* mail_s4u prints when the last byte of the same size is in memory, before its acknowledgement is back. */
static void check_mail(const char* prefix, const char* folder, const char* written)
{
  char* out   = shell("'%s/mail_s4u' '%s/share/sgfabric/platforms/rack9.xml' gpu0 gpu1", folder, prefix);
  double date = 0;
  int length  = 0;
  CU_ASSERT_EQUAL(sscanf(out, "%lf us: %n", &date, &length), 1);
  CU_ASSERT(date > 0 && date < strtod(written, NULL));
  CU_ASSERT_STRING_EQUAL(out + length, "gpu1 got \"hello from gpu0\"\n");
  free(out);
}

/* The programs of a build folder print what the command says. */
static void check_programs(const char* prefix, const char* folder)
{
  char expected[128];
  expected_line(prefix, expected, sizeof expected);
  const char* const programs[] = {"ping", "ping_s4u"};
  for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
    char* out = shell("'%s/%s' '%s/share/sgfabric/platforms/rack9.xml' gpu0 gpu1", folder, programs[i], prefix);
    CU_ASSERT_STRING_EQUAL(out, expected);
    free(out);
  }
  check_mail(prefix, folder, expected);
}

/* Configure and build the project with the given options; what CMake says, to be freed. */
static char* build_with_cmake(const char* prefix, const char* folder, const char* options)
{
  free(shell("rm -rf '%s'", folder));
  char* said = shell("cmake -S '%s/share/sgfabric/examples/outside' -B '%s' -DCMAKE_C_FLAGS='" WARNINGS
                     "' -DCMAKE_CXX_FLAGS='" WARNINGS "' %s && cmake --build '%s'",
                     prefix, folder, options, folder);
  return said;
}

SGF_SCENARIO(find_package_reads_the_package)
{
  char* prefix = installed("config");
  char options[1024];
  snprintf(options, sizeof options, "-DCMAKE_PREFIX_PATH='%s'", prefix);
  free(build_with_cmake(prefix, "packaging_config/build", options));
  check_programs(prefix, "packaging_config/build");
  free(prefix);
}

/* The module is copied into a project, as SimGrid's is, and told where sgfabric is. */
SGF_SCENARIO(find_package_reads_the_find_module)
{
  char* prefix = installed("module");
  free(shell("mkdir packaging_module/modules && cp \"$(find '%s' -name Findsgfabric.cmake)\" packaging_module/modules",
             prefix));
  char options[1024];
  snprintf(options, sizeof options, "-DCMAKE_MODULE_PATH=\"$PWD/packaging_module/modules\" -Dsgfabric_PATH='%s'",
           prefix);
  char* said = build_with_cmake(prefix, "packaging_module/build", options);
  CU_ASSERT_PTR_NOT_NULL(strstr(said, "-- Found sgfabric: ")); /* only a module says so */
  free(said);
  check_programs(prefix, "packaging_module/build");
  free(prefix);
}

SGF_SCENARIO(a_version_that_is_not_compatible_is_refused)
{
  char* prefix = installed("version");
  char* said =
      shell("mkdir packaging_version/project && cd packaging_version/project &&"
            "printf 'cmake_minimum_required(VERSION 3.16)\\nproject(p C)\\nfind_package(sgfabric 99.0 CONFIG)\\n"
            "message(STATUS \"found: ${sgfabric_FOUND}\")\\n' > CMakeLists.txt &&"
            "cmake -S . -B build -DCMAKE_PREFIX_PATH='%s'",
            prefix);
  CU_ASSERT_PTR_NOT_NULL(strstr(said, "-- found: 0"));
  free(said);
  free(prefix);
}

SGF_SCENARIO(pkg_config_tells_a_compiler_all_it_needs)
{
  char* prefix = installed("pkg_config");
  free(shell("PKG_CONFIG_PATH=$(dirname \"$(find '%s' -name sgfabric.pc)\")${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}\n"
             "export PKG_CONFIG_PATH\n"
             "rpath=-Wl,-rpath,$(pkg-config --variable=libdir sgfabric)\n"
             "mkdir packaging_pkg_config/build && cd packaging_pkg_config/build\n"
             "examples=$(pkg-config --variable=pkgdatadir sgfabric)/examples/outside\n"
             "cc " WARNINGS " -std=c11 \"$examples/ping.c\" -o ping $(pkg-config --cflags --libs sgfabric) $rpath\n"
             "for program in ping_s4u mail_s4u; do c++ " WARNINGS
             " -std=c++17 \"$examples/$program.cpp\" -o $program $(pkg-config --cflags --libs sgfabric) $rpath; done\n",
             prefix));
  check_programs(prefix, "packaging_pkg_config/build");
  free(prefix);
}

/* Each header by itself: none leans on what another one includes, in C and in C++. */
SGF_SCENARIO(every_public_header_compiles_by_itself)
{
  char* prefix = installed("headers");
  free(shell(
      "export PKG_CONFIG_PATH=$(dirname \"$(find '%s' -name sgfabric.pc)\")${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}\n"
      "cd \"$(pkg-config --variable=includedir sgfabric)\" && for header in sgfabric/*.h; do\n"
      "  for language in 'c -std=c11' 'c++ -std=c++17'; do\n"
      "    printf '#include <%%s>\\ntypedef int not_empty;\\n' $header | cc " WARNINGS
      " -x $language - -fsyntax-only $(pkg-config --cflags sgfabric)\n"
      "  done\n"
      "done",
      prefix));
  free(prefix);
}
