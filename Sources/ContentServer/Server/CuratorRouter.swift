import HTTPTypes
import Hummingbird
import Serving

/// All routes of the server in one place.
package enum CuratorRouter {
    package static let groups: [any RouteGroup] = [
        Assets(),
        ReadingRoutes(),
        ReportRoutes(),
        ManagingRoutes(),
        ComponentRoutes(),
        HomeRoutes(),
        SignInRoutes(),
        OwnAccountRoutes(),
        AccountRoutes(),
        SiteRoutes(),
        HistoryRoutes(),
        BinRoutes(),
        SearchRoutes(),
        VendorRoutes(),
        BeaconPages(),
        ImageCards(),
        ImagePages(),
        ContentPages(),
        PageTextPages(),
        PasteRoutes(),
        MediaPages(),
        CropPages(),
        PictureRoutes(),
        PlanPages(),
        DeletePages(),
        PreviewRoutes(),
        LinkRoutes(),
        TokenRoutes(),
        PresenceRoutes(),
        DeviceRoutes(),
        StatisticsRoutes(),
        PublishRoutes(),
        RevisionRoutes(),
        ExchangeRoutes(),
    ]

    /// What tokens are for.
    static let realm = "beacon-content-server"

    static func responder(_ services: CuratorServices) -> RouterResponder<CuratorContext> {
        router(services).buildResponder()
    }

    /// What the server answers, as `GET /beacons/{id}`.
    package static func operations(_ services: CuratorServices) -> Set<String> {
        Set(router(services).routes.map { "\($0.method) \($0.path)" })
    }

    private static func router(_ services: CuratorServices) -> Router<CuratorContext> {
        let router = Router(context: CuratorContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: SessionMiddleware(services))
        router.add(middleware: RefusalMiddleware(services, knownPaths(services)))
        router.add(middleware: FormMiddleware(services))
        for group in groups { group.add(to: router, services: services) }
        return router
    }

    /// A router takes its middleware before its routes. So the paths come from one that answers nothing.
    private static func knownPaths(_ services: CuratorServices) -> KnownPaths {
        let router = Router(context: CuratorContext.self)
        for group in groups { group.add(to: router, services: services) }
        return KnownPaths(router.routes.map { (path: $0.path.description, methods: [$0.method]) })
    }
}
