/* `sgfabric exec`. */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

#include "model_seat/model_seat_support.h"

static const char ini[] = "[General]\n"
                          "net.rack0.gpu0.pcie = ${lanes=\"gen5 x8\", \"gen5 x4\"}\n"
                          "seed-set = 7\n";

/* The JSON object of mail on the rack, with these options of exec. */
static json_t* run(const char* options)
{
  char* out;
  char* program = model_program("mail");
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
  json_t* plain  = run("");
  json_t* lanes8 = run("--set 'net.rack0.gpu0.pcie=\"gen5 x8\"' --seed 3");
  json_t* run0   = run("-f exec.ini -r 0");
  json_t* run1   = run("-f exec.ini -r 1");
  json_t* over   = run("-f exec.ini -r 1 --set 'net.rack0.gpu0.pcie=\"gen5 x8\"'");
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

/* The JSON object of a program that ends 1 us after its message of a megabyte has been posted, with this option. */
static json_t* end_early(const char* what, const char* option, int status)
{
  char* out;
  char* program = model_program("ends");
  char* file    = model_write("", "ends.json");
  CU_ASSERT_EQUAL(
      model_shell(&out, "%s exec --json %s %s -- %s %s %s", MODEL_COMMAND, file, option, program, MODEL_RACK, what),
      status);
  json_t* root = json_load_file(file, 0, NULL);
  CU_ASSERT_PTR_NOT_NULL_FATAL(root);
  CU_ASSERT_EQUAL(strstr(out, "NOT COMPLETE: ") == NULL, json_is_true(json_object_get(root, "complete")));
  free(file);
  free(program);
  free(out);
  return root;
}

static const json_t* end_of_flow(const json_t* root)
{
  return json_object_get(json_array_get(json_object_get(root, "flows"), 0), "end_s");
}

static void check_drain(const char* what, int status)
{
  json_t* drained = end_early(what, "", status);
  json_t* stopped = end_early(what, "--no-drain", status);
  CU_ASSERT(json_is_true(json_object_get(drained, "complete")));
  CU_ASSERT(json_is_false(json_object_get(stopped, "complete")));
  CU_ASSERT(json_real_value(end_of_flow(drained)) > 1e-6);
  CU_ASSERT(json_is_null(end_of_flow(stopped)));
  CU_ASSERT(json_integer_value(json_object_get(stopped, "packet_hops")) > 0);
  CU_ASSERT_EQUAL(time_of(stopped), 1e-6);
  json_decref(drained);
  json_decref(stopped);
}

SGF_SCENARIO(without_draining_the_run_ends_with_the_program)
{
  check_drain("detached", 0);
  check_drain("exit", 3);
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
  expect("program", 2, "no further argument: program; a program and its arguments stand behind --");
  expect("--json", 2, "--json needs a value");
  expect("-f exec.ini -- true", 1, "General has 2 runs");
  expect("-f exec.ini -r 2 -- true", 1, "General has 2 runs");
  expect("-f missing.ini -- true", 1, "missing.ini");
  expect("-f exec.ini -c Nothing -- true", 1, "Nothing");
  free(file);
}
