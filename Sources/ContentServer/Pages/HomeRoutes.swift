import HTTPTypes
package import Hummingbird

/// The first page: the beacons.
package struct HomeRoutes: RouteGroup {
    package init() {}

    package func add(to router: Router<CuratorContext>, services: CuratorServices) {
        router.get("/") { _, context in
            try context.signedIn()
            return services.redirect(to: "/beacons")
        }
    }
}
