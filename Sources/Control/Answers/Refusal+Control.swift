package import Serving
package import Text

/// A refusal as a page for people.
package typealias RefusalPage = @Sendable (Refusal) -> ControlAnswer

extension Refusal {
    /// A 404 failure with the text of a query that found nothing.
    package init(notFound failure: BeaconQuery.Failure) {
        self.init(404, failure.problem, whatToDo: failure.remedy.isEmpty ? "name it exactly" : failure.remedy)
    }
}
