/* expat: events, with namespaces and without, in chunks. */

#include <expat.h>

#include "fold.h"

/* The separator between the namespace name, the local name and the prefix in the names that expat reports. */
#define SEPARATOR '\n'

/* Writes the qualified name for the exact reading. expat reports the prefix after the local name. */
static void qualified(const char *name, char *out, size_t size)
{
    const char *local = strchr(name, SEPARATOR);
    const char *prefix = local == NULL ? NULL : strchr(local + 1, SEPARATOR);
    size_t prefix_length = prefix == NULL ? 0 : strlen(prefix + 1);
    size_t length;

    local = local == NULL ? name : local + 1;
    length = prefix == NULL ? strlen(local) : (size_t) (prefix - local);
    if (prefix_length + length + 2 > size) {
        length = 0;
        prefix_length = 0;
    }
    if (prefix_length > 0) {
        memcpy(out, prefix + 1, prefix_length);
        out[prefix_length++] = ':';
    }
    memcpy(out + prefix_length, local, length);
    out[prefix_length + length] = '\0';
}

static void start(void *context, const char *name, const char **attributes)
{
    struct fold *fold = context;

    fold_start(fold, name, strlen(name));
    for (; *attributes != NULL; attributes += 2) {
        fold_attribute(fold, attributes[0], strlen(attributes[0]), attributes[1],
                       strlen(attributes[1]));
    }
}

static void end(void *context, const char *name)
{
    fold_end(context, name, strlen(name));
}

static void exact_start(void *context, const char *name, const char **attributes)
{
    char out[1024];

    qualified(name, out, sizeof(out));
    fold_start(context, out, strlen(out));
    for (; *attributes != NULL; attributes += 2) {
        qualified(attributes[0], out, sizeof(out));
        fold_attribute(context, out, strlen(out), attributes[1], strlen(attributes[1]));
    }
}

static void exact_end(void *context, const char *name)
{
    char out[1024];

    qualified(name, out, sizeof(out));
    fold_end(context, out, strlen(out));
}

static void text(void *context, const char *data, int length)
{
    fold_text(context, data, (size_t) length);
}

static int run(XML_Parser parser, const char *xml, size_t length, size_t chunk, struct fold *fold)
{
    enum XML_Status status = XML_STATUS_OK;

    XML_SetUserData(parser, fold);
    XML_SetElementHandler(parser, fold->exact ? exact_start : start,
                          fold->exact ? exact_end : end);
    XML_SetCharacterDataHandler(parser, text);
    for (size_t from = 0; from < length && status == XML_STATUS_OK;) {
        size_t size = length - from < chunk ? length - from : chunk;
        status = XML_Parse(parser, xml + from, (int) size, from + size == length);
        from += size;
    }
    XML_ParserFree(parser);
    return status == XML_STATUS_OK ? 0 : 1;
}

int expat_events(const char *xml, size_t length, size_t chunk, struct fold *fold)
{
    return run(XML_ParserCreate("UTF-8"), xml, length, chunk, fold);
}

int expat_namespaces(const char *xml, size_t length, size_t chunk, struct fold *fold)
{
    XML_Parser parser = XML_ParserCreateNS("UTF-8", SEPARATOR);

    XML_SetReturnNSTriplet(parser, 1);
    return run(parser, xml, length, chunk, fold);
}
