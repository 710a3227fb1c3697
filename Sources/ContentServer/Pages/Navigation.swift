import CurationStore

/// The list of pages around each page: what there is, for whom, and where the reader is.
struct Navigation {
    var role: Account.Role
    /// The path of the page that is shown.
    var path: String
    /// Changes that are not published yet; shown beside Publish.
    var pending = 0

    private struct Item {
        var path: String
        var icon: String
        var role = Account.Role.viewer
        /// Under `nav.`; the same as the path without its slash unless it is given.
        var name: String

        init(_ path: String, _ icon: String, for role: Account.Role = .viewer, name: String? = nil) {
            self.path = path
            self.icon = icon
            self.role = role
            self.name = name ?? String(path.dropFirst())
        }
    }

    private static let groups: [(name: String, items: [Item])] = [
        (
            "content",
            [
                Item("/beacons", "beacon"), Item("/uncategorized", "image"), Item("/media", "media"),
                Item("/plans", "plan"),
            ]
        ),
        (
            "publishing",
            [Item("/publish", "publish"), Item("/preview", "eye", for: .editor), Item("/revisions", "revision")]
        ),
        ("hall", [Item("/devices", "device"), Item("/statistics", "chart")]),
        (
            "administration",
            [
                Item("/history", "history"), Item("/bin", "bin"), Item("/exchange", "exchange"),
                Item("/site", "site"), Item("/accounts", "people", for: .administrator),
                Item("/tokens", "key", for: .administrator),
            ]
        ),
    ]

    /// What the phone's bar has besides the menu.
    private static let bar = ["/beacons", "/media", "/publish", "/devices"]

    /// All pages in groups: `title`, `items`.
    func groups(_ texts: Catalogue) -> PageValue {
        .list(
            Self.groups.map { group in
                [
                    "title": .text(texts.text("nav.\(group.name)")),
                    "items": .list(group.items.filter { $0.role <= role }.map { value($0, texts) }),
                ]
            })
    }

    func bar(_ texts: Catalogue) -> PageValue {
        .list(Self.groups.flatMap(\.items).filter { Self.bar.contains($0.path) }.map { value($0, texts) })
    }

    private func value(_ item: Item, _ texts: Catalogue) -> PageValue {
        [
            "href": .text(item.path), "icon": .text(item.icon), "title": .text(texts.text("nav.\(item.name)")),
            "current": .flag(path == item.path || path.hasPrefix(item.path + "/")),
            "count": item.path == "/publish" && pending > 0 ? .text("\(min(pending, 999))") : .none,
        ]
    }
}
