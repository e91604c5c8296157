/* Counts and hashes everything that an engine written in C or C++ reads. This is `src/reading.rs` in C, because the
 * time of a call into Rust for each string would be added to the time of the engine. */

#ifndef FOLD_H
#define FOLD_H

#include <stdint.h>
#include <string.h>

/* The struct `Fold` of `src/reading.rs`. */
struct fold {
    uint64_t elements;
    uint64_t attributes;
    uint64_t bytes;
    uint64_t depth;
    uint64_t hash;
    uint64_t exact;
};

#define PRIME 0x00000100000001b3ULL
#define MIX 0x9e3779b97f4a7c15ULL

static inline uint64_t fold_word(const char *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, 8);
    return word;
}

static inline uint64_t fold_half(const char *bytes)
{
    uint32_t half;
    memcpy(&half, bytes, 4);
    return half;
}

/* Combines all bytes of a string into one number, by words that may overlap. */
static inline uint64_t fold_string(const char *bytes, size_t length)
{
    const unsigned char *single = (const unsigned char *) bytes;

    if (length >= 8) {
        uint64_t sum = fold_word(bytes + length - 8);
        for (size_t at = 0; at + 8 <= length; at += 8) {
            sum = ((sum << 5) | (sum >> 59)) + fold_word(bytes + at);
        }
        return sum;
    }
    if (length >= 4) {
        return fold_half(bytes) << 32 | fold_half(bytes + length - 4);
    }
    if (length > 0) {
        return (uint64_t) single[0] | (uint64_t) single[length / 2] << 8
               | (uint64_t) single[length - 1] << 16;
    }
    return 0;
}

/* Hashes bytes. Each byte changes the hash of all that follow. */
static inline void fold_bytes(struct fold *fold, const char *bytes, size_t length)
{
    fold->bytes += length;
    for (size_t at = 0; at < length; at++) {
        fold->hash = (fold->hash ^ (unsigned char) bytes[at]) * PRIME;
    }
}

static inline void fold_mark(struct fold *fold, uint64_t mark)
{
    fold->hash = (fold->hash ^ mark << 8) * PRIME;
}

/* Hashes a string after a mark, or, in the quick reading, folds the string by words. */
static inline void fold_marked(struct fold *fold, uint64_t mark, const char *bytes, size_t length)
{
    if (fold->exact) {
        fold_mark(fold, mark);
        fold_bytes(fold, bytes, length);
    } else {
        fold->bytes += length;
        fold->hash = (fold->hash ^ fold_string(bytes, length)) * MIX;
    }
}

static inline void fold_start(struct fold *fold, const char *name, size_t length)
{
    fold->elements++;
    fold->depth++;
    fold_marked(fold, 1, name, length);
}

static inline void fold_attribute(struct fold *fold, const char *name, size_t length,
                                  const char *value, size_t value_length)
{
    if (fold->exact && length >= 5 && memcmp(name, "xmlns", 5) == 0
        && (length == 5 || name[5] == ':')) {
        return;
    }
    fold->attributes++;
    fold_marked(fold, 2, name, length);
    fold_marked(fold, 3, value, value_length);
}

/* Returns whether text is whitespace outside the root element. Such text is not hashed, because some engines do not
 * report it. */
static inline int fold_is_outside(const struct fold *fold, const char *bytes, size_t length)
{
    for (size_t at = 0; at < length && fold->depth == 0; at++) {
        if (strchr(" \t\r\n", bytes[at]) == NULL) {
            return 0;
        }
    }
    return fold->depth == 0;
}

static inline void fold_text(struct fold *fold, const char *bytes, size_t length)
{
    if (!fold->exact) {
        fold_marked(fold, 0, bytes, length);
    } else if (!fold_is_outside(fold, bytes, length)) {
        fold_bytes(fold, bytes, length);
    }
}

static inline void fold_end(struct fold *fold, const char *name, size_t length)
{
    fold->depth -= fold->depth > 0;
    fold_marked(fold, 4, name, length);
}

static inline void fold_comment(struct fold *fold, const char *text, size_t length)
{
    fold_marked(fold, 5, text, length);
}

static inline void fold_doctype(struct fold *fold, const char *name, size_t length)
{
    fold_marked(fold, 6, name, length);
}

#endif
