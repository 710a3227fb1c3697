import Beacon

/// pcapng (IETF draft-ietf-opsawg-pcapng): blocks, each with its length before and after it.
///
///     type, 32 bits · total length, 32 bits · body, padded to 32 bits · total length again
///
/// A file can hold several sections, each with its own byte order and interfaces.
struct PcapngRecords: Sendable {
    /// Type of the Section Header Block; reads the same in both byte orders.
    static let magic: UInt32 = 0x0A0D_0D0A
    /// More interfaces than any host has. Limits the memory.
    private static let mostInterfaces = 4096

    private var order = ByteOrder.little
    private var interfaces: [PcapngInterface] = []
    private var hasSection = false
    private var understoodPackets = 0
    private var otherPackets = 0
    private var otherLinkType: UInt16?

    let interfaceNames = InterfaceNames()

    /// The link type of the first interface of the first section; nil if there is none.
    private(set) var linkType: UInt16?

    /// Reads up to the first interface, to know the link type of the file.
    init(_ buffer: inout CaptureBuffer) throws(CaptureError) {
        while interfaces.isEmpty {
            guard let block = try nextBlock(&buffer) else { return }
            switch block.type {
            case .sectionHeader: try readSection(block, &buffer)
            case .interfaceDescription: try readInterface(block, &buffer)
            case .enhancedPacket, .simplePacket, .packet: return
            default: try skip(block, &buffer)
            }
        }
        linkType = interfaces.first?.linkType
    }

    mutating func next(
        _ buffer: inout CaptureBuffer, _ body: CaptureReader.RecordBody
    ) throws(CaptureError) -> Bool {
        while let block = try nextBlock(&buffer) {
            switch block.type {
            case .sectionHeader:
                try readSection(block, &buffer)
            case .interfaceDescription:
                try readInterface(block, &buffer)
            case .enhancedPacket:
                try readEnhancedPacket(block, &buffer, body)
                return true
            case .simplePacket:
                try readSimplePacket(block, &buffer, body)
                return true
            case .packet:
                let record = CapturedRecord(time: nil, offset: buffer.offset, content: .skipped(.obsoleteBlock))
                try skip(block, &buffer)
                body(record, RawSpan())
                return true
            default:
                try skip(block, &buffer)
            }
        }
        if let otherLinkType, understoodPackets == 0, otherPackets > 0 {
            throw buffer.error(ofFile: .unsupported, LinkType.complaint(otherLinkType))
        }
        return false
    }
}

// MARK: - Blocks

extension PcapngRecords {
    private struct Block {
        var type: BlockType
        var length: Int
    }

    /// Section 11.1 of the draft. An open set.
    private struct BlockType: RawRepresentable, Equatable {
        var rawValue: UInt32

        static var sectionHeader: Self { Self(rawValue: magic) }
        static var interfaceDescription: Self { Self(rawValue: 1) }
        static var packet: Self { Self(rawValue: 2) }
        static var simplePacket: Self { Self(rawValue: 3) }
        static var enhancedPacket: Self { Self(rawValue: 6) }

        /// The minimum length of a block of this type, in bytes.
        var shortest: Int {
            switch self {
            case .sectionHeader: 28
            case .interfaceDescription: 20
            case .enhancedPacket: 32
            case .simplePacket: 16
            default: 12
            }
        }

        /// Whether the content of the block is read. It must then fit into the buffer.
        var isRead: Bool {
            self == .sectionHeader || self == .interfaceDescription || self == .enhancedPacket
                || self == .simplePacket
        }
    }

    /// Reads the header of the next block and, if its content is needed, the whole block. Nil at the end.
    private mutating func nextBlock(_ buffer: inout CaptureBuffer) throws(CaptureError) -> Block? {
        guard try buffer.has(12) else {
            guard buffer.count > 0 else { return nil }
            throw buffer.error(.truncated, "the file ends within a block's head")
        }
        let head = buffer.unread
        let type = BlockType(rawValue: order.read32(head.bytes, at: 0))
        if type == .sectionHeader {
            switch head.bytes.bigEndian32(at: 8) {
            case 0x1A2B_3C4D: order = .big
            case 0x4D3C_2B1A: order = .little
            default: throw buffer.error(.damaged, "a section header without its byte-order mark")
            }
            hasSection = true
        }
        let length = Int(order.read32(head.bytes, at: 4))
        guard hasSection, length >= type.shortest, length % 4 == 0 else {
            throw buffer.error(.damaged, "a block claims an impossible length of \(length) octets")
        }
        guard type.isRead else { return Block(type: type, length: length) }
        guard length <= CaptureBuffer.capacity else {
            throw buffer.error(.damaged, "a block claims \(length) octets, more than any packet has")
        }
        guard try buffer.has(length) else {
            throw buffer.error(
                .truncated, "the file ends within a block, \(length - buffer.count) octets before its end")
        }
        let trailer = UnsafeRawBufferPointer(rebasing: buffer.unread[(length - 4)...])
        try checkTrailer(length, trailer, buffer.offset, buffer)
        return Block(type: type, length: length)
    }

    private func checkTrailer(
        _ length: Int, _ bytes: UnsafeRawBufferPointer, _ start: UInt64, _ buffer: borrowing CaptureBuffer
    ) throws(CaptureError) {
        let trailer = order.read32(bytes.bytes, at: 0)
        guard trailer == UInt32(length) else {
            throw buffer.error(
                .damaged, "a block has length \(length) before it and \(trailer) behind it", at: start)
        }
    }

    /// Skips a block of any length.
    private func skip(_ block: Block, _ buffer: inout CaptureBuffer) throws(CaptureError) {
        let start = buffer.offset
        guard try buffer.skip(UInt64(block.length - 4)), try buffer.has(4) else {
            throw buffer.error(.truncated, "the file ends within a block", at: start)
        }
        try checkTrailer(block.length, buffer.unread, start, buffer)
        buffer.consume(4)
    }

    private mutating func readSection(_ block: Block, _ buffer: inout CaptureBuffer) throws(CaptureError) {
        let version = order.read16(buffer.unread.bytes, at: 12)
        guard version == 1 else {
            throw buffer.error(.unsupported, "pcapng version \(version); only version 1 is understood")
        }
        interfaces = []
        buffer.consume(block.length)
    }

    private mutating func readInterface(_ block: Block, _ buffer: inout CaptureBuffer) throws(CaptureError) {
        guard interfaces.count < Self.mostInterfaces else {
            throw buffer.error(.damaged, "more than \(Self.mostInterfaces) interfaces")
        }
        let unread = buffer.unread
        let body = unread.bytes.extracting(8..<block.length - 4)
        guard var interface = PcapngInterface(body, order) else {
            throw buffer.error(.damaged, "an interface description whose options run past its end")
        }
        interface.number = interfaceNames.number(of: interface.name ?? "interface \(interfaces.count)")
        interfaces.append(interface)
        buffer.consume(block.length)
    }
}

// MARK: - Packets

extension PcapngRecords {
    private mutating func readEnhancedPacket(
        _ block: Block, _ buffer: inout CaptureBuffer, _ body: CaptureReader.RecordBody
    ) throws(CaptureError) {
        let unread = buffer.unread
        let bytes = unread.bytes
        let index = Int(order.read32(bytes, at: 8))
        let length = Int(order.read32(bytes, at: 20))
        guard index < interfaces.count else {
            throw buffer.error(.damaged, "a packet of interface \(index), which is not described")
        }
        guard length <= block.length - 32 else {
            throw buffer.error(.damaged, "a packet claims \(length) octets in a block of \(block.length)")
        }
        let units = UInt64(order.read32(bytes, at: 12)) << 32 | UInt64(order.read32(bytes, at: 16))
        let time = interfaces[index].time(units)
        deliver(bytes.extracting(28..<28 + length), interfaces[index], time, buffer.offset, body)
        buffer.consume(block.length)
    }

    private mutating func readSimplePacket(
        _ block: Block, _ buffer: inout CaptureBuffer, _ body: CaptureReader.RecordBody
    ) throws(CaptureError) {
        guard let interface = interfaces.first else {
            throw buffer.error(.damaged, "a packet of interface 0, which is not described")
        }
        let unread = buffer.unread
        let bytes = unread.bytes
        var length = min(Int(order.read32(bytes, at: 8)), block.length - 16)
        if interface.snapLength > 0 { length = min(length, interface.snapLength) }
        deliver(bytes.extracting(12..<12 + length), interface, nil, buffer.offset, body)
        buffer.consume(block.length)
    }

    private mutating func deliver(
        _ packet: RawSpan, _ interface: PcapngInterface, _ time: Timestamp?, _ offset: UInt64,
        _ body: CaptureReader.RecordBody
    ) {
        if let linkType = LinkType(rawValue: interface.linkType) {
            understoodPackets += 1
            linkType.deliver(packet, time: time, interface: interface.number, offset: offset, to: body)
        } else {
            otherPackets += 1
            otherLinkType = otherLinkType ?? interface.linkType
            body(CapturedRecord(time: time, offset: offset, content: .skipped(.otherLinkType)), packet)
        }
    }
}
