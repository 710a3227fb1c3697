// The functions of libvips that are used, found at run time: its headers would bring a hundred packages.
// They are the same in libvips 8.13 and later, as long as the library is libvips.so.42.
#pragma once
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

typedef struct _VipsImage VipsImage;
typedef struct _VipsSource VipsSource;
typedef struct _VipsTarget VipsTarget;

enum {
    CVIPS_ACCESS_RANDOM = 0,
    CVIPS_ACCESS_SEQUENTIAL = 1,
    CVIPS_FAIL_ON_ERROR = 2,
    CVIPS_INTERPRETATION_B_W = 1,
    CVIPS_INTERPRETATION_CMYK = 15,
    CVIPS_INTERPRETATION_SRGB = 22,
    CVIPS_SIZE_DOWN = 2,
    CVIPS_SIZE_FORCE = 3,
};

// NULL-ended lists of options need calls through these types.
struct cvips {
    int (*init)(const char *);
    int (*version)(int);
    void (*block_untrusted_set)(int);
    void (*operation_block_set)(const char *, int);
    void (*concurrency_set)(int);
    void (*cache_set_max)(int);
    void (*vector_set_enabled)(int);
    const char *(*error_buffer)(void);
    void (*error_clear)(void);
    VipsSource *(*source_new_from_descriptor)(int);
    VipsTarget *(*target_new_to_descriptor)(int);
    const char *(*foreign_find_load_source)(VipsSource *);
    VipsImage *(*image_new_from_source)(VipsSource *, const char *, ...);
    int (*image_get_width)(const VipsImage *);
    int (*image_get_height)(const VipsImage *);
    int (*image_get_page_height)(VipsImage *);
    int (*image_get_interpretation)(const VipsImage *);
    int (*image_hasalpha)(VipsImage *);
    void (*image_set_int)(VipsImage *, const char *, int);
    size_t (*image_get_typeof)(const VipsImage *, const char *);
    int (*image_remove)(VipsImage *, const char *);
    void *(*image_write_to_memory)(VipsImage *, size_t *);
    int (*avg)(VipsImage *, double *, ...);
    int (*copy)(VipsImage *, VipsImage **, ...);
    int (*autorot)(VipsImage *, VipsImage **, ...);
    int (*icc_transform)(VipsImage *, VipsImage **, const char *, ...);
    int (*colourspace)(VipsImage *, VipsImage **, int, ...);
    int (*flatten)(VipsImage *, VipsImage **, ...);
    int (*cast_uchar)(VipsImage *, VipsImage **, ...);
    int (*extract_area)(VipsImage *, VipsImage **, int, int, int, int, ...);
    int (*thumbnail_source)(VipsSource *, VipsImage **, int, ...);
    int (*thumbnail_image)(VipsImage *, VipsImage **, int, ...);
    int (*jpegsave_target)(VipsImage *, VipsTarget *, ...);
    int (*pngsave_target)(VipsImage *, VipsTarget *, ...);
    int (*webpsave_target)(VipsImage *, VipsTarget *, ...);
};

// Fills the table. Returns NULL, or why it cannot.
static inline const char *cvips_load(struct cvips *vips) {
    void *library = dlopen("libvips.so.42", RTLD_NOW | RTLD_LOCAL);
    if (!library) return dlerror();
#define CVIPS_FIND(name) \
    *(void **)&vips->name = dlsym(library, "vips_" #name); \
    if (!vips->name) return "libvips has no vips_" #name;
    CVIPS_FIND(init)
    CVIPS_FIND(version)
    CVIPS_FIND(block_untrusted_set)
    CVIPS_FIND(operation_block_set)
    CVIPS_FIND(concurrency_set)
    CVIPS_FIND(cache_set_max)
    CVIPS_FIND(vector_set_enabled)
    CVIPS_FIND(error_buffer)
    CVIPS_FIND(error_clear)
    CVIPS_FIND(source_new_from_descriptor)
    CVIPS_FIND(target_new_to_descriptor)
    CVIPS_FIND(foreign_find_load_source)
    CVIPS_FIND(image_new_from_source)
    CVIPS_FIND(image_get_width)
    CVIPS_FIND(image_get_height)
    CVIPS_FIND(image_get_page_height)
    CVIPS_FIND(image_get_interpretation)
    CVIPS_FIND(image_hasalpha)
    CVIPS_FIND(image_set_int)
    CVIPS_FIND(image_get_typeof)
    CVIPS_FIND(image_remove)
    CVIPS_FIND(image_write_to_memory)
    CVIPS_FIND(avg)
    CVIPS_FIND(copy)
    CVIPS_FIND(autorot)
    CVIPS_FIND(icc_transform)
    CVIPS_FIND(colourspace)
    CVIPS_FIND(flatten)
    CVIPS_FIND(cast_uchar)
    CVIPS_FIND(extract_area)
    CVIPS_FIND(thumbnail_source)
    CVIPS_FIND(thumbnail_image)
    CVIPS_FIND(jpegsave_target)
    CVIPS_FIND(pngsave_target)
    CVIPS_FIND(webpsave_target)
#undef CVIPS_FIND
    return NULL;
}

// Opens a picture whose pixels are read later; all: every frame of an animation, one below the other.
static inline VipsImage *cvips_open(const struct cvips *vips, VipsSource *source, int access, int all) {
    if (all)
        return vips->image_new_from_source(
            source, "", "access", access, "fail_on", CVIPS_FAIL_ON_ERROR, "n", -1, NULL);
    return vips->image_new_from_source(source, "", "access", access, "fail_on", CVIPS_FAIL_ON_ERROR, NULL);
}

// Decodes all pixels; 0 if all could be.
static inline int cvips_decode(const struct cvips *vips, VipsImage *image) {
    double average;
    return vips->avg(image, &average, NULL);
}

static inline VipsImage *cvips_upright(const struct cvips *vips, VipsImage *image, int orientation) {
    VipsImage *copy = NULL, *out = NULL;
    if (vips->copy(image, &copy, NULL)) return NULL;
    vips->image_set_int(copy, "orientation", orientation);
    return vips->autorot(copy, &out, NULL) ? NULL : out;
}

// The picture in sRGB and without a colour profile: what shows it takes sRGB for granted.
static inline VipsImage *cvips_srgb(const struct cvips *vips, VipsImage *image) {
    VipsImage *converted = image, *out = NULL;
    int hasProfile = vips->image_get_typeof(image, "icc-profile-data") != 0;
    if (hasProfile && vips->icc_transform(image, &converted, "srgb", "embedded", 1, NULL)) {
        // A profile that cannot be used is treated as none.
        vips->error_clear();
        converted = image;
    }
    if (vips->image_get_interpretation(converted) == CVIPS_INTERPRETATION_CMYK) {
        if (vips->colourspace(converted, &out, CVIPS_INTERPRETATION_SRGB, NULL)) return NULL;
        converted = out;
    }
    if (!vips->image_get_typeof(converted, "icc-profile-data")) return converted;
    if (vips->copy(converted, &out, NULL)) return NULL;
    vips->image_remove(out, "icc-profile-data");
    return out;
}

static inline VipsImage *cvips_area(
    const struct cvips *vips, VipsImage *image, int left, int top, int width, int height) {
    VipsImage *out = NULL;
    return vips->extract_area(image, &out, left, top, width, height, NULL) ? NULL : out;
}

static inline VipsImage *cvips_thumbnail(const struct cvips *vips, VipsSource *source, int width) {
    VipsImage *out = NULL;
    // The height bounds pictures that are very tall.
    int failed = vips->thumbnail_source(
        source, &out, width, "height", width * 4, "size", CVIPS_SIZE_DOWN, "export_profile", "srgb", NULL);
    return failed ? NULL : out;
}

// A small grey version of a picture, as bytes; NULL if that fails.
static inline uint8_t *cvips_grey(const struct cvips *vips, VipsImage *image, int width, int height, size_t *count) {
    VipsImage *small = NULL, *flat = NULL, *grey = NULL, *bytes = NULL;
    if (vips->thumbnail_image(image, &small, width, "height", height, "size", CVIPS_SIZE_FORCE, NULL)) return NULL;
    flat = small;
    if (vips->image_hasalpha(small) && vips->flatten(small, &flat, NULL)) return NULL;
    if (vips->colourspace(flat, &grey, CVIPS_INTERPRETATION_B_W, NULL)) return NULL;
    if (vips->cast_uchar(grey, &bytes, NULL)) return NULL;
    return (uint8_t *)vips->image_write_to_memory(bytes, count);
}

static inline int cvips_save_jpeg(const struct cvips *vips, VipsImage *image, VipsTarget *target, int quality) {
    return vips->jpegsave_target(image, target, "Q", quality, "optimize_coding", 1, "strip", 1, NULL);
}

static inline int cvips_save_png(const struct cvips *vips, VipsImage *image, VipsTarget *target) {
    return vips->pngsave_target(image, target, "compression", 6, "strip", 1, NULL);
}

static inline int cvips_save_webp(const struct cvips *vips, VipsImage *image, VipsTarget *target, int quality) {
    return vips->webpsave_target(image, target, "Q", quality, "strip", 1, NULL);
}
