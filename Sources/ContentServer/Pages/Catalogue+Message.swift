import Curation

extension Catalogue {
    /// What is wrong with a field, in the reader's language.
    func message(_ problem: Problem) -> String {
        let name = "problem.\(problem.code.rawValue)"
        return has(name) ? text(name, arguments: problem.arguments) : problem.english
    }
}
