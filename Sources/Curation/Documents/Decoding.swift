extension KeyedDecodingContainer {
    /// The value of a key that older documents do not have.
    func value<Value: Decodable>(forKey key: Key, or missing: Value) throws -> Value {
        try decodeIfPresent(Value.self, forKey: key) ?? missing
    }

    /// A beacon's major or minor. The error gives the possible range.
    func number(forKey key: Key) throws -> UInt16? {
        guard let value = try decodeIfPresent(Int.self, forKey: key) else { return nil }
        guard let number = UInt16(exactly: value) else {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: self, debugDescription: Problem(.outOfRange, "0", "65535").english)
        }
        return number
    }
}
