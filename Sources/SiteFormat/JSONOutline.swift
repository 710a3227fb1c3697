/// A single pass over a JSON text. It counts what decoding would cost, and finds the elements of one array, so that a
/// long list can be decoded in portions. Other errors are left to the decoder.
package struct JSONOutline: Sendable {
    /// The range of the array with its brackets; nil if there is none.
    package private(set) var array: Range<Int>?
    package private(set) var elements: [Range<Int>] = []

    package struct Limits: Sendable {
        /// The most values, keys and brackets inside of the array's elements, and outside of them.
        var inner: Int
        var outer: Int
        var elements: Int
        /// The most levels of brackets.
        var depth: Int

        package init(inner: Int, outer: Int, elements: Int, depth: Int = ContentLimits.nesting) {
            self.inner = inner
            self.outer = outer
            self.elements = elements
            self.depth = depth
        }
    }

    /// - Parameters:
    ///   - key: the key of the array in the outermost object.
    ///   - source: the document's URL or file, for the message.
    /// - Throws: `ContentError`: `.tooLarge` above the limits, `.format` if the array cannot be read.
    package init(
        _ json: [UInt8], arrayOf key: String = "", limits: Limits, source: String
    ) throws(ContentError) {
        var walk = Walk(key: Array(key.utf8), limits: limits)
        let failure = json.withUnsafeBufferPointer { walk.run($0) }
        switch failure {
        case nil: break
        case .tooLarge(let what)?:
            throw ContentError(
                code: .tooLarge, place: source, cause: "it has more \(what) than are allowed",
                remedy: "publish a smaller document")
        case .malformed?:
            throw ContentError(
                code: .format, place: "\(source): \(key)", cause: "it is not valid JSON",
                remedy: "correct it on the server and publish again")
        }
        array = walk.array
        elements = walk.elements
    }
}

private struct Walk {
    enum Failure {
        case tooLarge(String)
        case malformed
    }

    let key: [UInt8]
    let limits: JSONOutline.Limits
    var array: Range<Int>?
    var elements: [Range<Int>] = []
    private var (inner, outer, depth) = (0, 0, 0)
    private var isObject = false
    /// For the outermost object: whether the next string is a key, and whether the last key was the array's.
    private var (wantsKey, isWanted) = (false, false)
    /// Where the array and its current element begin.
    private var arrayStart: Int?
    private var elementStart: Int?

    init(key: [UInt8], limits: JSONOutline.Limits) {
        self.key = key
        self.limits = limits
    }

    mutating func run(_ json: UnsafeBufferPointer<UInt8>) -> Failure? {
        var index = 0
        while index < json.count {
            let failure: Failure?
            switch json[index] {
            case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ":"):
                index += 1
                continue
            case UInt8(ascii: "\""):
                let start = index
                index = Self.endOfString(json, index)
                failure = token(at: start)
                if depth == 1, wantsKey {
                    wantsKey = false
                    isWanted = index - start == key.count + 2
                        && json[(start + 1)..<(index - 1)].elementsEqual(key)
                }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                failure = open(json[index], at: index)
                index += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                failure = close(at: index)
                index += 1
            case UInt8(ascii: ","):
                failure = comma(at: index)
                index += 1
            default:
                failure = token(at: index)
                index = Self.endOfWord(json, index)
            }
            if let failure { return failure }
        }
        return nil
    }

    private mutating func token(at index: Int) -> Failure? {
        if arrayStart != nil {
            if depth == 2, elementStart == nil { elementStart = index }
            inner += 1
            return inner > limits.inner ? .tooLarge("values") : nil
        }
        outer += 1
        return outer > limits.outer ? .tooLarge("values") : nil
    }

    private mutating func open(_ bracket: UInt8, at index: Int) -> Failure? {
        if let failure = token(at: index) { return failure }
        depth += 1
        guard depth <= limits.depth else { return .tooLarge("brackets within brackets") }
        if depth == 1 {
            isObject = bracket == UInt8(ascii: "{")
            wantsKey = isObject
        } else if depth == 2, isWanted, arrayStart == nil, bracket == UInt8(ascii: "[") {
            guard array == nil else { return .malformed }
            arrayStart = index
        }
        return nil
    }

    private mutating func close(at index: Int) -> Failure? {
        if depth == 2, let start = arrayStart {
            if let element = elementStart {
                elements.append(element..<index)
            } else if !elements.isEmpty {
                return .malformed
            }
            array = start..<(index + 1)
            (arrayStart, elementStart, isWanted) = (nil, nil, false)
        }
        depth -= 1
        return depth < 0 ? .malformed : nil
    }

    private mutating func comma(at index: Int) -> Failure? {
        if depth == 2, arrayStart != nil {
            guard let element = elementStart else { return .malformed }
            elements.append(element..<index)
            elementStart = nil
            // One more element follows the comma.
            if elements.count >= limits.elements { return .tooLarge("entries") }
        } else if depth == 1 {
            wantsKey = isObject
            isWanted = false
        }
        return nil
    }

    private static func endOfString(_ json: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int {
        var index = start + 1
        while index < json.count {
            switch json[index] {
            case UInt8(ascii: "\""): return index + 1
            case UInt8(ascii: "\\"): index += 2
            default: index += 1
            }
        }
        return json.count
    }

    private static func endOfWord(_ json: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int {
        var index = start + 1
        while index < json.count {
            switch json[index] {
            case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "\""), UInt8(ascii: "{"),
                UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"):
                return index
            default: index += 1
            }
        }
        return json.count
    }
}
