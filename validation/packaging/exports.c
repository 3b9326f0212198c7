/* The shared library exports what the public headers declare, and nothing else. */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "packaging/packaging_support.h"

static char* exported(void)
{
  return shell("nm -D --defined-only '%s/libsgfabric.so' | awk '{print $NF}'", SGF_BINARY_DIR);
}

SGF_TEST(every_exported_symbol_has_a_prefix_of_ours)
{
  char* symbols = exported();
  char* at      = symbols;
  size_t count  = 0;
  for (char* symbol; (symbol = next_line(&at)) != NULL; count++) {
    bool ours =
        strncmp(symbol, "sgf_", 4) == 0 || strncmp(symbol, "opp_", 4) == 0 || strncmp(symbol, "sg_fabric_", 10) == 0;
    if (!ours)
      printf("\nexported: %s\n", symbol);
    CU_ASSERT(ours);
  }
  CU_ASSERT(count > 0);
  free(symbols);
}

static bool is_line_of(const char* lines, const char* wanted)
{
  const size_t length = strlen(wanted);
  for (const char* at = lines; (at = strstr(at, wanted)) != NULL; at += length)
    if ((at == lines || at[-1] == '\n') && at[length] == '\n')
      return true;
  return false;
}

/* The name that a declaration gives: what stands before its first parenthesis, or before its end. */
static const char* declared_name(char* declaration)
{
  declaration[strcspn(declaration, "(;[")] = '\0';
  const char* name                         = declaration;
  for (const char* at = declaration; *at != '\0'; at++)
    if (*at == ' ' || *at == '*')
      name = at + 1;
  return name;
}

SGF_TEST(every_declaration_of_a_public_header_is_exported_and_the_reverse)
{
  char* symbols      = exported();
  char* declarations = shell("cat '%s'/include/sgfabric/*.h | grep '^SGF_PUBLIC'", SGF_SOURCE_DIR);
  char* at           = declarations;
  size_t declared    = 0;
  for (char* line; (line = next_line(&at)) != NULL; declared++) {
    const char* name = declared_name(line);
    bool found       = is_line_of(symbols, name);
    if (!found)
      printf("\ndeclared and not exported: %s\n", name);
    CU_ASSERT(found);
  }
  size_t count = 0;
  for (const char* symbol = symbols; *symbol != '\0'; symbol++)
    count += *symbol == '\n';
  CU_ASSERT_EQUAL(declared, count);
  free(declarations);
  free(symbols);
}
