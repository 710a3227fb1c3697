package import HTTPTypes
import Hummingbird

/// The paths of a server, and the methods that each takes.
package struct KnownPaths: Sendable {
    private struct Known: Sendable {
        var path: RouterPath
        var methods: Set<String>
    }

    private let all: [Known]

    /// - Parameter routes: paths as the router has them, such as `/beacons/{id}`, without those that end with `**`. A
    ///   path may occur several times. HEAD is added to GET.
    package init(_ routes: [(path: String, methods: [HTTPRequest.Method])]) {
        all = routes.map { path, methods in
            let names = Set(methods.map(\.rawValue))
            return Known(path: RouterPath(path), methods: methods.contains(.get) ? names.union(["HEAD"]) : names)
        }
    }

    /// The methods that a path takes, in alphabetical order; nil if there is no such path.
    package func methods(at path: String) -> [String]? {
        let found = found(at: path)
        guard !found.isEmpty else { return nil }
        return found.reduce(into: Set<String>()) { $0.formUnion($1.methods) }.sorted()
    }

    /// The refusal that lists the methods of a known path (RFC 9110, section 15.5.6). Nil for an unknown path or an
    /// allowed method.
    package func refusal(of method: HTTPRequest.Method, at path: String) -> Refusal? {
        guard let allowed = methods(at: path), !allowed.isEmpty, !allowed.contains(method.rawValue) else { return nil }
        var refusal = Refusal(
            405, "\(path) does not take \(method.rawValue)", whatToDo: "use \(allowed.joined(separator: " or "))")
        refusal.allow = allowed
        return refusal
    }

    /// The route that a path belongs to, as it is written.
    package func name(of path: String) -> String? { found(at: path).first?.path.description }

    /// Routes without variables take precedence, as they do in the router.
    private func found(at path: String) -> [Known] {
        let parts = path.split(separator: "/")
        let found = all.filter { $0.path.count == parts.count && zip($0.path, parts).allSatisfy { $0 ~= $1 } }
        let exact = found.filter { !$0.path.description.contains("{") }
        return exact.isEmpty ? found : exact
    }
}
