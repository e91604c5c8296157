/* pugixml: builds, walks and drops a tree. By default, pugixml drops text that consists of whitespace only; here such
 * text is kept, as in the other trees. */

#include <pugixml.hpp>

extern "C" {
#include "fold.h"
}

static void open_node(struct fold *fold, const pugi::xml_node &node)
{
    if (node.type() == pugi::node_element) {
        fold_start(fold, node.name(), strlen(node.name()));
        for (pugi::xml_attribute attribute = node.first_attribute(); attribute;
             attribute = attribute.next_attribute()) {
            const char *name = attribute.name();
            const char *value = attribute.value();
            fold_attribute(fold, name, strlen(name), value, strlen(value));
        }
    } else if (node.type() == pugi::node_pcdata || node.type() == pugi::node_cdata) {
        fold_text(fold, node.value(), strlen(node.value()));
    }
}

static void close_node(struct fold *fold, const pugi::xml_node &node)
{
    if (node.type() == pugi::node_element) {
        fold_end(fold, node.name(), strlen(node.name()));
    }
}

extern "C" int pugixml_tree(const char *xml, size_t length, size_t, struct fold *fold)
{
    pugi::xml_document document;
    unsigned flags = pugi::parse_default | pugi::parse_ws_pcdata;
    pugi::xml_parse_result result =
        document.load_buffer(xml, length, flags, pugi::encoding_utf8);

    if (!result) {
        return 1;
    }
    pugi::xml_node node = document.first_child();
    while (node) {
        open_node(fold, node);
        if (node.first_child()) {
            node = node.first_child();
            continue;
        }
        close_node(fold, node);
        while (node && !node.next_sibling()) {
            node = node.parent();
            close_node(fold, node);
        }
        node = node.next_sibling();
    }
    return 0;
}
