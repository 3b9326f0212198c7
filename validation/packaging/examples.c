/* Every example says in a .tesh file what it prints (validation/tesh.cmake runs them), and what is mapped by one define
 * is refused or accepted by a compiler as sgfabric/comm.h says. */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

#include "packaging/packaging_support.h"

/* A program, or the script that compiles and runs it, stands in the file of its name; a Python program or a study may
 * stand in any. */
SGF_TEST(every_example_has_a_tesh_file)
{
  char* missing = shell("cd '" SGF_SOURCE_DIR "/examples'\n"
                        "for file in *.c *.cpp; do\n"
                        "  name=${file%%.*}\n"
                        "  grep -Eqs \"examples/$name(\\.sh| |\\$)\" \"$name.tesh\" || echo \"$file\"\n"
                        "done\n"
                        "for file in *.py *.ini; do grep -qs \"examples/$file\" ./*.tesh || echo \"$file\"; done");
  if (*missing != '\0')
    printf("\nexamples without a .tesh file:\n%s", missing);
  CU_ASSERT_STRING_EQUAL(missing, "");
  free(missing);
}

/* Output that is not compared would test nothing. */
SGF_TEST(every_command_of_a_tesh_file_is_compared)
{
  char* loose = shell("cd '" SGF_SOURCE_DIR "/examples'\n"
                      "awk '/^! (output|ignore)/ { print FILENAME \": \" $0 }\n"
                      "     /^\\$ / { if (open != \"\") print open; open = FILENAME \": \" $0 }\n"
                      "     /^>/ { open = \"\" }\n"
                      "     END { if (open != \"\") print open }' *.tesh");
  if (*loose != '\0')
    printf("\n%s", loose);
  CU_ASSERT_STRING_EQUAL(loose, "");
  free(loose);
}

/* What the compiler says of a program of these lines, with the define; "compiles" if it has nothing to say. */
static char* compile(const char* lines)
{
  return shell("printf '#define SGF_MAP_SIMGRID\\n#include <sgfabric/comm.h>\\n%%b' '%s' | "
               "cc -std=c11 -Wall -Wextra -Wpedantic -Werror -I '" SGF_SOURCE_DIR "/include' -I '" SGF_BINARY_DIR
               "/include' $(pkg-config --cflags simgrid) -x c - -fsyntax-only 2>&1 && echo compiles || true",
               lines);
}

SGF_TEST(a_program_of_simgrids_calls_compiles_with_one_define)
{
  char* said = compile("#include <simgrid/mailbox.h>\\n#include <simgrid/comm.h>\\n"
                       "sg_error_t f(sg_mailbox_t box, const_sg_mailbox_t other, void* p, sg_comm_t* comms);\\n"
                       "sg_error_t f(sg_mailbox_t box, const_sg_mailbox_t other, void* p, sg_comm_t* comms) {\\n"
                       "  sg_comm_t c = sg_mailbox_put_init(box, p, 8), d = sg_mailbox_get_async(box, &p);\\n"
                       "  if (sg_comm_wait_any(comms, 2) == 0 && sg_comm_test(d) && sg_mailbox_get_name(other) != 0)\\n"
                       "    sg_comm_detach(c, 0);\\n"
                       "  return sg_comm_wait_for(c, 1.5);\\n}\\n");
  CU_ASSERT_STRING_EQUAL(said, "compiles\n");
  free(said);
}

SGF_TEST(a_permanent_receiver_does_not_compile)
{
  char* said = compile("void f(void);\\nvoid f(void) { sg_mailbox_set_receiver(\"box\"); }\\n");
  CU_ASSERT_PTR_NOT_NULL(strstr(said, "sgf_has_no_permanent_receivers"));
  CU_ASSERT_PTR_NULL(strstr(said, "compiles\n"));
  free(said);
}
