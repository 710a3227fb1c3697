import Glibc

/// Which mutant runs: the number in `MUTANT`, or 0 for the program as it is.
public let active: Int = getenv("MUTANT").flatMap { Int(String(cString: $0)) } ?? 0

/// One octet for each place, 1 if it was reached. With `MUTANT_TRACE` it is written to that file at the end.
private nonisolated(unsafe) let reached: UnsafeMutablePointer<UInt8>? = {
    guard getenv("MUTANT_TRACE") != nil else { return nil }
    let octets = UnsafeMutablePointer<UInt8>.allocate(capacity: places)
    octets.initialize(repeating: 0, count: places)
    atexit { writeTrace() }
    return octets
}()

private let places = 100_000

private func writeTrace() {
    guard let reached, let path = getenv("MUTANT_TRACE"), let file = fopen(path, "w") else { return }
    fwrite(reached, 1, places, file)
    fclose(file)
}

/// Whether the mutant of this place runs.
@inline(__always)
public func isMutated(_ place: Int) -> Bool {
    reached?[place] = 1
    return active == place
}

/// A constant that has another value next to it.
public protocol MutableConstant {
    var another: Self { get }
}

extension MutableConstant where Self: FixedWidthInteger {
    public var another: Self { self == .max ? self - 1 : self + 1 }
}

extension MutableConstant where Self: BinaryFloatingPoint {
    public var another: Self { self == 0 ? 1 : self * 2 }
}

extension Int: MutableConstant {}
extension Int8: MutableConstant {}
extension Int16: MutableConstant {}
extension Int32: MutableConstant {}
extension Int64: MutableConstant {}
extension UInt: MutableConstant {}
extension UInt8: MutableConstant {}
extension UInt16: MutableConstant {}
extension UInt32: MutableConstant {}
extension UInt64: MutableConstant {}
extension Double: MutableConstant {}
extension Float: MutableConstant {}

public func integer<T: MutableConstant & ExpressibleByIntegerLiteral>(_ value: T, _ place: Int) -> T {
    isMutated(place) ? value.another : value
}

public func fraction<T: MutableConstant & ExpressibleByFloatLiteral>(_ value: T, _ place: Int) -> T {
    isMutated(place) ? value.another : value
}

public func truth(_ value: Bool, _ place: Int) -> Bool { isMutated(place) ? !value : value }
