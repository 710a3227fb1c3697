import Curation
import CurationStore

enum LinkPurposeSeam { case password, invitation }
extension CurationStore {
    func createLink(for name: String, purpose: LinkPurposeSeam, at: Moment) async throws(StoreError) -> String {
        throw StoreError(.unusable, "links are not built yet")
    }
}
