/* SimGrid as it is found in the process: its library, symbols, and tables of virtual functions. */
#define _GNU_SOURCE
#include "simgrid/model_seat/model_seat.h"

#include <dlfcn.h>
#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"

#define RESOURCE "N7simgrid6kernel8resource"

/* The versions that were tested; what differs between them. */
typedef struct version {
  int major, minor;
  const char* communicate;
} version_t;

static const version_t versions[] = {
    {3, 32, "_Z" RESOURCE "20NetworkConstantModel11communicateEPNS_3s4u4HostES5_dd"},
    {4, 1, "_Z" RESOURCE "20NetworkConstantModel11communicateEPNS_3s4u4HostES5_ddb"},
};
enum { VERSIONS = sizeof versions / sizeof *versions };

static void* library; /* of dlopen */

void seat_refuse(const char* format, ...)
{
  va_list args;
  va_start(args, format);
  fflush(stdout);
  fputs("sgfabric: ", stderr);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  va_end(args);
  report_note(REPORT_REFUSED);
  _Exit(EXIT_FAILURE); /* SimGrid is half set up: its own handlers are not for this */
}

/* ---- The library ----------------------------------------------------------------------------------------------- */

/* Loaded by Python it is in nobody's scope but its own: it is found by name, not through RTLD_NEXT. */
static int look_at_object(struct dl_phdr_info* info, size_t size, void* found)
{
  (void)size;
  const char* slash = strrchr(info->dlpi_name, '/');
  const char* name  = slash != NULL ? slash + 1 : info->dlpi_name;
  if (strncmp(name, "libsimgrid.so", strlen("libsimgrid.so")) != 0)
    return 0;
  *(const char**)found = info->dlpi_name;
  return 1;
}

bool seat_find_simgrid(void)
{
  const char* file = NULL;
  if (library == NULL && dl_iterate_phdr(look_at_object, &file) != 0)
    library = dlopen(file, RTLD_LAZY | RTLD_NOLOAD);
  return library != NULL;
}

void seat_stay(void)
{
  Dl_info info;
  if (dladdr(&library, &info) == 0 || dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE) == NULL)
    seat_refuse("libsgfabric-model.so cannot be kept in the process: %s", dlerror());
}

seat_word_t seat_symbol(const char* name)
{
  return library != NULL ? (seat_word_t)dlsym(library, name) : 0;
}

static seat_word_t needed(const char* name)
{
  const seat_word_t address = seat_symbol(name);
  if (address == 0)
    seat_refuse("this SimGrid has no symbol %s: it was built otherwise than the versions that were tested", name);
  return address;
}

/* ---- Tables of virtual functions --------------------------------------------------------------------------------- */

/* Two words stand before the functions of an object: the offset to its beginning, and its class. */
enum { WORDS_BEFORE = 2 };

static const seat_word_t* table_of(const void* object)
{
  return *(const seat_word_t* const*)object;
}

const char* seat_class(const void* object)
{
  const seat_word_t* type_info = (const seat_word_t*)table_of(object)[-1];
  return (const char*)type_info[1];
}

/* Whether an address is in what this library or program has loaded. dladdr would look for its symbol besides, among all
 * that the library has. */
static int holds(struct dl_phdr_info* info, size_t size, void* address)
{
  (void)size;
  for (size_t i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr)* part = &info->dlpi_phdr[i];
    if (part->p_type == PT_LOAD && *(const seat_word_t*)address - info->dlpi_addr - part->p_vaddr < part->p_memsz)
      return 1;
  }
  return 0;
}

/* The functions of a table end where something else than an address of code or data of a library begins. */
void seat_copy_table(seat_table_t* table, const void* object)
{
  const seat_word_t* live = table_of(object);
  const size_t most       = SEAT_TABLE_SIZE - WORDS_BEFORE;
  size_t count            = 0;
  for (seat_word_t word; count < most && (word = live[count]) != 0 && dl_iterate_phdr(holds, &word) != 0;)
    count++;
  memcpy(table->words, live - WORDS_BEFORE, (WORDS_BEFORE + count) * sizeof *live);
}

seat_word_t* seat_slot(seat_table_t* table, size_t slot)
{
  return &table->words[WORDS_BEFORE + slot];
}

void seat_use_table(void* object, seat_table_t* table)
{
  *(seat_word_t**)object = seat_slot(table, 0);
}

/* ---- Slots ------------------------------------------------------------------------------------------------------- */

/* An exported table, without the words before its functions. */
typedef struct exported {
  const char* name;
  const seat_word_t* functions;
  size_t count;
} exported_t;

static exported_t exported_table(const char* name)
{
  const void* table = (const void*)needed(name);
  Dl_info info;
  ElfW(Sym)* symbol = NULL;
  if (dladdr1(table, &info, (void**)&symbol, RTLD_DL_SYMENT) == 0 || symbol == NULL ||
      symbol->st_size <= WORDS_BEFORE * sizeof(seat_word_t))
    seat_refuse("this SimGrid does not say how large its table %s is", name);
  return (exported_t){name, (const seat_word_t*)table + WORDS_BEFORE,
                      symbol->st_size / sizeof(seat_word_t) - WORDS_BEFORE};
}

/* The one slot that holds a function of this name. Addresses are compared: asking for the name of each would search all
 * of the library's symbols. */
static size_t slot_of(exported_t table, const char* function)
{
  const size_t none         = SIZE_MAX;
  const seat_word_t address = needed(function);
  size_t slot               = none;
  for (size_t i = 0; i < table.count; i++) {
    if (table.functions[i] != address)
      continue;
    if (slot != none)
      seat_refuse("%s stands twice in this SimGrid's table %s", function, table.name);
    slot = i;
  }
  if (slot == none)
    seat_refuse("%s does not stand in this SimGrid's table %s", function, table.name);
  return slot;
}

static void learn_model(const version_t* version, seat_slots_t* slots)
{
  const exported_t model = exported_table("_ZTV" RESOURCE "20NetworkConstantModelE");
  slots->next            = slot_of(model, "_Z" RESOURCE "20NetworkConstantModel20next_occurring_eventEd");
  slots->update          = slot_of(model, "_Z" RESOURCE "20NetworkConstantModel20update_actions_stateEdd");
  slots->communicate     = slot_of(model, version->communicate);
  const size_t before    = slot_of(model, "_Z" RESOURCE "5Model25update_actions_state_fullEdd");
  const size_t after =
      slot_of(model, "_Z" RESOURCE "20NetworkConstantModel11create_linkERKNSt7__cxx1112basic_stringIcSt11char_"
                     "traitsIcESaIcEEERKSt6vectorIdSaIdEE");
  if (after != before + 2)
    seat_refuse("this SimGrid has other functions in its network models than the versions that were tested");
  slots->idempotent = before + 1;
}

static void learn_action(seat_slots_t* slots)
{
  const exported_t action    = exported_table("_ZTV" RESOURCE "13NetworkActionE");
  slots->destroy             = 1; /* the destructor that frees: the second function of a class with a virtual one */
  slots->set_state           = slot_of(action, "_Z" RESOURCE "13NetworkAction9set_stateENS1_6Action5StateE");
  slots->update_remains_lazy = slot_of(action, "__cxa_pure_virtual"); /* all others are defined */
  slots->suspend             = slot_of(action, "_Z" RESOURCE "6Action7suspendEv");
  slots->resume              = slot_of(action, "_Z" RESOURCE "6Action6resumeEv");
  slots->get_links           = slot_of(action, "_ZNK7simgrid6kernel8resource13NetworkAction9get_linksB5cxx11Ev");
}

/* ---- Symbols ----------------------------------------------------------------------------------------------------- */

static const version_t* version_of(const seat_symbols_t* symbols)
{
  int major, minor, patch;
  symbols->version(&major, &minor, &patch);
  for (size_t i = 0; i < VERSIONS; i++)
    if (versions[i].major == major && versions[i].minor == minor)
      return &versions[i];
  char tested[64] = "";
  for (size_t i = 0; i < VERSIONS; i++)
    snprintf(tested + strlen(tested), sizeof tested - strlen(tested), "%s%d.%d", i > 0 ? ", " : "", versions[i].major,
             versions[i].minor);
  seat_refuse("SimGrid %d.%d is none of the versions that the model seat was tested with (%s)", major, minor, tested);
}

void seat_learn(seat_symbols_t* symbols, seat_slots_t* slots)
{
  symbols->version         = (void (*)(int*, int*, int*))needed("sg_version_get");
  const version_t* version = version_of(symbols);
  symbols->clock           = (double (*)(void))needed("simgrid_get_clock");
  symbols->root_zone       = (void* (*)(void))needed("sg_zone_get_root");
  symbols->network_model   = (void* (*)(const void*))needed("_ZNK7simgrid3s4u7NetZone17get_network_modelEv");
  symbols->host_name       = (const char* (*)(const seat_host_t*))needed("sg_host_get_name");
  symbols->vm_host         = (seat_host_t * (*)(const seat_host_t*)) needed("sg_vm_get_pm");
  symbols->set_option      = (void (*)(const char*, double))needed("sg_cfg_set_double");
  symbols->option          = (const seat_string_t* (*)(const seat_string_t*))needed(
               "_ZN7simgrid6config9get_valueINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEEERKT_RKS7_");
  symbols->bare_communicate = (seat_communicate_t)needed(version->communicate);
  symbols->finish           = (void (*)(seat_action_t*, int))needed("_Z" RESOURCE "6Action6finishENS2_5StateE");
  symbols->set_state        = (void (*)(seat_action_t*, int))needed("_Z" RESOURCE "6Action9set_stateENS2_5StateE");
  symbols->state_of         = (int (*)(const seat_action_t*))needed("_ZNK7simgrid6kernel8resource6Action9get_stateEv");
  symbols->is_initialized   = (bool (*)(void))needed("_ZN7simgrid3s4u6Engine14is_initializedEv");
  symbols->actor            = (const void* (*)(long))needed("sg_actor_by_pid");
  symbols->actor_number     = (long (*)(const void*))needed("sg_actor_get_pid");
  symbols->sender           = (const void* (*)(const void*))needed("_ZNK7simgrid3s4u4Comm10get_senderEv");
  learn_model(version, slots);
  learn_action(slots);
}
