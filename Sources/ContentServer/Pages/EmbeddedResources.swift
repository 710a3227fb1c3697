/// The files of `Resources/`, by name. Their names are unique over all folders, since SwiftPM puts them into one place.
///
/// A test compares this list with the folders.
enum EmbeddedResources {
    static let templates: [String: [UInt8]] = [
        "account.mustache": PackageResources.account_mustache,
        "accounts.mustache": PackageResources.accounts_mustache,
        "alone.mustache": PackageResources.alone_mustache,
        "bin.mustache": PackageResources.bin_mustache,
        "components.mustache": PackageResources.components_mustache,
        "error_summary.mustache": PackageResources.error_summary_mustache,
        "history.mustache": PackageResources.history_mustache,
        "layout.mustache": PackageResources.layout_mustache,
        "pager.mustache": PackageResources.pager_mustache,
        "refusal.mustache": PackageResources.refusal_mustache,
        "script_texts.mustache": PackageResources.script_texts_mustache,
        "search.mustache": PackageResources.search_mustache,
        "sign-in.mustache": PackageResources.sign_in_mustache,
        "site.mustache": PackageResources.site_mustache,
        "styles.mustache": PackageResources.styles_mustache,
        "time.mustache": PackageResources.time_mustache,
    ]

    static let languages: [String: [UInt8]] = [
        "en.json": PackageResources.en_json,
        "bs.json": PackageResources.bs_json,
        "cs.json": PackageResources.cs_json,
        "de.json": PackageResources.de_json,
    ]

    /// Scripts, styles and pictures.
    static let assets: [String: [UInt8]] = [
        "base.css": PackageResources.base_css,
        "copying.js": PackageResources.copying_js,
        "curator.js": PackageResources.curator_js,
        "dialogs.js": PackageResources.dialogs_js,
        "dom.js": PackageResources.dom_js,
        "forms.css": PackageResources.forms_css,
        "frame.css": PackageResources.frame_css,
        "icon.svg": PackageResources.icon_svg,
        "icons.svg": PackageResources.icons_svg,
        "keeping.js": PackageResources.keeping_js,
        "parts.css": PackageResources.parts_css,
        "presence.js": PackageResources.presence_js,
        "session.js": PackageResources.session_js,
        "tables.css": PackageResources.tables_css,
        "times.js": PackageResources.times_js,
        "toasts.js": PackageResources.toasts_js,
    ]
}
