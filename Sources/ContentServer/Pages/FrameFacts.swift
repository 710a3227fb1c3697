import Curation
import CurationStore

/// What the frame of every page shows of the store.
struct FrameFacts: Sendable {
    /// The site's title; empty if it has none.
    var title = ""
    /// Documents that are not as they are published.
    var pending = 0
}

extension CuratorServices {
    /// A page is shown also if the store fails here: what the page itself reads says why.
    func currentFrameFacts() async -> FrameFacts {
        let facts = try? await frameFacts.value(of: store) {
            FrameFacts(
                title: try await store.site().document.site?.title ?? "", pending: try await store.pending().count)
        }
        return facts ?? FrameFacts()
    }
}
