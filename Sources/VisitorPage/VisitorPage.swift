/// The page for visitors shows what is near and its content. Its files are part of the program; its data comes from the
/// control API.
package enum VisitorPage {
    /// The page itself, served at `/`.
    package static let index = PageFile("", html, PackageResources.index_html)

    /// The other files, served below `/page/`.
    package static let files: [PageFile] =
        [PageFile("frame.html", html, PackageResources.frame_html, policy: framePolicy)]
        + [PageFile("icon.svg", "image/svg+xml", PackageResources.icon_svg)]
        + styles.map { PageFile($0, "text/css; charset=utf-8", $1) }
        + scripts.map { PageFile($0, "text/javascript; charset=utf-8", $1) }

    /// The file with a name below `/page/`.
    package static func file(_ name: String) -> PageFile? {
        files.first { $0.name == name }
    }

    static let html = "text/html; charset=utf-8"

    private static let styles: [(String, [UInt8])] = [
        ("page.css", PackageResources.page_css),
        ("stage.css", PackageResources.stage_css),
        ("kiosk.css", PackageResources.kiosk_css),
    ]

    private static let scripts: [(String, [UInt8])] = [
        ("actions.js", PackageResources.actions_js),
        ("app.js", PackageResources.app_js),
        ("beacon.js", PackageResources.beacon_js),
        ("content.js", PackageResources.content_js),
        ("dialogs.js", PackageResources.dialogs_js),
        ("direction.js", PackageResources.direction_js),
        ("dom.js", PackageResources.dom_js),
        ("feed.js", PackageResources.feed_js),
        ("files.js", PackageResources.files_js),
        ("globe.js", PackageResources.globe_js),
        ("heading.js", PackageResources.heading_js),
        ("here.js", PackageResources.here_js),
        ("kiosk.js", PackageResources.kiosk_js),
        ("languages.js", PackageResources.languages_js),
        ("media.js", PackageResources.media_js),
        ("press.js", PackageResources.press_js),
        ("qr.js", PackageResources.qr_js),
        ("ranking.js", PackageResources.ranking_js),
        ("store.js", PackageResources.store_js),
        ("tint.js", PackageResources.tint_js),
        ("validity.js", PackageResources.validity_js),
        ("visit.js", PackageResources.visit_js),
    ]

    /// Everything must come from this host, and no inline code runs. So foreign markup can do nothing.
    package static let policy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self'; \
        frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'
        """

    /// The content site's pages are shown inside frame.html and inherit this policy: they may style themselves, but not
    /// run scripts or load anything from elsewhere.
    static let framePolicy = """
        default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; font-src data:; frame-src 'none'; \
        base-uri 'none'; form-action 'none'; frame-ancestors 'self'
        """
}
