extension KeyedDecodingContainer {
    /// The value of a key that older documents do not have.
    func value<Value: Decodable>(forKey key: Key, or missing: Value) throws -> Value {
        try decodeIfPresent(Value.self, forKey: key) ?? missing
    }
}
