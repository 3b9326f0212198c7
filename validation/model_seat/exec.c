/* `sgfabric exec`. */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

#include "model_seat/model_seat_support.h"

static const char ini[] = "[General]\n"
                          "net.rack0.gpu0.pcie = ${lanes=\"gen5 x8\", \"gen5 x4\"}\n"
                          "seed-set = 7\n";

/* The JSON object of mail on the rack, with these options of exec. */
static json_t* run(const char* name, const char* options)
{
  char* out;
  char* program = model_build("mail.c", "cc %s -lsimgrid -lm", name);
  char* file    = model_write("", "exec.json");
  char* folder  = model_folder();
  CU_ASSERT_EQUAL(model_shell(&out, "cd %s && %s exec --json exec.json %s -- %s %s gpu0 gpu8", folder, MODEL_COMMAND,
                              options, program, MODEL_RACK),
                  0);
  CU_ASSERT(model_number(out, "end0") > 0);
  CU_ASSERT_PTR_NULL(strstr(out, "Flows:"));
  json_t* root = json_load_file(file, 0, NULL);
  CU_ASSERT_PTR_NOT_NULL_FATAL(root);
  free(folder);
  free(file);
  free(program);
  free(out);
  return root;
}

static double time_of(const json_t* root)
{
  return json_real_value(json_object_get(root, "simulated_time_s"));
}

SGF_SCENARIO(attributes_and_seed_come_from_options_and_ini_files)
{
  char* file     = model_write(ini, "exec.ini");
  json_t* plain  = run("mail_exec", "");
  json_t* lanes8 = run("mail_exec", "--set 'net.rack0.gpu0.pcie=\"gen5 x8\"' --seed 3");
  json_t* run0   = run("mail_exec", "-f exec.ini -r 0");
  json_t* run1   = run("mail_exec", "-f exec.ini -r 1");
  json_t* over   = run("mail_exec", "-f exec.ini -r 1 --set 'net.rack0.gpu0.pcie=\"gen5 x8\"'");
  CU_ASSERT(time_of(plain) < time_of(lanes8));
  CU_ASSERT(time_of(lanes8) < time_of(run1));
  CU_ASSERT_EQUAL(time_of(run0), time_of(lanes8));
  CU_ASSERT_EQUAL(time_of(over), time_of(lanes8));
  CU_ASSERT_EQUAL(json_integer_value(json_object_get(plain, "seed")), 1);
  CU_ASSERT_EQUAL(json_integer_value(json_object_get(lanes8, "seed")), 3);
  CU_ASSERT_EQUAL(json_integer_value(json_object_get(run1, "seed")), 7);
  json_decref(plain);
  json_decref(lanes8);
  json_decref(run0);
  json_decref(run1);
  json_decref(over);
  free(file);
}

static void expect(const char* arguments, int status, const char* text)
{
  char* out;
  char* folder = model_folder();
  CU_ASSERT_EQUAL(model_shell(&out, "cd %s && %s exec %s", folder, MODEL_COMMAND, arguments), status);
  CU_ASSERT_PTR_NOT_NULL(strstr(out, text));
  free(folder);
  free(out);
}

SGF_SCENARIO(the_exit_status_is_the_programs)
{
  char* file = model_write(ini, "exec.ini");
  expect("-- sh -c 'exit 7'", 7, "");
  expect("-- ./no-such-program", 127, "no-such-program");
  expect("", 2, "needs a program");
  expect("program", 2, "no further argument: program");
  expect("--json", 2, "--json needs a value");
  expect("-f exec.ini -- true", 1, "General has 2 runs");
  expect("-f exec.ini -r 2 -- true", 1, "General has 2 runs");
  expect("-f missing.ini -- true", 1, "missing.ini");
  expect("-f exec.ini -c Nothing -- true", 1, "Nothing");
  free(file);
}
