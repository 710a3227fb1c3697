/// The kinds of events, by their names in every documented format (docs/api.md).
package enum EventKind: String, CaseIterable, Sendable {
    case entered
    case exited
    case nearest
    case proximity
    case region
    case health
    case scanner
    case source
    case content
    case site
    case part
    case configuration
}
