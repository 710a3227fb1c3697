import Text

/// Why a Bluetooth proxy cannot be used, and what to do.
package struct ProxyProblem: ExplainedError, Hashable {
    package var problem: String
    package var remedy: String

    package init(_ problem: String, _ remedy: String = "") {
        self.problem = printable(problem)
        self.remedy = remedy
    }
}
