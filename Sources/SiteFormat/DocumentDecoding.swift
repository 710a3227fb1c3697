import Text

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension Manifest {
    /// Decodes a manifest, and checks what the types cannot express.
    ///
    /// - Parameters:
    ///   - json: the document's bytes.
    ///   - source: the document's URL or file, for the message.
    /// - Throws: `ContentError` with code `.format`. Its place names the value: `URL: images[2].asset.sha256`.
    package init(json: [UInt8], source: String = "manifest") throws(ContentError) {
        let tokens = ContentLimits.manifestTokens
        _ = try JSONOutline(json, limits: .init(inner: tokens, outer: tokens, elements: tokens), source: source)
        self = try decodeDocument(Manifest.self, json: json, source: source)
        guard format == 1 else { throw unknownFormat(format, source: source) }
        if let name = beacon?.name { beacon?.name = boundedName(name) }
        for (language, variant) in variants {
            guard isLanguageTag(language) else {
                throw ContentError(
                    code: .format, place: "\(source): variants.\(excerpt(language, 40))",
                    cause: "it is no language tag",
                    remedy: "write a tag such as de or pt-BR and publish again")
            }
            variants[language]?.beacon?.name = variant.beacon?.name.map(boundedName)
        }
        var sizes: [AssetHash: Int64] = [:]
        for asset in uses {
            if let size = sizes.updateValue(asset.bytes, forKey: asset.sha256), size != asset.bytes {
                throw ContentError(
                    code: .format, place: source,
                    cause: "asset \(asset.sha256) is given with \(size) and with \(asset.bytes) bytes",
                    remedy: "give the file's true size in both places and publish again")
            }
        }
    }
}

package func unknownFormat(_ format: Int, source: String) -> ContentError {
    ContentError(
        code: .format, place: "\(source): format", cause: "format \(format) is not known here, only 1",
        remedy: "update this program, or publish in format 1")
}

/// Decodes JSON with errors that name the place in the document.
///
/// - Parameters:
///   - part: if `json` is a part of an array, the array's name and the index of the first element.
///   - remedy: what the author of the document should do.
package func decodeDocument<Document: Decodable>(
    _ type: Document.Type, json: [UInt8], source: String, part: (name: String, start: Int)? = nil,
    remedy: String = "correct it on the server and publish again"
) throws(ContentError) -> Document {
    do {
        return try JSONDecoder().decode(type, from: Data(json))
    } catch let error as DecodingError {
        throw ContentError(decoding: error, json: json, source: source, part: part, remedy: remedy)
    } catch {
        throw ContentError(
            code: .format, place: source, cause: "it is not JSON (\(error))", remedy: "publish a valid document")
    }
}

/// Encodes with sorted keys, so that equal values give equal bytes.
package func encodeDocument(_ document: some Encodable) throws(ContentError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
        return Array(try encoder.encode(document))
    } catch {
        throw ContentError(
            code: .storage, place: "side file", cause: "\(error)", remedy: "report this as a bug")
    }
}

extension ContentError {
    fileprivate init(
        decoding error: DecodingError, json: [UInt8], source: String, part: (name: String, start: Int)?,
        remedy: String
    ) {
        func place(_ path: [any CodingKey], _ last: (any CodingKey)? = nil) -> String {
            let text = jsonPath(last.map { path + [$0] } ?? path, part)
            return text.isEmpty ? source : "\(source): \(excerpt(text, 200))"
        }
        switch error {
        case .keyNotFound(let key, let context):
            self.init(code: .format, place: place(context.codingPath, key), cause: "it is missing", remedy: remedy)
        case .valueNotFound(let type, let context):
            self.init(
                code: .format, place: place(context.codingPath),
                cause: "it is null where \(jsonName(of: type)) is needed", remedy: remedy)
        case .typeMismatch(let type, let context):
            self.init(
                code: .format, place: place(context.codingPath), cause: "it is not \(jsonName(of: type))",
                remedy: remedy)
        case .dataCorrupted(let context):
            self.init(
                code: .format, place: place(context.codingPath), cause: Self.cause(of: context, in: json),
                remedy: remedy)
        @unknown default:
            self.init(code: .format, place: source, cause: "\(error)", remedy: remedy)
        }
    }
}

extension ContentError {
    /// The cause in this project's words. Foundation's messages about numbers and enumerations name types of the
    /// program.
    private static func cause(of context: DecodingError.Context, in json: [UInt8]) -> String {
        let text = context.debugDescription
        if let number = text.firstMatch(of: /^Parsed JSON number <(.*)> does not fit in/) {
            return "the number \(excerpt(String(number.1), 40)) is none that can stand there"
        }
        if let value = text.firstMatch(of: /from invalid \w+ value (.*)$/) {
            return "\"\(excerpt(String(value.1), 100))\" is none of the words that can stand there"
        }
        if let type = text.firstMatch(of: /^Could not convert key to type (\w+)$/), let key = context.codingPath.last {
            let key = "\"\(excerpt(key.stringValue, 100))\""
            return type.1 == "Language"
                ? "\(key) is no language: write a tag such as de or pt-BR"
                : "\(key) is none of the words that can stand there"
        }
        guard context.codingPath.isEmpty else { return excerpt(text, 300) }
        // Without a path, the text itself is not valid JSON, or the decoder gives no place for a number.
        guard (try? JSONDecoder().decode(AnyJSON.self, from: Data(json))) == nil else {
            return "a number in it does not fit, or a number or text is not written as in JSON"
        }
        return isTooDeep(json) ? "it is nested too deeply" : "it is not valid JSON"
    }

    /// Whether a text has more levels of brackets than Foundation's decoder follows. It does not say so itself.
    private static func isTooDeep(_ json: [UInt8]) -> Bool {
        let limits = JSONOutline.Limits(inner: .max, outer: .max, elements: .max, depth: 512)
        do throws(ContentError) {
            _ = try JSONOutline(json, limits: limits, source: "")
            return false
        } catch {
            return error.code == .tooLarge
        }
    }
}

/// Decodes any text with valid JSON syntax.
private struct AnyJSON: Decodable {
    init(from decoder: any Decoder) {}
}

/// `images[3].asset.sha256`
private func jsonPath(_ keys: [any CodingKey], _ part: (name: String, start: Int)?) -> String {
    if let part, let index = keys.first?.intValue {
        let rest = jsonPath(Array(keys.dropFirst()), nil)
        return "\(part.name)[\(part.start + index)]" + (rest.isEmpty || rest.hasPrefix("[") ? rest : ".\(rest)")
    }
    return keys.reduce(into: "") { text, key in
        if let index = key.intValue {
            text += "[\(index)]"
        } else {
            text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
        }
    }
}

private func jsonName(of type: Any.Type) -> String {
    switch type {
    case is String.Type: "a string"
    case is Bool.Type: "true or false"
    case is Double.Type: "a number"
    case is any FixedWidthInteger.Type: "a whole number in range"
    case is any Collection.Type where !(type is [String: Any].Type): "an array"
    default: "an object"
    }
}
