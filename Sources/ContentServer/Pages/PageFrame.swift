/// What is around every page: its language, who is signed in, the navigation.
enum PageFrame {
    static func values(_ context: CuratorContext, _ services: CuratorServices) async -> PageValue {
        var values: [String: PageValue] = [
            "language": .text(context.language), "csrf": .text(context.csrf), "siteTitle": "beacon-content-server",
        ]
        if let visitor = context.visitor {
            values["account"] = [
                "name": .text(visitor.account), "role": .text(visitor.role.rawValue),
                "isEditor": .flag(visitor.role >= .editor), "isAdministrator": .flag(visitor.role >= .administrator),
            ]
        }
        return .map(values)
    }
}
