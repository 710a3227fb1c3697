package import Events
package import Serving
package import Text

/// A refusal as a page for people.
package typealias RefusalPage = @Sendable (Refusal) -> ControlAnswer

extension Refusal {
    /// A 404 failure with the text of a query that found nothing; 400 if it can never find anything.
    package init(notFound failure: BeaconQuery.Failure) {
        self.init(
            failure.isWrongUsage ? 400 : 404, failure.problem,
            whatToDo: failure.remedy.isEmpty ? "name it exactly" : failure.remedy)
    }
}

extension BeaconFilter {
    /// Refuses a name that no beacon has. With many names it may take too long for the thread that
    /// answers requests.
    package func require(in names: Names) throws(Refusal) {
        guard !isEmpty else { return }
        do throws(BeaconQuery.Failure) {
            try requireNames(names.everyName)
        } catch {
            throw Refusal(notFound: error)
        }
    }
}
