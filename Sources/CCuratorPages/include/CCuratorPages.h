// The files of CuratorPages/Resources, as they are when this is compiled.
//
// In C for its #embed, which takes no time: a literal of so many octets takes Swift's compiler two minutes, each time that
// one of the files changes.
#pragma once

#include <stddef.h>

/// A file in memory, for as long as the program runs.
struct embedded_file {
    const char *name;
    const unsigned char *octets;
    size_t count;
};

/// Each of these returns the file at an index from 0 on; NULL at the end.
const struct embedded_file *curator_template(size_t index);
const struct embedded_file *curator_language(size_t index);
/// Scripts, styles and pictures.
const struct embedded_file *curator_asset(size_t index);
