package import Beacon

/// The state of reporting to the site.
package struct ReportStatus: Hashable, Sendable {
    /// When the site last accepted a report; nil if it has accepted none since the daemon started.
    package var last: Timestamp?
    /// Reports that wait to be sent.
    package var waiting: Int
    /// The current problem, in one line; nil if there is none.
    package var problem: String?

    package init(last: Timestamp? = nil, waiting: Int = 0, problem: String? = nil) {
        self.last = last
        self.waiting = waiting
        self.problem = problem
    }
}
