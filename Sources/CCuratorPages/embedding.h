// What the lists of files share.
#pragma once

#include "CCuratorPages.h"

// It is standard C from C23 on, and Clang has it in all dialects.
#pragma clang diagnostic ignored "-Wc23-extensions"

#define EMBEDDED(name, octets) {name, octets, sizeof octets}

#define FILE_AT(index, files) ((index) < sizeof(files) / sizeof *(files) ? &(files)[index] : NULL)
