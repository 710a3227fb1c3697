import Beacon
import Content
import Foundation
import Logging
import TestSupport

let hall = BeaconID(uuid: ProximityUUID(0x636F_3F8F_6491_4BEE_95F7_D8CC_64A8_63B5), major: 1, minor: 1)
let shop = BeaconID(uuid: hall.uuid, major: 1, minor: 2)
let attic = BeaconID(uuid: hall.uuid, major: 2, minor: 1)

/// A store with a sync client for one test.
struct Bench {
    let store: ContentStore
    let sync: ContentSync
    let log: EventLog

    /// - Parameter adjust: changes the settings, which have short pauses already.
    init(
        _ baseURL: String, directory: String? = nil, token: String? = nil,
        adjust: (inout ContentSettings) -> Void = { _ in }
    ) throws {
        let directory = try directory ?? temporaryFolder("store")
        var settings = try ContentSettings(baseURL: baseURL, directory: directory, token: token)
        settings.attemptPause = .milliseconds(5)
        settings.retryPause = .milliseconds(20)
        settings.maximumRetryPause = .milliseconds(200)
        settings.revalidationInterval = nil
        adjust(&settings)
        store = try ContentStore(directory: directory)
        sync = try ContentSync(settings: settings, store: store, logger: Logger(label: "test"))
        log = EventLog(sync.events)
    }

    /// Every stored asset of the beacon's content with its bytes, by hash.
    func files(_ beacon: BeaconID?) throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for path in store.content(for: beacon)?.files ?? [] {
            files[URL(fileURLWithPath: path).lastPathComponent] = Array(
                try Data(contentsOf: URL(fileURLWithPath: path)))
        }
        return files
    }

    /// Names in the folder for unfinished downloads.
    func leftovers() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(store.directory)/tmp")
    }
}

/// An asset with bytes that no other number gives.
func asset(_ number: Int, bytes: Int = 5000) -> ContentSite.Asset {
    var state = UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15 | 1
    return ContentSite.Asset(
        (0..<bytes).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 33)
        }, type: "image/png")
}

func image(_ number: Int, bytes: Int = 5000, gallery: [ContentSite.Asset] = []) -> ContentSite.Image {
    .init(id: "\(number)", title: "Image \(number)", asset: asset(number, bytes: bytes), gallery: gallery)
}
