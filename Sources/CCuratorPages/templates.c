#include "embedding.h"

static const unsigned char account_mustache[] = {
#embed "../CuratorPages/Resources/Templates/account.mustache"
};
static const unsigned char accounts_mustache[] = {
#embed "../CuratorPages/Resources/Templates/accounts.mustache"
};
static const unsigned char ahead_mustache[] = {
#embed "../CuratorPages/Resources/Templates/ahead.mustache"
};
static const unsigned char alone_mustache[] = {
#embed "../CuratorPages/Resources/Templates/alone.mustache"
};
static const unsigned char alone_language_mustache[] = {
#embed "../CuratorPages/Resources/Templates/alone_language.mustache"
};
static const unsigned char api_mustache[] = {
#embed "../CuratorPages/Resources/Templates/api.mustache"
};
static const unsigned char beacon_mustache[] = {
#embed "../CuratorPages/Resources/Templates/beacon.mustache"
};
static const unsigned char beacon_fields_mustache[] = {
#embed "../CuratorPages/Resources/Templates/beacon_fields.mustache"
};
static const unsigned char beacon_list_mustache[] = {
#embed "../CuratorPages/Resources/Templates/beacon_list.mustache"
};
static const unsigned char bin_mustache[] = {
#embed "../CuratorPages/Resources/Templates/bin.mustache"
};
static const unsigned char components_mustache[] = {
#embed "../CuratorPages/Resources/Templates/components.mustache"
};
static const unsigned char content_mustache[] = {
#embed "../CuratorPages/Resources/Templates/content.mustache"
};
static const unsigned char crop_mustache[] = {
#embed "../CuratorPages/Resources/Templates/crop.mustache"
};
static const unsigned char delete_mustache[] = {
#embed "../CuratorPages/Resources/Templates/delete.mustache"
};
static const unsigned char devices_mustache[] = {
#embed "../CuratorPages/Resources/Templates/devices.mustache"
};
static const unsigned char edit_area_mustache[] = {
#embed "../CuratorPages/Resources/Templates/edit_area.mustache"
};
static const unsigned char edit_aria_mustache[] = {
#embed "../CuratorPages/Resources/Templates/edit_aria.mustache"
};
static const unsigned char edit_changed_mustache[] = {
#embed "../CuratorPages/Resources/Templates/edit_changed.mustache"
};
static const unsigned char edit_check_mustache[] = {
#embed "../CuratorPages/Resources/Templates/edit_check.mustache"
};
static const unsigned char edit_error_mustache[] = {
#embed "../CuratorPages/Resources/Templates/edit_error.mustache"
};
static const unsigned char edit_foot_mustache[] = {
#embed "../CuratorPages/Resources/Templates/edit_foot.mustache"
};
static const unsigned char edit_health_mustache[] = {
#embed "../CuratorPages/Resources/Templates/edit_health.mustache"
};
static const unsigned char edit_hidden_mustache[] = {
#embed "../CuratorPages/Resources/Templates/edit_hidden.mustache"
};
static const unsigned char edit_languages_mustache[] = {
#embed "../CuratorPages/Resources/Templates/edit_languages.mustache"
};
static const unsigned char edit_line_mustache[] = {
#embed "../CuratorPages/Resources/Templates/edit_line.mustache"
};
static const unsigned char edit_media_mustache[] = {
#embed "../CuratorPages/Resources/Templates/edit_media.mustache"
};
static const unsigned char edit_mistakes_mustache[] = {
#embed "../CuratorPages/Resources/Templates/edit_mistakes.mustache"
};
static const unsigned char edit_notes_mustache[] = {
#embed "../CuratorPages/Resources/Templates/edit_notes.mustache"
};
static const unsigned char edit_scripts_mustache[] = {
#embed "../CuratorPages/Resources/Templates/edit_scripts.mustache"
};
static const unsigned char edit_select_mustache[] = {
#embed "../CuratorPages/Resources/Templates/edit_select.mustache"
};
static const unsigned char edit_state_mustache[] = {
#embed "../CuratorPages/Resources/Templates/edit_state.mustache"
};
static const unsigned char edit_time_mustache[] = {
#embed "../CuratorPages/Resources/Templates/edit_time.mustache"
};
static const unsigned char error_summary_mustache[] = {
#embed "../CuratorPages/Resources/Templates/error_summary.mustache"
};
static const unsigned char exchange_mustache[] = {
#embed "../CuratorPages/Resources/Templates/exchange.mustache"
};
static const unsigned char history_mustache[] = {
#embed "../CuratorPages/Resources/Templates/history.mustache"
};
static const unsigned char image_mustache[] = {
#embed "../CuratorPages/Resources/Templates/image.mustache"
};
static const unsigned char image_cards_mustache[] = {
#embed "../CuratorPages/Resources/Templates/image_cards.mustache"
};
static const unsigned char images_refused_mustache[] = {
#embed "../CuratorPages/Resources/Templates/images_refused.mustache"
};
static const unsigned char layout_mustache[] = {
#embed "../CuratorPages/Resources/Templates/layout.mustache"
};
static const unsigned char link_spent_mustache[] = {
#embed "../CuratorPages/Resources/Templates/link-spent.mustache"
};
static const unsigned char link_mustache[] = {
#embed "../CuratorPages/Resources/Templates/link.mustache"
};
static const unsigned char media_mustache[] = {
#embed "../CuratorPages/Resources/Templates/media.mustache"
};
static const unsigned char media_list_mustache[] = {
#embed "../CuratorPages/Resources/Templates/media_list.mustache"
};
static const unsigned char media_pick_mustache[] = {
#embed "../CuratorPages/Resources/Templates/media_pick.mustache"
};
static const unsigned char page_text_mustache[] = {
#embed "../CuratorPages/Resources/Templates/page_text.mustache"
};
static const unsigned char pager_mustache[] = {
#embed "../CuratorPages/Resources/Templates/pager.mustache"
};
static const unsigned char picture_mustache[] = {
#embed "../CuratorPages/Resources/Templates/picture.mustache"
};
static const unsigned char picture_row_mustache[] = {
#embed "../CuratorPages/Resources/Templates/picture_row.mustache"
};
static const unsigned char plan_mustache[] = {
#embed "../CuratorPages/Resources/Templates/plan.mustache"
};
static const unsigned char plan_fields_mustache[] = {
#embed "../CuratorPages/Resources/Templates/plan_fields.mustache"
};
static const unsigned char plan_list_mustache[] = {
#embed "../CuratorPages/Resources/Templates/plan_list.mustache"
};
static const unsigned char preview_mustache[] = {
#embed "../CuratorPages/Resources/Templates/preview.mustache"
};
static const unsigned char publish_mustache[] = {
#embed "../CuratorPages/Resources/Templates/publish.mustache"
};
static const unsigned char refusal_mustache[] = {
#embed "../CuratorPages/Resources/Templates/refusal.mustache"
};
static const unsigned char revisions_mustache[] = {
#embed "../CuratorPages/Resources/Templates/revisions.mustache"
};
static const unsigned char script_texts_mustache[] = {
#embed "../CuratorPages/Resources/Templates/script_texts.mustache"
};
static const unsigned char search_mustache[] = {
#embed "../CuratorPages/Resources/Templates/search.mustache"
};
static const unsigned char side_cell_mustache[] = {
#embed "../CuratorPages/Resources/Templates/side_cell.mustache"
};
static const unsigned char sign_in_mustache[] = {
#embed "../CuratorPages/Resources/Templates/sign-in.mustache"
};
static const unsigned char site_mustache[] = {
#embed "../CuratorPages/Resources/Templates/site.mustache"
};
static const unsigned char statistics_mustache[] = {
#embed "../CuratorPages/Resources/Templates/statistics.mustache"
};
static const unsigned char styles_mustache[] = {
#embed "../CuratorPages/Resources/Templates/styles.mustache"
};
static const unsigned char time_mustache[] = {
#embed "../CuratorPages/Resources/Templates/time.mustache"
};
static const unsigned char tokens_mustache[] = {
#embed "../CuratorPages/Resources/Templates/tokens.mustache"
};
static const unsigned char uncategorized_mustache[] = {
#embed "../CuratorPages/Resources/Templates/uncategorized.mustache"
};

static const struct embedded_file files[] = {
    EMBEDDED("account.mustache", account_mustache),
    EMBEDDED("accounts.mustache", accounts_mustache),
    EMBEDDED("ahead.mustache", ahead_mustache),
    EMBEDDED("alone.mustache", alone_mustache),
    EMBEDDED("alone_language.mustache", alone_language_mustache),
    EMBEDDED("api.mustache", api_mustache),
    EMBEDDED("beacon.mustache", beacon_mustache),
    EMBEDDED("beacon_fields.mustache", beacon_fields_mustache),
    EMBEDDED("beacon_list.mustache", beacon_list_mustache),
    EMBEDDED("bin.mustache", bin_mustache),
    EMBEDDED("components.mustache", components_mustache),
    EMBEDDED("content.mustache", content_mustache),
    EMBEDDED("crop.mustache", crop_mustache),
    EMBEDDED("delete.mustache", delete_mustache),
    EMBEDDED("devices.mustache", devices_mustache),
    EMBEDDED("edit_area.mustache", edit_area_mustache),
    EMBEDDED("edit_aria.mustache", edit_aria_mustache),
    EMBEDDED("edit_changed.mustache", edit_changed_mustache),
    EMBEDDED("edit_check.mustache", edit_check_mustache),
    EMBEDDED("edit_error.mustache", edit_error_mustache),
    EMBEDDED("edit_foot.mustache", edit_foot_mustache),
    EMBEDDED("edit_health.mustache", edit_health_mustache),
    EMBEDDED("edit_hidden.mustache", edit_hidden_mustache),
    EMBEDDED("edit_languages.mustache", edit_languages_mustache),
    EMBEDDED("edit_line.mustache", edit_line_mustache),
    EMBEDDED("edit_media.mustache", edit_media_mustache),
    EMBEDDED("edit_mistakes.mustache", edit_mistakes_mustache),
    EMBEDDED("edit_notes.mustache", edit_notes_mustache),
    EMBEDDED("edit_scripts.mustache", edit_scripts_mustache),
    EMBEDDED("edit_select.mustache", edit_select_mustache),
    EMBEDDED("edit_state.mustache", edit_state_mustache),
    EMBEDDED("edit_time.mustache", edit_time_mustache),
    EMBEDDED("error_summary.mustache", error_summary_mustache),
    EMBEDDED("exchange.mustache", exchange_mustache),
    EMBEDDED("history.mustache", history_mustache),
    EMBEDDED("image.mustache", image_mustache),
    EMBEDDED("image_cards.mustache", image_cards_mustache),
    EMBEDDED("images_refused.mustache", images_refused_mustache),
    EMBEDDED("layout.mustache", layout_mustache),
    EMBEDDED("link-spent.mustache", link_spent_mustache),
    EMBEDDED("link.mustache", link_mustache),
    EMBEDDED("media.mustache", media_mustache),
    EMBEDDED("media_list.mustache", media_list_mustache),
    EMBEDDED("media_pick.mustache", media_pick_mustache),
    EMBEDDED("page_text.mustache", page_text_mustache),
    EMBEDDED("pager.mustache", pager_mustache),
    EMBEDDED("picture.mustache", picture_mustache),
    EMBEDDED("picture_row.mustache", picture_row_mustache),
    EMBEDDED("plan.mustache", plan_mustache),
    EMBEDDED("plan_fields.mustache", plan_fields_mustache),
    EMBEDDED("plan_list.mustache", plan_list_mustache),
    EMBEDDED("preview.mustache", preview_mustache),
    EMBEDDED("publish.mustache", publish_mustache),
    EMBEDDED("refusal.mustache", refusal_mustache),
    EMBEDDED("revisions.mustache", revisions_mustache),
    EMBEDDED("script_texts.mustache", script_texts_mustache),
    EMBEDDED("search.mustache", search_mustache),
    EMBEDDED("side_cell.mustache", side_cell_mustache),
    EMBEDDED("sign-in.mustache", sign_in_mustache),
    EMBEDDED("site.mustache", site_mustache),
    EMBEDDED("statistics.mustache", statistics_mustache),
    EMBEDDED("styles.mustache", styles_mustache),
    EMBEDDED("time.mustache", time_mustache),
    EMBEDDED("tokens.mustache", tokens_mustache),
    EMBEDDED("uncategorized.mustache", uncategorized_mustache),
};

const struct embedded_file *curator_template(size_t index) { return FILE_AT(index, files); }
