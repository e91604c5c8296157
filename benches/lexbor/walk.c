/* Parses HTML with lexbor and calls a visitor for each node of the tree. */

#include <lexbor/dom/dom.h>
#include <lexbor/html/html.h>

/* The kinds of nodes that are visited. The numbers are those of `lexbor.rs`. */
enum { ELEMENT, ATTRIBUTE, TEXT, COMMENT, DOCTYPE, SYSTEM_ID, CONTENT, INSTRUCTION };

typedef void (*visit_f)(void *context, int kind, size_t depth, unsigned ns,
                        const lxb_char_t *name, size_t name_length,
                        const lxb_char_t *value, size_t value_length);

static void visit_node(lxb_dom_node_t *node, size_t depth, visit_f visit, void *context)
{
    size_t length, value_length;
    const lxb_char_t *name, *value;
    lxb_dom_character_data_t *data = lxb_dom_interface_character_data(node);

    switch (node->type) {
    case LXB_DOM_NODE_TYPE_ELEMENT: {
        lxb_dom_element_t *element = lxb_dom_interface_element(node);
        name = lxb_dom_element_qualified_name(element, &length);
        visit(context, ELEMENT, depth, (unsigned) node->ns, name, length, NULL, 0);
        for (lxb_dom_attr_t *attribute = element->first_attr; attribute != NULL;
             attribute = attribute->next) {
            name = lxb_dom_attr_qualified_name(attribute, &length);
            value = lxb_dom_attr_value(attribute, &value_length);
            visit(context, ATTRIBUTE, depth + 1, (unsigned) attribute->node.ns, name, length, value,
                  value_length);
        }
        break;
    }
    case LXB_DOM_NODE_TYPE_TEXT:
        visit(context, TEXT, depth, 0, NULL, 0, data->data.data, data->data.length);
        break;
    case LXB_DOM_NODE_TYPE_COMMENT:
        visit(context, COMMENT, depth, 0, NULL, 0, data->data.data, data->data.length);
        break;
    case LXB_DOM_NODE_TYPE_PROCESSING_INSTRUCTION: {
        lxb_dom_processing_instruction_t *instruction =
            lxb_dom_interface_processing_instruction(node);
        visit(context, INSTRUCTION, depth, 0, instruction->target.data,
              instruction->target.length, data->data.data, data->data.length);
        break;
    }
    case LXB_DOM_NODE_TYPE_DOCUMENT_TYPE: {
        lxb_dom_document_type_t *doctype = lxb_dom_interface_document_type(node);
        name = lxb_dom_document_type_name(doctype, &length);
        visit(context, DOCTYPE, depth, 0, name, length, doctype->public_id.data,
              doctype->public_id.length);
        visit(context, SYSTEM_ID, depth, 0, NULL, 0, doctype->system_id.data,
              doctype->system_id.length);
        break;
    }
    default:
        break;
    }
}

static bool is_template(lxb_dom_node_t *node)
{
    return node->local_name == LXB_TAG_TEMPLATE && node->ns == LXB_NS_HTML
           && node->type == LXB_DOM_NODE_TYPE_ELEMENT;
}

static lxb_dom_node_t *contents(lxb_dom_node_t *node)
{
    lxb_html_template_element_t *element = lxb_html_interface_template(node);
    return element->content == NULL ? NULL : lxb_dom_interface_node(element->content);
}

/* Visits the descendants of a node. The contents of templates precede their children and are visited by recursion. */
static void walk(lxb_dom_node_t *top, size_t depth, visit_f visit, void *context)
{
    lxb_dom_node_t *node = top->first_child;
    while (node != NULL) {
        visit_node(node, depth, visit, context);
        if (is_template(node) && contents(node) != NULL) {
            visit(context, CONTENT, depth + 1, 0, NULL, 0, NULL, 0);
            walk(contents(node), depth + 2, visit, context);
        }
        if (node->first_child != NULL) {
            node = node->first_child;
            depth++;
            continue;
        }
        while (node->next == NULL && node->parent != top) {
            node = node->parent;
            depth--;
        }
        node = node->next;
    }
}

/* Parses a document, or a fragment if `name` is set. Returns 0, or the error status. */
int lexbor_walk(const lxb_char_t *html, size_t length, int scripting, const lxb_char_t *name,
                size_t name_length, unsigned ns, visit_f visit, void *context)
{
    int status;
    lxb_html_parser_t *parser;
    lxb_html_document_t *document;
    lxb_dom_node_t *root;

    if (name == NULL) {
        document = lxb_html_document_create();
        if (document == NULL) {
            return 1;
        }
        lxb_dom_document_scripting_set(lxb_dom_interface_document(document), scripting != 0);
        status = (int) lxb_html_document_parse(document, html, length);
        if (status == LXB_STATUS_OK && visit != NULL) {
            walk(lxb_dom_interface_node(document), 0, visit, context);
        }
        lxb_html_document_destroy(document);
        return status;
    }
    parser = lxb_html_parser_create();
    status = (int) lxb_html_parser_init(parser);
    document = lxb_html_document_create();
    if (status == LXB_STATUS_OK && document != NULL) {
        lxb_dom_document_t *dom = lxb_dom_interface_document(document);
        const lxb_tag_data_t *tag = lxb_tag_data_by_name(dom->tags, name, name_length);
        lxb_html_parser_scripting_set(parser, scripting != 0);
        lxb_dom_document_scripting_set(dom, scripting != 0);
        root = tag == NULL ? NULL
                           : lxb_html_parse_fragment_by_tag_id(parser, document, tag->tag_id, ns,
                                                               html, length);
        if (root == NULL) {
            status = 2;
        } else if (visit != NULL) {
            walk(root, 0, visit, context);
        }
    }
    lxb_html_document_destroy(document);
    lxb_html_parser_destroy(parser);
    return status;
}
