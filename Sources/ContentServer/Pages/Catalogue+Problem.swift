import Curation
package import CurationStore
import Media
import Publishing
package import Text

extension Catalogue {
    /// What the store refused. Texts have `{0}` where only the English words say what it was.
    package func problem(_ error: StoreError) -> String {
        if let field = error.field, has("store.\(error.code.rawValue).\(field)") {
            return text("store.\(error.code.rawValue).\(field)")
        }
        let name = "store.\(error.code.rawValue)"
        return has(name) ? text(name, error.explanation) : error.explanation
    }

    /// Why a new password is refused: what its rule, which stands beside it, does not say.
    func refusal(ofPassword password: String, _ length: ClosedRange<Int>) -> String {
        password.count < length.lowerBound
            ? text("password.short", "\(password.count)", "\(length.lowerBound)")
            : text("password.long", "\(length.upperBound)")
    }

    /// Why something failed, in the reader's language as far as there are words.
    package func words(_ error: any ExplainedError) -> String {
        switch error {
        case let error as StoreError: problem(error)
        case let error as MediaError: text(error)
        case let error as PublishingError: text("publishing.\(error.code.rawValue)", error.explanation)
        default: error.explanation
        }
    }

    /// What a refusal's status means for whoever reads the page.
    package func words(ofStatus status: Int) -> String {
        let name = "refusal.what.\(status)"
        return text(has(name) ? name : status >= 500 ? "refusal.what.500" : "refusal.what.other")
    }
}
