extension KeyedDecodingContainer {
    /// A number. If it is out of range, the error has its place, unlike the decoder's own error.
    func number<Number: Decodable>(_ type: Number.Type, forKey key: Key) throws -> Number {
        try placed(type, key) { try decode(type, forKey: key) }
    }

    /// A number; nil if it is missing or null.
    func numberIfPresent<Number: Decodable>(_ type: Number.Type, forKey key: Key) throws -> Number? {
        try placed(type, key) { try decodeIfPresent(type, forKey: key) }
    }

    private func placed<Value>(_ type: Any.Type, _ key: Key, _ decoding: () throws -> Value) throws -> Value {
        do {
            return try decoding()
        } catch let error as DecodingError {
            if case .dataCorrupted = error { throw unfit(type, key) }
            throw error
        } catch {
            throw unfit(type, key)
        }
    }

    private func unfit(_ type: Any.Type, _ key: Key) -> DecodingError {
        let needed: String = switch type {
        case is UInt16.Type: "a whole number from 0 to 65535 is needed"
        case is any FixedWidthInteger.Type: "a whole number in range is needed"
        default: "a number in range is needed"
        }
        return DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: needed)
    }
}
