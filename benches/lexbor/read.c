/* Reads HTML with lexbor for `benches/peers`: its tokens and its tree are folded into a hash. */

#include <lexbor/dom/dom.h>
#include <lexbor/html/html.h>
#include <lexbor/html/tokenizer.h>

#include "../peers/native/fold.h"

static void fold_tag(struct fold *fold, const char *name, size_t length, lxb_html_token_t *token)
{
    const char *attribute_name;
    size_t attribute_length;

    if (token->type & LXB_HTML_TOKEN_TYPE_CLOSE) {
        fold_end(fold, name, length);
        return;
    }
    fold_start(fold, name, length);
    for (lxb_html_token_attr_t *attribute = token->attr_first; attribute != NULL;
         attribute = attribute->next) {
        attribute_name = (const char *) lxb_html_token_attr_name(attribute, &attribute_length);
        fold_attribute(fold, attribute_name, attribute_length, (const char *) attribute->value,
                       attribute->value_size);
    }
}

static lxb_html_token_t *take_token(lxb_html_tokenizer_t *tokenizer, lxb_html_token_t *token,
                                    void *context)
{
    struct fold *fold = context;
    const char *text = (const char *) token->text_start;
    size_t length = (size_t) (token->text_end - token->text_start);
    const char *name;
    size_t name_length;

    switch (token->tag_id) {
    case LXB_TAG__TEXT:
        fold_text(fold, text, length);
        break;
    case LXB_TAG__EM_COMMENT:
        fold_comment(fold, text, length);
        break;
    case LXB_TAG__EM_DOCTYPE:
        name = token->attr_first == NULL
                   ? ""
                   : (const char *) lxb_html_token_attr_name(token->attr_first, &name_length);
        fold_doctype(fold, name, token->attr_first == NULL ? 0 : name_length);
        break;
    case LXB_TAG__END_OF_FILE:
        break;
    default:
        name = (const char *) lxb_tag_name_by_id(token->tag_id, &name_length);
        fold_tag(fold, name, name_length, token);
        if (!(token->type & LXB_HTML_TOKEN_TYPE_CLOSE)) {
            lxb_html_tokenizer_set_state_by_tag(tokenizer, true, token->tag_id, LXB_NS_HTML);
        }
    }
    return token;
}

/* Folds the tokens of a page that is fed in chunks. Returns 0, or the error status. */
int lexbor_tokens(const char *html, size_t length, size_t chunk, struct fold *fold)
{
    lxb_html_tokenizer_t *tokenizer = lxb_html_tokenizer_create();
    lxb_status_t status = lxb_html_tokenizer_init(tokenizer);

    if (status == LXB_STATUS_OK) {
        status = lxb_html_tokenizer_tags_make(tokenizer, 128);
    }
    if (status == LXB_STATUS_OK) {
        status = lxb_html_tokenizer_attrs_make(tokenizer, 128);
    }
    lxb_html_tokenizer_callback_token_done_set(tokenizer, take_token, fold);
    if (status == LXB_STATUS_OK) {
        status = lxb_html_tokenizer_begin(tokenizer);
    }
    for (size_t from = 0; from < length && status == LXB_STATUS_OK; from += chunk) {
        size_t size = length - from < chunk ? length - from : chunk;
        status = lxb_html_tokenizer_chunk(tokenizer, (const lxb_char_t *) html + from, size);
        if (chunk >= length) {
            break;
        }
    }
    if (status == LXB_STATUS_OK) {
        status = lxb_html_tokenizer_end(tokenizer);
    }
    lxb_html_tokenizer_tags_destroy(tokenizer);
    lxb_html_tokenizer_attrs_destroy(tokenizer);
    lxb_html_tokenizer_destroy(tokenizer);
    return (int) status;
}

static void fold_open(struct fold *fold, lxb_dom_node_t *node)
{
    lxb_dom_character_data_t *data = lxb_dom_interface_character_data(node);
    const char *name, *value;
    size_t length, value_length;

    switch (node->type) {
    case LXB_DOM_NODE_TYPE_ELEMENT: {
        lxb_dom_element_t *element = lxb_dom_interface_element(node);
        name = (const char *) lxb_dom_element_qualified_name(element, &length);
        fold_start(fold, name, length);
        for (lxb_dom_attr_t *attribute = element->first_attr; attribute != NULL;
             attribute = attribute->next) {
            name = (const char *) lxb_dom_attr_qualified_name(attribute, &length);
            value = (const char *) lxb_dom_attr_value(attribute, &value_length);
            fold_attribute(fold, name, length, value, value_length);
        }
        break;
    }
    case LXB_DOM_NODE_TYPE_TEXT:
        fold_text(fold, (const char *) data->data.data, data->data.length);
        break;
    case LXB_DOM_NODE_TYPE_COMMENT:
        fold_comment(fold, (const char *) data->data.data, data->data.length);
        break;
    case LXB_DOM_NODE_TYPE_DOCUMENT_TYPE:
        name = (const char *) lxb_dom_document_type_name(lxb_dom_interface_document_type(node),
                                                         &length);
        fold_doctype(fold, name, length);
        break;
    default:
        break;
    }
}

static void fold_close(struct fold *fold, lxb_dom_node_t *node)
{
    size_t length;

    if (node->type == LXB_DOM_NODE_TYPE_ELEMENT) {
        lxb_dom_element_t *element = lxb_dom_interface_element(node);
        const char *name = (const char *) lxb_dom_element_qualified_name(element, &length);
        fold_end(fold, name, length);
    }
}

/* Returns the contents of the node if it is a template and has contents. */
static lxb_dom_node_t *template_contents(lxb_dom_node_t *node)
{
    if (node->local_name != LXB_TAG_TEMPLATE || node->ns != LXB_NS_HTML
        || node->type != LXB_DOM_NODE_TYPE_ELEMENT
        || lxb_html_interface_template(node)->content == NULL) {
        return NULL;
    }
    return lxb_dom_interface_node(lxb_html_interface_template(node)->content);
}

/* Folds the descendants of a node. The contents of templates precede their children and are folded by recursion. */
static void fold_below(struct fold *fold, lxb_dom_node_t *top)
{
    lxb_dom_node_t *node = top->first_child;

    while (node != NULL) {
        fold_open(fold, node);
        if (template_contents(node) != NULL) {
            fold_below(fold, template_contents(node));
        }
        if (node->first_child != NULL) {
            node = node->first_child;
            continue;
        }
        fold_close(fold, node);
        while (node->next == NULL && node->parent != top) {
            node = node->parent;
            fold_close(fold, node);
        }
        node = node->next;
    }
}

/* Builds the tree of a page, folds it and drops it. Returns 0, or the error status. */
int lexbor_tree(const char *html, size_t length, size_t chunk, struct fold *fold)
{
    lxb_html_document_t *document = lxb_html_document_create();
    lxb_status_t status;

    (void) chunk;
    if (document == NULL) {
        return 1;
    }
    lxb_dom_document_scripting_set(lxb_dom_interface_document(document), false);
    status = lxb_html_document_parse(document, (const lxb_char_t *) html, length);
    if (status == LXB_STATUS_OK) {
        fold_below(fold, lxb_dom_interface_node(document));
    }
    lxb_html_document_destroy(document);
    return (int) status;
}
