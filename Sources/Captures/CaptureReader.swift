/// Reads a capture of any kind, record by record, in bounded memory: from a file, or from a pipe as it grows.
///
/// The kind is recognised from the first bytes, never from the name:
///
///     var reader = try CaptureReader(path: "walk.pcapng")
///     while try reader.next({ record, bytes in … }) {}
///
/// If a file is truncated or damaged, the reader delivers everything that can be read and then throws an error with the
/// place. After that, and after the end, `next` returns false.
package struct CaptureReader: ~Copyable, Sendable {
    /// Takes a record and the bytes that its content describes. The bytes are valid only during the call.
    package typealias RecordBody = (borrowing CapturedRecord, RawSpan) -> Void

    package let format: CaptureFormat
    /// False if no record of this file can have a time. If true, single records may still have none.
    package let hasTimes: Bool
    /// The names of the interfaces of a pcapng file; nil for other formats.
    package let interfaceNames: InterfaceNames?
    /// How many records were delivered, including skipped ones.
    package private(set) var recordCount = 0

    private var buffer: CaptureBuffer
    private var records: Records
    private var isFinished = false

    /// Reads from a descriptor of the caller, who closes it after the reader is gone.
    ///
    /// Blocks until enough has arrived to recognise the format.
    ///
    /// - Parameter path: the name to use in messages.
    package init(descriptor: Int32, path: String) throws(CaptureError) {
        try self.init(FileDescriptor(borrowing: descriptor, path: path))
    }

    /// Opens a file, a pipe or a device; `-` is standard input.
    package init(path: String) throws(CaptureError) {
        try self.init(FileDescriptor(reading: path))
    }

    private init(_ descriptor: consuming FileDescriptor) throws(CaptureError) {
        var buffer = CaptureBuffer(descriptor)
        var interfaceNames: InterfaceNames?
        switch try CaptureRecognition.recognise(&buffer) {
        case .btsnoop:
            let btsnoop = try BtsnoopRecords(&buffer)
            records = .btsnoop(btsnoop)
            format = CaptureFormat(.btsnoop, linkType: btsnoop.datalink.rawValue)
            hasTimes = true
        case .pcap(let order, let hasNanoseconds):
            let pcap = try PcapRecords(&buffer, order: order, hasNanoseconds: hasNanoseconds)
            records = .pcap(pcap)
            format = CaptureFormat(.pcap, linkType: UInt32(pcap.linkType.rawValue))
            hasTimes = true
        case .pcapng:
            let pcapng = try PcapngRecords(&buffer)
            interfaceNames = pcapng.interfaceNames
            records = .pcapng(pcapng)
            format = CaptureFormat(.pcapng, linkType: pcapng.linkType.map(UInt32.init))
            hasTimes = true
        case .hcidump(let isStamped):
            records = .hcidump(HcidumpRecords(hasTimes: isStamped))
            format = CaptureFormat(.hcidump)
            hasTimes = isStamped
        case .observations(let columns):
            records = .observations(try ObservationRecords(columns: columns, &buffer))
            format = CaptureFormat(.observations)
            hasTimes = columns.hasTime
        }
        self.interfaceNames = interfaceNames
        self.buffer = buffer
    }

    /// Whether the reader would probably have to wait for the next record: the source is a pipe that is empty now.
    ///
    /// Mutating, because it is asked after every record: a plain getter is called with a copy of the whole reader.
    package var isRunningDry: Bool { mutating get { buffer.isRunningDry } }

    /// The names of the scanners in an observation table, in the order of their first appearance; `scannerName` of a
    /// sighting is an index into it. Grows while reading, up to 65,535 names; empty for other formats.
    package var scannerNames: [String] {
        if case .observations(let observations) = records { return observations.scannerNames }
        return []
    }

    /// Reads the next record and calls `body` with it and its bytes.
    ///
    /// Records with nothing to decode are also delivered, as skipped, so that they can be counted.
    ///
    /// - Returns: false at the end of the file; `body` was not called then.
    /// - Throws: when the file is truncated, damaged, or cannot be read. All records before this place were delivered.
    package mutating func next(_ body: RecordBody) throws(CaptureError) -> Bool {
        guard !isFinished else { return false }
        do throws(CaptureError) {
            guard try read(body) else {
                isFinished = true
                return false
            }
        } catch {
            isFinished = true
            var error = error
            error.recordsBefore = recordCount
            throw error
        }
        recordCount += 1
        return true
    }

    @inline(__always)
    private mutating func read(_ body: RecordBody) throws(CaptureError) -> Bool {
        switch records {
        case .btsnoop(let btsnoop):
            return try btsnoop.next(&buffer, body)
        case .pcap(let pcap):
            return try pcap.next(&buffer, body)
        case .pcapng(var pcapng):
            // Moved out and back in, so that the arrays it owns are not copied.
            records = .taken
            defer { records = .pcapng(pcapng) }
            return try pcapng.next(&buffer, body)
        case .hcidump(var hcidump):
            records = .taken
            defer { records = .hcidump(hcidump) }
            return try hcidump.next(&buffer, body)
        case .observations(var observations):
            records = .taken
            defer { records = .observations(observations) }
            return try observations.next(&buffer, body)
        case .taken:
            return false
        }
    }

    private enum Records: Sendable {
        case btsnoop(BtsnoopRecords)
        case pcap(PcapRecords)
        case pcapng(PcapngRecords)
        case hcidump(HcidumpRecords)
        case observations(ObservationRecords)
        case taken
    }
}
