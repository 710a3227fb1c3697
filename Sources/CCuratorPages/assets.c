#include "embedding.h"

static const unsigned char base_css[] = {
#embed "../CuratorPages/Resources/Assets/base.css"
};
static const unsigned char copying_js[] = {
#embed "../CuratorPages/Resources/Assets/copying.js"
};
static const unsigned char curator_js[] = {
#embed "../CuratorPages/Resources/Assets/curator.js"
};
static const unsigned char dialogs_js[] = {
#embed "../CuratorPages/Resources/Assets/dialogs.js"
};
static const unsigned char dom_js[] = {
#embed "../CuratorPages/Resources/Assets/dom.js"
};
static const unsigned char edit_crop_js[] = {
#embed "../CuratorPages/Resources/Assets/edit-crop.js"
};
static const unsigned char edit_dialogs_js[] = {
#embed "../CuratorPages/Resources/Assets/edit-dialogs.js"
};
static const unsigned char edit_drops_js[] = {
#embed "../CuratorPages/Resources/Assets/edit-drops.js"
};
static const unsigned char edit_focal_js[] = {
#embed "../CuratorPages/Resources/Assets/edit-focal.js"
};
static const unsigned char edit_identity_js[] = {
#embed "../CuratorPages/Resources/Assets/edit-identity.js"
};
static const unsigned char edit_media_js[] = {
#embed "../CuratorPages/Resources/Assets/edit-media.js"
};
static const unsigned char edit_moments_js[] = {
#embed "../CuratorPages/Resources/Assets/edit-moments.js"
};
static const unsigned char edit_page_js[] = {
#embed "../CuratorPages/Resources/Assets/edit-page.js"
};
static const unsigned char edit_plan_js[] = {
#embed "../CuratorPages/Resources/Assets/edit-plan.js"
};
static const unsigned char edit_preview_js[] = {
#embed "../CuratorPages/Resources/Assets/edit-preview.js"
};
static const unsigned char edit_rows_js[] = {
#embed "../CuratorPages/Resources/Assets/edit-rows.js"
};
static const unsigned char edit_server_js[] = {
#embed "../CuratorPages/Resources/Assets/edit-server.js"
};
static const unsigned char edit_sorting_js[] = {
#embed "../CuratorPages/Resources/Assets/edit-sorting.js"
};
static const unsigned char edit_css[] = {
#embed "../CuratorPages/Resources/Assets/edit.css"
};
static const unsigned char edit_js[] = {
#embed "../CuratorPages/Resources/Assets/edit.js"
};
static const unsigned char forms_css[] = {
#embed "../CuratorPages/Resources/Assets/forms.css"
};
static const unsigned char frame_css[] = {
#embed "../CuratorPages/Resources/Assets/frame.css"
};
static const unsigned char icon_svg[] = {
#embed "../CuratorPages/Resources/Assets/icon.svg"
};
static const unsigned char icons_svg[] = {
#embed "../CuratorPages/Resources/Assets/icons.svg"
};
static const unsigned char keeping_js[] = {
#embed "../CuratorPages/Resources/Assets/keeping.js"
};
static const unsigned char parts_css[] = {
#embed "../CuratorPages/Resources/Assets/parts.css"
};
static const unsigned char presence_js[] = {
#embed "../CuratorPages/Resources/Assets/presence.js"
};
static const unsigned char refresh_js[] = {
#embed "../CuratorPages/Resources/Assets/refresh.js"
};
static const unsigned char session_js[] = {
#embed "../CuratorPages/Resources/Assets/session.js"
};
static const unsigned char tables_css[] = {
#embed "../CuratorPages/Resources/Assets/tables.css"
};
static const unsigned char times_js[] = {
#embed "../CuratorPages/Resources/Assets/times.js"
};
static const unsigned char toasts_js[] = {
#embed "../CuratorPages/Resources/Assets/toasts.js"
};

static const struct embedded_file files[] = {
    EMBEDDED("base.css", base_css),
    EMBEDDED("copying.js", copying_js),
    EMBEDDED("curator.js", curator_js),
    EMBEDDED("dialogs.js", dialogs_js),
    EMBEDDED("dom.js", dom_js),
    EMBEDDED("edit-crop.js", edit_crop_js),
    EMBEDDED("edit-dialogs.js", edit_dialogs_js),
    EMBEDDED("edit-drops.js", edit_drops_js),
    EMBEDDED("edit-focal.js", edit_focal_js),
    EMBEDDED("edit-identity.js", edit_identity_js),
    EMBEDDED("edit-media.js", edit_media_js),
    EMBEDDED("edit-moments.js", edit_moments_js),
    EMBEDDED("edit-page.js", edit_page_js),
    EMBEDDED("edit-plan.js", edit_plan_js),
    EMBEDDED("edit-preview.js", edit_preview_js),
    EMBEDDED("edit-rows.js", edit_rows_js),
    EMBEDDED("edit-server.js", edit_server_js),
    EMBEDDED("edit-sorting.js", edit_sorting_js),
    EMBEDDED("edit.css", edit_css),
    EMBEDDED("edit.js", edit_js),
    EMBEDDED("forms.css", forms_css),
    EMBEDDED("frame.css", frame_css),
    EMBEDDED("icon.svg", icon_svg),
    EMBEDDED("icons.svg", icons_svg),
    EMBEDDED("keeping.js", keeping_js),
    EMBEDDED("parts.css", parts_css),
    EMBEDDED("presence.js", presence_js),
    EMBEDDED("refresh.js", refresh_js),
    EMBEDDED("session.js", session_js),
    EMBEDDED("tables.css", tables_css),
    EMBEDDED("times.js", times_js),
    EMBEDDED("toasts.js", toasts_js),
};

const struct embedded_file *curator_asset(size_t index) { return FILE_AT(index, files); }
