package import Beacon

/// How reporting to the site goes.
package struct ReportStatus: Hashable, Sendable {
    /// When the site took a report last; nil where it has taken none since the daemon started.
    package var last: Timestamp?
    /// Reports that wait to be sent.
    package var waiting: Int
    /// What is wrong, in one line; nil where nothing is.
    package var problem: String?

    package init(last: Timestamp? = nil, waiting: Int = 0, problem: String? = nil) {
        self.last = last
        self.waiting = waiting
        self.problem = problem
    }
}
