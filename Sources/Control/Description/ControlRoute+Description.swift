package import Serving

extension ControlRoute {
    /// The same route with parameters of the query.
    package func asking(_ parameters: APIOperation.Parameter...) -> ControlRoute {
        var route = self
        route.parameters += parameters
        return route
    }

    /// The same route, which answers with JSON.
    ///
    /// - Parameter others: further statuses with the same form, and what they mean.
    package func giving(_ schema: Schema, _ others: [Int: String] = [:]) -> ControlRoute {
        giving([.json(schema)], others.sorted { $0.key < $1.key }.map { .init($0.key, $0.value, [.json(schema)]) })
    }

    /// The same route, which answers with one of these contents.
    package func giving(_ contents: [APIOperation.Content], _ others: [APIOperation.Answer] = []) -> ControlRoute {
        var route = self
        route.answers = [.init(200, "Done.", contents)] + others
        return route
    }

    /// The route in the description of the API.
    var operation: APIOperation {
        var operation = APIOperation(method.rawValue, path, help)
        if method == .post { operation.about = "On the Unix socket only." }
        let names = path.split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
        operation.parameters = names.map { name in
            let (about, schema) = Self.variableParts[name] ?? ("", .text(least: 1))
            return .init(name, in: .path, about, schema)
        } + parameters
        operation.answers = answers
        return operation
    }

    private static let variableParts: [String: (about: String, schema: Schema)] = [
        "uuid": ("The proximity UUID.", Schema.uuid),
        "major": ("", .sixteenBits),
        "minor": ("", .sixteenBits),
        "sha256": ("The file's hash: 64 hexadecimal digits.", .text(pattern: "^[0-9a-fA-F]{64}$")),
        "file": ("A name from the page.", .text(least: 1)),
        "floor": ("0 is the ground floor.", .integer(-1000...1000)),
    ]
}

extension APIOperation.Parameter {
    private static func query(_ name: String, _ about: String, _ schema: Schema) -> Self {
        .init(name, in: .query, about, schema)
    }

    /// Some beacons, or one.
    package static let beacon = query(
        "beacon", "A name, MAJOR.MINOR, a UUID or UUID/MAJOR/MINOR; may be repeated for some.",
        .list(.text(least: 1), most: ControlRequest.mostBeacons))

    package static let oneBeacon = query("beacon", "A name, MAJOR.MINOR or UUID/MAJOR/MINOR.", .text(least: 1))

    /// The span of a report.
    package static let since = query(
        "since", "The beginning: how long before the end (90m, 24h, 7d), a time in RFC 3339, or all.", .text())
    package static let until = query("until", "The end: how long ago, or a time in RFC 3339; else now.", .text())

    package static func format(_ formats: [String]) -> Self {
        query("format", "The form of the answer.", .choice(formats))
    }

    package static let columns = query("columns", "The width of a text.", .integer(20...1000))

    /// For event streams.
    package static let after = query(
        "after", "The number of the last event that the client has.", .integer(0...Int64(1) << 53))

    /// A parameter that only has to be present, whatever its value.
    package static func flag(_ name: String, _ about: String) -> Self {
        query(name, about, .choice(["1"]))
    }

    package static let mediaType = query(
        "type", "The media type to answer with: images, audio, video and fonts.", .text())
}
