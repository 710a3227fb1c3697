import HTTPTypes
import Hummingbird

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
        let router = Router(context: CuratorContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: SessionMiddleware(services))
        router.add(middleware: RefusalMiddleware(services))
        router.add(middleware: FormMiddleware(services))
        for group in groups { group.add(to: router, services: services) }
        return router.buildResponder()
    }
}
