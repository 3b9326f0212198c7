/* Documents through libxml2, refused where SimGrid's own parser would stop: it was generated from the DTD and knows two
 * forms of DOCTYPE, no entities of one's own, no byte order mark and no CDATA. */
#include "scenario_internal.h"

#include "attr/alloc.h"
#include "attr/file.h"

#include <errno.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sgf_xml {
  xmlDoc* document;
  xmlChar** values; /* of attributes that were asked for */
  size_t value_count;
};

static const char* const doctypes[] = {"https://simgrid.org/simgrid.dtd",
                                       "http://simgrid.gforge.inria.fr/simgrid/simgrid.dtd"};

/* The whole file; NULL if it cannot be read. libxml2 would unpack compressed files, SimGrid does not. */
static char* read_file(const char* file, size_t* size, sgf_error_t* error)
{
  FILE* stream = fopen(file, "rb");
  if (stream == NULL) {
    sgf_error_set(error, SGF_IO, "cannot open it: %s", strerror(errno));
    return NULL;
  }
  char* text = sgf_read_stream(stream, INT_MAX, size);
  if (text == NULL)
    sgf_error_set(error, SGF_IO, "cannot read it: %s", strerror(errno));
  fclose(stream);
  if (text != NULL && *size <= INT_MAX)
    return text;
  if (text != NULL)
    sgf_error_set(error, SGF_IO, "larger than 2 GiB");
  free(text);
  return NULL;
}

/* libxml2's constness of the second argument depends on its version; both are called alike. */
#if LIBXML_VERSION >= 21200
typedef const xmlError* xml_error_t;
#else
typedef xmlError* xml_error_t;
#endif

/* Keep the first error of a parse; libxml2 prints nothing then. */
static void keep_error(void* context, xml_error_t found)
{
  sgf_error_t* reason = ((xmlParserCtxt*)context)->_private;
  if (found->level < XML_ERR_ERROR)
    return;
  const char* message = found->message != NULL ? found->message : "not well-formed\n";
  sgf_error_set(reason, SGF_SYNTAX, "XML: %.*s", (int)strcspn(message, "\n"), message);
  sgf_error_place(reason, "", found->line);
}

static xmlDoc* parse(const char* file, const char* text, size_t size, sgf_error_t* reason)
{
  xmlParserCtxt* parser = xmlNewParserCtxt();
  if (parser == NULL) {
    sgf_error_set(reason, SGF_IO, "libxml2 has no memory for a parser");
    return NULL;
  }
  parser->_private    = reason;
  parser->sax->serror = keep_error;
  xmlDoc* document    = xmlCtxtReadMemory(parser, text, (int)size, file, NULL, XML_PARSE_NONET | XML_PARSE_BIG_LINES);
  xmlFreeParserCtxt(parser);
  if (document != NULL && reason->status == SGF_OK)
    return document;
  sgf_error_set(reason, SGF_SYNTAX, "XML: not well-formed");
  xmlFreeDoc(document);
  return NULL;
}

static bool is_known_doctype(const xmlDtd* dtd)
{
  for (size_t i = 0; dtd != NULL && dtd->SystemID != NULL && i < sizeof doctypes / sizeof *doctypes; i++)
    if (strcmp((const char*)dtd->SystemID, doctypes[i]) == 0)
      return dtd->ExternalID == NULL;
  return false;
}

/* What stands before the root element. */
static sgf_status_t check_prolog(const xmlDoc* document, const char* text, sgf_error_t* error)
{
  static const char byte_order_mark[] = "\xef\xbb\xbf";
  enum { NO_STANDALONE = -1, NO_DECLARATION = -2 };
  if (strncmp(text, byte_order_mark, strlen(byte_order_mark)) == 0)
    return sgf_error_set(error, SGF_SYNTAX, "starts with a byte order mark, which SimGrid cannot read");
  if (document->standalone != NO_STANDALONE && document->standalone != NO_DECLARATION)
    return sgf_error_set(error, SGF_SYNTAX, "SimGrid cannot read \"standalone\" in <?xml ...?>");
  if (!is_known_doctype(document->intSubset))
    return sgf_error_set(error, SGF_SYNTAX, "SimGrid wants <!DOCTYPE platform SYSTEM \"%s\"> before <platform>",
                         doctypes[0]);
  const char* doctype = strstr(text, "<!DOCTYPE");
  if (doctype != NULL && doctype[strcspn(doctype, "[>")] == '[') /* libxml2 does not tell of an empty one */
    return sgf_error_set(error, SGF_SYNTAX, "SimGrid reads no declarations inside <!DOCTYPE ...>");
  return SGF_OK;
}

/* The line in which a text begins; libxml2 knows where it ends. */
static int line_of_text(const xmlNode* text)
{
  int line         = sgf_xml_line(text);
  const char* from = (const char*)text->content;
  from += strspn(from, " \t\r\n");
  for (; *from != '\0'; from++)
    line -= *from == '\n';
  return line;
}

/* Nothing but elements, comments, processing instructions and white space. */
static sgf_status_t check_content(const xmlNode* element, int* line, sgf_error_t* error)
{
  if (element->nsDef != NULL || element->ns != NULL) {
    *line = sgf_xml_line(element);
    return sgf_error_set(error, SGF_SYNTAX, "<%s>: SimGrid knows no XML namespaces", (const char*)element->name);
  }
  for (const xmlNode* child = element->children; child != NULL; child = child->next) {
    bool is_text = child->type == XML_TEXT_NODE && !xmlIsBlankNode(child);
    if (is_text && sgf_xml_is(element, "trace")) /* its content; the tag is refused with a better reason */
      continue;
    if (is_text || child->type == XML_CDATA_SECTION_NODE || child->type == XML_ENTITY_REF_NODE) {
      *line = is_text ? line_of_text(child) : sgf_xml_line(element);
      return sgf_error_set(error, SGF_SYNTAX, "text inside <%s>, where SimGrid allows none",
                           (const char*)element->name);
    }
    sgf_status_t status = child->type == XML_ELEMENT_NODE ? check_content(child, line, error) : SGF_OK;
    if (status != SGF_OK)
      return status;
  }
  return SGF_OK;
}

sgf_xml_t* sgf_xml_read(const char* file, sgf_xml_kind_t kind, sgf_error_t* error)
{
  size_t size = 0;
  char* text  = read_file(file, &size, error);
  if (text == NULL) {
    sgf_error_place(error, file, 0);
    return NULL;
  }
  sgf_error_t reason = {0};
  int line           = 1;
  xmlDoc* document   = parse(file, text, size, &reason);
  if (document == NULL)
    line = reason.line > 0 ? reason.line : 1;
  else if (check_prolog(document, text, &reason) == SGF_OK &&
           check_content(xmlDocGetRootElement(document), &line, &reason) == SGF_OK)
    sgf_grammar_check(xmlDocGetRootElement(document), kind, &line, &reason);
  free(text);

  if (reason.status != SGF_OK) {
    sgf_error_set(error, reason.status, "%s", reason.text);
    sgf_error_place(error, file, line);
    xmlFreeDoc(document);
    return NULL;
  }
  sgf_xml_t* xml = sgf_calloc(1, sizeof *xml);
  xml->document  = document;
  return xml;
}

void sgf_xml_free(sgf_xml_t* xml)
{
  if (xml == NULL)
    return;
  for (size_t i = 0; i < xml->value_count; i++)
    xmlFree(xml->values[i]);
  free(xml->values);
  xmlFreeDoc(xml->document);
  free(xml);
}

static const xmlNode* element_from(const xmlNode* node)
{
  while (node != NULL && node->type != XML_ELEMENT_NODE)
    node = node->next;
  return node;
}

const sgf_xml_element_t* sgf_xml_root(const sgf_xml_t* xml)
{
  return xmlDocGetRootElement(xml->document);
}

const sgf_xml_element_t* sgf_xml_first(const sgf_xml_element_t* element)
{
  return element_from(element->children);
}

const sgf_xml_element_t* sgf_xml_next(const sgf_xml_element_t* element)
{
  return element_from(element->next);
}

int sgf_xml_line(const sgf_xml_element_t* element)
{
  return (int)xmlGetLineNo(element);
}

bool sgf_xml_is(const sgf_xml_element_t* element, const char* tag)
{
  return strcmp((const char*)element->name, tag) == 0;
}

const char* sgf_xml_get(sgf_xml_t* xml, const sgf_xml_element_t* element, const char* attribute, const char* otherwise)
{
  xmlChar* value = xmlGetNoNsProp(element, (const xmlChar*)attribute);
  if (value == NULL)
    return otherwise;
  xml->values                     = sgf_grow(xml->values, xml->value_count, sizeof *xml->values);
  xml->values[xml->value_count++] = value;
  return (const char*)value;
}
