import Glibc
import Platform
package import YAMLText

/// The plans of all floors, from a folder. They are read when the program starts.
package struct PlanFolder: Sendable {
    /// Bytes of a picture.
    package static let mostBytes = 16 << 20

    package struct Entry: Hashable, Sendable {
        package var plan: FloorPlan
        package var path: String
        package var mediaType: String
        /// Changes with the picture.
        package var tag: String
    }

    package let plans: [Entry]

    /// No plans.
    package init() { plans = [] }

    /// - Throws: `DocumentError` for a folder without `plans.yaml`, or with everything that is wrong in it.
    package init(_ folder: String) throws(DocumentError) {
        let path = folder + "/plans.yaml"
        let file = FloorPlansFile(try DocumentFile.text(of: path) ?? "")
        var issues = file.issues
        var plans: [Entry] = []
        for plan in file.plans {
            switch Self.entry(plan, folder) {
            case .success(let entry): plans.append(entry)
            case .failure(let problem): issues.append(.init("\(plan.picture) \(problem.text)"))
            }
        }
        guard issues.isEmpty else { throw DocumentError(file: path, issues: issues) }
        self.plans = plans
    }

    package subscript(floor: Int) -> Entry? { plans.first { $0.plan.floor == floor } }

    private struct Problem: Error {
        var text: String
    }

    private static func entry(_ plan: FloorPlan, _ folder: String) -> Result<Entry, Problem> {
        let path = "\(folder)/\(plan.picture)"
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return .failure(Problem(text: "cannot be read: \(SystemFailure())")) }
        defer { close(descriptor) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            return .failure(Problem(text: "is no file"))
        }
        guard facts.st_size <= mostBytes else {
            return .failure(
                Problem(text: "is larger than \(mostBytes >> 20) MiB: a plan of 3000 pixels is sharp enough"))
        }
        var head = [UInt8](repeating: 0, count: 16)
        let count = read(descriptor, &head, head.count)
        guard count > 0, let mediaType = FloorPlan.mediaType(of: head.prefix(count)) else {
            return .failure(Problem(text: "is neither PNG nor JPEG"))
        }
        let tag = "\"\(facts.st_ino)-\(facts.st_size)-\(facts.st_mtim.tv_sec)-\(facts.st_mtim.tv_nsec)\""
        return .success(Entry(plan: plan, path: path, mediaType: mediaType, tag: tag))
    }
}
