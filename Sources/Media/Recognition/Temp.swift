enum PNGPicture { static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] }
struct MPEGFrame { init?(_ x: some Collection<UInt8>) { return nil } }
extension CleanFile {
    init(_ received: ReceivedFile, in library: MediaLibrary) throws(MediaError) {
        let facts = try library.helper.run(.inspect, received.work.descriptor, nil, library.limits)
        self.init(picture: facts, received)
    }
}
