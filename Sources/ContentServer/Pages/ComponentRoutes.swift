import HTTPTypes
package import Hummingbird

/// A page that shows what pages are made of, for those who make pages.
package struct ComponentRoutes: RouteGroup {
    package init() {}

    package func add(to router: Router<CuratorContext>, services: CuratorServices) {
        router.get("/components") { _, context in
            try context.signedIn()
            return try await services.page("components", [:], context)
        }
    }
}
