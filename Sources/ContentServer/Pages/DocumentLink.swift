import Curation
import CurationStore

/// Where the page of a document is, and how its state looks.
enum DocumentLink {
    static func path(_ kind: Document.Kind, _ id: DocumentID) -> String {
        switch kind {
        case .beacon: "/beacons/\(id)"
        case .image: "/images/\(id)"
        case .media: "/media/\(id)"
        case .plan: "/plans/\(id)"
        case .site: "/site"
        }
    }

    /// Where a field is on its document's page: a content is in a dialog of its side.
    static func fragment(_ field: String) -> String {
        let parts = field.split(separator: ".")
        if parts.first == "contents", parts.count > 1 { return "#side-\(parts[1])" }
        return field.isEmpty ? "" : "#f-\(FormView.key(field))"
    }

    /// The class of a state's badge in the styles.
    static func tone(_ state: StoredDocument.State) -> String {
        state == .unpublished ? "draft" : state.rawValue
    }
}
