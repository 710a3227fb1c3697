// Written by hand instead of a general tree, so that nothing that is not listed above can be stored.
extension PageText: Codable {
    package init(from decoder: any Decoder) throws {
        throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "not implemented"))
    }

    package func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(
            self, .init(codingPath: encoder.codingPath, debugDescription: "not implemented"))
    }
}
