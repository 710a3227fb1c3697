import Text
package import YAMLText

/// The plan of a floor: a picture, and how large that is in the building.
package struct FloorPlan: Hashable, Sendable {
    package var floor: Int
    /// What people call the floor; nil for its number.
    package var name: String?
    /// The file's name in the folder of plans.
    package var picture: String
    /// Metres that the picture is wide.
    package var width: Double

    package init(floor: Int, name: String? = nil, picture: String, width: Double) {
        self.floor = floor
        self.name = name
        self.picture = picture
        self.width = width
    }

    /// From the picture's bytes; nil for what is neither PNG nor JPEG. (RFC 2083, section 3.1; ITU-T T.81, annex B.)
    package static func mediaType(of bytes: some Collection<UInt8>) -> String? {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        return bytes.starts(with: [0xFF, 0xD8, 0xFF]) ? "image/jpeg" : nil
    }
}

/// The file `plans.yaml` in a folder of plans:
///
///     - floor: 0
///       name: Ground floor
///       picture: 0.png
///       width_m: 42.5
package struct FloorPlansFile: Sendable {
    package static let mostPlans = 100

    /// What is wrong with it, in the order of the file.
    package private(set) var issues: [DocumentError.Issue] = []
    package private(set) var plans: [FloorPlan] = []

    package init(_ text: String) {
        var reader = YAMLReader()
        guard let root = reader.document(text) else {
            issues =
                reader.issues.isEmpty
                ? [.init("has no plans: a list of floor, picture and width_m is needed")] : reader.issues
            return
        }
        plans = reader.distinct(
            root, "the list of plans", atMost: Self.mostPlans, by: \.floor, read: Self.plan,
            twice: { "floor \($0.floor) has a plan already: each floor has one" }
        ).sorted { $0.floor < $1.floor }
        issues = reader.issues
    }

    private static func plan(_ node: Node, _ reader: inout YAMLReader) -> FloorPlan? {
        guard let values = reader.mapping(node, "a plan", known: ["floor", "name", "picture", "width_m"]) else {
            return nil
        }
        for key in ["floor", "picture", "width_m"] where values[key] == nil {
            reader.complain(node, "\(key) is missing")
        }
        let name = reader.text(values["name"], "name")
        let picture = reader.text(values["picture"], "picture")
        if let picture, !isFileName(picture), let value = values["picture"] {
            reader.complain(
                value, "picture is the name of a file in the same folder, of letters, digits, '-', '_' and '.'")
        }
        if let problem = name.flatMap(PlaceName.problem), let value = values["name"] {
            reader.complain(value, "name \(problem)")
        }
        guard let floor = reader.integer(values["floor"], "floor", -99...999),
            let width = reader.number(values["width_m"], "width_m", 1...10_000), let picture, isFileName(picture)
        else { return nil }
        return FloorPlan(floor: Int(floor), name: name, picture: picture, width: width)
    }

    /// Not a path, and not hidden.
    private static func isFileName(_ text: String) -> Bool {
        (1...100).contains(text.utf8.count) && !text.hasPrefix(".")
            && text.utf8.allSatisfy { octet in
                switch octet {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }
}
