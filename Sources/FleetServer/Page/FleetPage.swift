import VisitorPage

/// The page for people: plans of the floors with what is where. Its files are part of the program; its data comes from
/// the routes.
enum FleetPage {
    static let index = PageFile("", "text/html; charset=utf-8", PackageResources.index_html, policy: policy)

    /// Its other files, served below `/page/`. Some are those of the page for visitors.
    static let files: [PageFile] =
        shared + styles.map { PageFile($0, "text/css; charset=utf-8", $1, policy: policy) }
        + scripts.map { PageFile($0, "text/javascript; charset=utf-8", $1, policy: policy) }

    private static let shared = ["dom.js", "feed.js", "icon.svg", "press.js"].compactMap(VisitorPage.file)

    private static let styles: [(String, [UInt8])] = [
        ("fleet.css", PackageResources.fleet_css),
        ("plan.css", PackageResources.plan_css),
    ]

    private static let scripts: [(String, [UInt8])] = [
        ("fleet.js", PackageResources.fleet_js),
        ("arrange.js", PackageResources.arrange_js),
        ("board.js", PackageResources.board_js),
        ("heat.js", PackageResources.heat_js),
        ("layout.js", PackageResources.layout_js),
        ("plan.js", PackageResources.plan_js),
        ("words.js", PackageResources.words_js),
    ]

    /// Everything must come from this host, and nothing inline runs.
    static let policy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
        base-uri 'none'; form-action 'none'; frame-ancestors 'self'
        """
}
