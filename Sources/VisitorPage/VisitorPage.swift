/// The page for visitors: what is near, and what it has to tell. Plain files, which are part of the program; whatever
/// is shown comes from the control API.
package enum VisitorPage {
    /// The page itself, served at `/`.
    package static let index = PageFile("", html, PackageResources.index_html)

    /// What it is made of, served below `/page/`.
    package static let files: [PageFile] =
        [PageFile("frame.html", html, PackageResources.frame_html, policy: framePolicy)]
        + [PageFile("icon.svg", "image/svg+xml", PackageResources.icon_svg)]
        + styles.map { PageFile($0, "text/css; charset=utf-8", $1) }
        + scripts.map { PageFile($0, "text/javascript; charset=utf-8", $1) }

    /// The file of a name below `/page/`.
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
        ("qr.js", PackageResources.qr_js),
        ("ranking.js", PackageResources.ranking_js),
        ("store.js", PackageResources.store_js),
        ("tint.js", PackageResources.tint_js),
        ("visit.js", PackageResources.visit_js),
    ]

    /// Everything from this host, nothing inline: foreign text that slipped through as markup could still do nothing.
    static let policy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self'; \
        frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'
        """

    /// Pages of the content site are shown inside frame.html, and inherit this: they may look as they like, run
    /// nothing, and load nothing from elsewhere.
    static let framePolicy = """
        default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; font-src data:; frame-src 'none'; \
        base-uri 'none'; form-action 'none'; frame-ancestors 'self'
        """
}
