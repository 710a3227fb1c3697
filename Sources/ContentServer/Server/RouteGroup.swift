package import Hummingbird

/// Routes that belong together. `CuratorRouter` lists all groups.
package protocol RouteGroup: Sendable {
    func add(to router: Router<CuratorContext>, services: CuratorServices)
}
