package import Serving

/// Schemas that many answers use.
extension Schema {
    package static let count = Schema.integer(0...Int64(1) << 53)
    package static let decibels = Schema.number(-1000...1000)
    package static let seconds = Schema.number()

    /// A beacon by itself.
    package static let beacon = Schema.object(identity, required: numbers.keys.sorted())

    /// The properties of a beacon's identity, for answers that contain one.
    package static let identity = numbers.merging(["name": .text()]) { $1 }

    /// The identity without a name.
    static let numbers: [String: Schema] = ["uuid": .uuid, "major": .sixteenBits, "minor": .sixteenBits]

    /// An object with a beacon's identity and further properties, which are always present.
    package static func ofBeacon(_ properties: [String: Schema], optional: [String: Schema] = [:]) -> Schema {
        .object(
            identity.merging(properties) { $1 }.merging(optional) { $1 },
            required: numbers.keys.sorted() + properties.keys.sorted())
    }
}
