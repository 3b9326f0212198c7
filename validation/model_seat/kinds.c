/* Platforms as studies have them over the fabric in the model seat: nothing of it is in the file, all in an ini file.
 */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

#include "model_seat/model_seat_support.h"

#define KINDS SGF_SOURCE_DIR "/validation/scenario/kinds"

/* Seven messages of a megabyte, the first of which cannot be faster than its host's link of 10 Gb/s. */
SGF_SCENARIO(existing_platforms_run_with_an_ini_file_and_no_word_of_their_own)
{
  static const char* const kinds[] = {"flat", "flat_backbone", "fat_tree", "clusters", "full", "shared_links", "zones"};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    char* out;
    char* program = model_program("mail");
    char* file    = model_write("", "kinds.json");
    const int status =
        model_shell(&out, "%s exec --json %s -f " KINDS "/kinds.ini -c %s -- %s " KINDS "/%s.xml node-0 node-1",
                    MODEL_COMMAND, file, kinds[i], program, kinds[i]);
    CU_ASSERT_EQUAL(status, 0);
    json_t* root = json_load_file(file, 0, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(root);
    CU_ASSERT(json_is_true(json_object_get(root, "complete")));
    CU_ASSERT_EQUAL(json_array_size(json_object_get(root, "flows")), 7);
    CU_ASSERT(model_number(out, "got0") > 800000000); /* ps */
    json_decref(root);
    free(file);
    free(program);
    free(out);
  }
}
