/* libxml2: SAX2 events with namespaces, in chunks, and the tree. */

#include <libxml/parser.h>
#include <libxml/tree.h>

#include "fold.h"

/* Size of the buffer for a qualified name, in bytes. */
#define NAME 1024

/* Returns the qualified name in the exact reading, and the local name in the quick one. */
static const char *qualified(const struct fold *fold, const xmlChar *prefix, const xmlChar *local,
                             char out[NAME])
{
    if (!fold->exact || prefix == NULL) {
        return (const char *) local;
    }
    snprintf(out, NAME, "%s:%s", (const char *) prefix, (const char *) local);
    return out;
}

static void start(void *context, const xmlChar *local, const xmlChar *prefix, const xmlChar *uri,
                  int namespaces, const xmlChar **declared, int count, int defaulted,
                  const xmlChar **attributes)
{
    char out[NAME];
    const char *name = qualified(context, prefix, local, out);

    (void) uri, (void) namespaces, (void) declared, (void) defaulted;
    fold_start(context, name, strlen(name));
    for (; count > 0; count--, attributes += 5) {
        name = qualified(context, attributes[1], attributes[0], out);
        fold_attribute(context, name, strlen(name), (const char *) attributes[3],
                       (size_t) (attributes[4] - attributes[3]));
    }
}

static void end(void *context, const xmlChar *local, const xmlChar *prefix, const xmlChar *uri)
{
    char out[NAME];
    const char *name = qualified(context, prefix, local, out);

    (void) uri;
    fold_end(context, name, strlen(name));
}

static void text(void *context, const xmlChar *data, int length)
{
    fold_text(context, (const char *) data, (size_t) length);
}

int libxml2_events(const char *xml, size_t length, size_t chunk, struct fold *fold)
{
    xmlSAXHandler handler = {
        .initialized = XML_SAX2_MAGIC,
        .startElementNs = start,
        .endElementNs = end,
        .characters = text,
        .ignorableWhitespace = text,
        .cdataBlock = text,
    };
    xmlParserCtxtPtr parser = xmlCreatePushParserCtxt(&handler, fold, NULL, 0, NULL);
    int status;

    if (parser == NULL) {
        return 1;
    }
    xmlCtxtUseOptions(parser, XML_PARSE_HUGE | XML_PARSE_NOENT);
    for (size_t from = 0; from < length;) {
        size_t size = length - from < chunk ? length - from : chunk;
        xmlParseChunk(parser, xml + from, (int) size, from + size == length);
        from += size;
    }
    status = parser->wellFormed ? 0 : 1;
    xmlFreeParserCtxt(parser);
    return status;
}

static const char *name_of(const struct fold *fold, xmlNsPtr namespace, const xmlChar *local,
                           char out[NAME])
{
    return qualified(fold, namespace == NULL ? NULL : namespace->prefix, local, out);
}

static void open_node(struct fold *fold, xmlNodePtr node)
{
    char out[NAME];

    if (node->type == XML_ELEMENT_NODE) {
        const char *name = name_of(fold, node->ns, node->name, out);
        fold_start(fold, name, strlen(name));
        for (xmlAttrPtr attribute = node->properties; attribute != NULL;
             attribute = attribute->next) {
            const char *value =
                attribute->children == NULL ? "" : (const char *) attribute->children->content;
            name = name_of(fold, attribute->ns, attribute->name, out);
            fold_attribute(fold, name, strlen(name), value, strlen(value));
        }
    } else if (node->type == XML_TEXT_NODE || node->type == XML_CDATA_SECTION_NODE) {
        fold_text(fold, (const char *) node->content, strlen((const char *) node->content));
    }
}

static void close_node(struct fold *fold, xmlNodePtr node)
{
    char out[NAME];

    if (node->type == XML_ELEMENT_NODE) {
        const char *name = name_of(fold, node->ns, node->name, out);
        fold_end(fold, name, strlen(name));
    }
}

int libxml2_tree(const char *xml, size_t length, size_t chunk, struct fold *fold)
{
    xmlDocPtr document = xmlReadMemory(xml, (int) length, "document.xml", "UTF-8",
                                       XML_PARSE_HUGE | XML_PARSE_NOENT);
    xmlNodePtr top = (xmlNodePtr) document;
    xmlNodePtr node;

    (void) chunk;
    if (document == NULL) {
        return 1;
    }
    node = top->children;
    while (node != NULL) {
        open_node(fold, node);
        if (node->type == XML_ELEMENT_NODE && node->children != NULL) {
            node = node->children;
            continue;
        }
        close_node(fold, node);
        while (node->next == NULL && node->parent != top) {
            node = node->parent;
            close_node(fold, node);
        }
        node = node->next;
    }
    xmlFreeDoc(document);
    return 0;
}
