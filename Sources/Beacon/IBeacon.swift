/// The contents of an iBeacon advertisement: an identity, and the level at one metre.
///
/// On the air it is a manufacturer-specific AD structure (type 0xFF) of Apple's (company 0x004C, little-endian):
///
///     02 15 · UUID, 16 octets · major, big-endian · minor, big-endian · measured power
///
/// Source: Apple, "Proximity Beacon Specification", release R1, section 2.
public struct IBeacon: Hashable, Sendable {
    public var id: BeaconID

    /// The level in dBm that a receiver reads at 1 m, as the beacon claims. Real beacons send anything here (0, +1, +26
    /// and +104 were seen in the field), so no value is refused.
    public var measuredPower: Int8

    /// The battery level in percent, an octet that some beacons append. Nil if the frame ends with the measured power.
    public var battery: UInt8?

    @inlinable
    public init(id: BeaconID, measuredPower: Int8, battery: UInt8? = nil) {
        self.id = id
        self.measuredPower = measuredPower
        self.battery = battery
    }
}

// MARK: - Decoding

extension IBeacon {
    /// The first iBeacon in an advertising payload (AD structures), or nil.
    ///
    /// It accepts what real beacons send: no Flags, other structures before or after, octets after the measured power.
    /// It rejects data that only looks like an iBeacon: the frame must follow the AD type at once, and must end within
    /// the payload.
    @inlinable
    public static func first(in payload: RawSpan) -> IBeacon? {
        var structures = ADStructures()
        return first(in: payload, walking: &structures)
    }

    /// The same with an iteration of the caller's, which then says whether the payload was malformed.
    @inlinable
    public static func first(in payload: RawSpan, walking structures: inout ADStructures) -> IBeacon? {
        while let structure = structures.next(in: payload) {
            if structure.type == .manufacturerSpecificData,
                let beacon = IBeacon(manufacturerData: payload, in: structure.data) {
                return beacon
            }
        }
        return nil
    }

    /// Reads the value of a manufacturer-specific AD structure, company identifier included.
    ///
    /// A value of 25 octets or more is taken (some beacons append their battery level), if the inner length
    /// still says 0x15.
    @inlinable
    public init?(manufacturerData bytes: RawSpan, in range: Range<Int>) {
        guard range.count >= Self.manufacturerDataCount, range.upperBound <= bytes.byteCount else { return nil }
        // The compiler knows this length, so one bounds check serves for everything below.
        let frame = bytes.extracting(range.lowerBound..<range.lowerBound &+ Self.manufacturerDataCount)
        guard frame.bigEndian32(at: 0) == Self.frameStart else { return nil }
        id = BeaconID(
            uuid: ProximityUUID(bytes: frame, at: 4), major: frame.bigEndian16(at: 20), minor: frame.bigEndian16(at: 22)
        )
        measuredPower = Int8(bitPattern: frame.octet(at: 24))
        battery = range.count > Self.manufacturerDataCount
            ? bytes.octet(at: range.lowerBound &+ Self.manufacturerDataCount) : nil
    }

    /// Apple's company identifier, the type and the inner length.
    @inlinable
    static var frameStart: UInt32 { 0x4C00_0215 }

    /// Octets from the company identifier to the measured power.
    @inlinable
    static var manufacturerDataCount: Int { 25 }
}

// MARK: - Encoding

extension IBeacon {
    /// The advertising payload of 30 octets, or 31 with the battery: Flags, then the iBeacon structure.
    ///
    /// - Parameter flags: the value of the Flags structure (Core Specification Supplement, Part A, 1.3).
    ///   0x1A is what Apple's devices and the Raspberry Pi guides send; nil leaves the structure out.
    package func advertisingData(flags: UInt8? = 0x1A) -> [UInt8] {
        var data: [UInt8] = []
        data.reserveCapacity(30)
        if let flags {
            data += [2, ADType.flags.rawValue, flags]
        }
        data += [battery == nil ? 26 : 27, ADType.manufacturerSpecificData.rawValue, 0x4C, 0x00, 0x02, 0x15]
        for index in 0..<16 {
            data.append(id.uuid.octet(at: index))
        }
        data += [UInt8(id.major >> 8), UInt8(id.major & 0xFF), UInt8(id.minor >> 8), UInt8(id.minor & 0xFF)]
        data.append(UInt8(bitPattern: measuredPower))
        if let battery { data.append(battery) }
        return data
    }
}
