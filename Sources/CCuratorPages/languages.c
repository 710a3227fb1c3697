#include "embedding.h"

static const unsigned char bs_content_json[] = {
#embed "../CuratorPages/Resources/Languages/bs-content.json"
};
static const unsigned char bs_media_json[] = {
#embed "../CuratorPages/Resources/Languages/bs-media.json"
};
static const unsigned char bs_json[] = {
#embed "../CuratorPages/Resources/Languages/bs.json"
};
static const unsigned char cs_content_json[] = {
#embed "../CuratorPages/Resources/Languages/cs-content.json"
};
static const unsigned char cs_media_json[] = {
#embed "../CuratorPages/Resources/Languages/cs-media.json"
};
static const unsigned char cs_json[] = {
#embed "../CuratorPages/Resources/Languages/cs.json"
};
static const unsigned char de_content_json[] = {
#embed "../CuratorPages/Resources/Languages/de-content.json"
};
static const unsigned char de_media_json[] = {
#embed "../CuratorPages/Resources/Languages/de-media.json"
};
static const unsigned char de_json[] = {
#embed "../CuratorPages/Resources/Languages/de.json"
};
static const unsigned char en_content_json[] = {
#embed "../CuratorPages/Resources/Languages/en-content.json"
};
static const unsigned char en_media_json[] = {
#embed "../CuratorPages/Resources/Languages/en-media.json"
};
static const unsigned char en_json[] = {
#embed "../CuratorPages/Resources/Languages/en.json"
};

static const struct embedded_file files[] = {
    EMBEDDED("bs-content.json", bs_content_json),
    EMBEDDED("bs-media.json", bs_media_json),
    EMBEDDED("bs.json", bs_json),
    EMBEDDED("cs-content.json", cs_content_json),
    EMBEDDED("cs-media.json", cs_media_json),
    EMBEDDED("cs.json", cs_json),
    EMBEDDED("de-content.json", de_content_json),
    EMBEDDED("de-media.json", de_media_json),
    EMBEDDED("de.json", de_json),
    EMBEDDED("en-content.json", en_content_json),
    EMBEDDED("en-media.json", en_media_json),
    EMBEDDED("en.json", en_json),
};

const struct embedded_file *curator_language(size_t index) { return FILE_AT(index, files); }
