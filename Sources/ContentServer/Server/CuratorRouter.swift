import HTTPTypes
import Hummingbird
import Serving
import Synchronization

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
        let router = Router(context: CuratorContext.self)
        let paths = RouterPaths()
        router.add(middleware: SessionMiddleware(services))
        router.add(middleware: RefusalMiddleware(services, paths))
        router.add(middleware: FormMiddleware(services))
        for group in groups { group.add(to: router, services: services) }
        paths.note(router)
        return router
    }
}

/// The paths of a router, for its own middleware. A router takes its middleware before its routes, so they are noted
/// when all routes are there.
final class RouterPaths: Sendable {
    private let known = Mutex(KnownPaths([]))

    func note(_ router: Router<CuratorContext>) {
        let paths = KnownPaths(router.routes.map { (path: $0.path.description, methods: [$0.method]) })
        known.withLock { $0 = paths }
    }

    /// For a path that is known, but does not have this method.
    func refusal(of method: HTTPRequest.Method, at path: String) -> Refusal? {
        known.withLock { $0 }.refusal(of: method, at: path)
    }
}
