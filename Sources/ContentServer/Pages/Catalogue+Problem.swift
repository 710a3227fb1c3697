import CurationStore
import Text

extension Catalogue {
    /// What the store refused, in words of the reader's language where there are some.
    func problem(_ error: StoreError) -> String {
        let name = "store.\(error.code.rawValue)" + (error.field.map { ".\($0)" } ?? "")
        if has(name) { return text(name) }
        return error.remedy.isEmpty ? error.placedProblem : "\(error.placedProblem): \(error.remedy)"
    }
}
