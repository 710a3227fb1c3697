#pragma once
#include <zlib.h>

/// `deflateInit2` for the gzip format (RFC 1952), best compression; a macro that Swift does not see.
static inline int beacond_gzip_init(z_stream *stream) {
    return deflateInit2(stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

/// `inflateInit2` for the bare data of a ZIP entry (APPNOTE 4.4.5, method 8).
static inline int beacond_zip_inflate_init(z_stream *stream) {
    return inflateInit2(stream, -15);
}
