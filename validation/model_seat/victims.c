/* sgfabric exec --victims: what the model seat says of victims is what the actor seat says. */
#include "harness.h"
#include "model_seat/model_seat_support.h"

#include <stdlib.h>
#include <string.h>

#define PLATFORM SGF_SOURCE_DIR "/examples/victims.xml"
#define DEPLOYMENT SGF_SOURCE_DIR "/examples/victims_d.xml"

static json_t* victims_of(const char* file)
{
  json_error_t error;
  json_t* root = json_load_file(file, 0, &error);
  CU_ASSERT_PTR_NOT_NULL_FATAL(root);
  json_t* victims = json_incref(json_object_get(root, "victims"));
  CU_ASSERT_PTR_NOT_NULL_FATAL(victims);
  json_decref(root);
  return victims;
}

SGF_SCENARIO(both_seats_say_the_same_of_victims)
{
  char* program = model_program("victims");
  char* folder  = model_folder();
  char* out;
  const char* const options[] = {"--victims", "--victims --without 'a1->slow'"};
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
    CU_ASSERT_EQUAL_FATAL(model_shell(&out,
                                      "cd %s && " MODEL_COMMAND " exec %s --json model.json -- %s " PLATFORM
                                      " && " MODEL_COMMAND " run " PLATFORM " " DEPLOYMENT " %s --json >actor.json",
                                      folder, options[i], program, options[i]),
                          0);
    free(out);
    char files[2][1024];
    snprintf(files[0], sizeof files[0], "%s/model.json", folder);
    snprintf(files[1], sizeof files[1], "%s/actor.json", folder);
    json_t* of_model = victims_of(files[0]);
    json_t* of_actor = victims_of(files[1]);
    CU_ASSERT_EQUAL(json_array_size(json_object_get(of_model, "flows")), 2);
    CU_ASSERT(json_equal(of_model, of_actor));
    json_decref(of_model);
    json_decref(of_actor);
  }
  CU_ASSERT_EQUAL(model_shell(&out, MODEL_COMMAND " exec --victims -- %s " PLATFORM, program), 0);
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "\nVictims: 2 flows waited for pauses that they did not cause, "));
  free(out);
  free(folder);
  free(program);
}
