import Beacon
import TestSupport

let hall = BeaconID(uuid: ProximityUUID(0x636F_3F8F_6491_4BEE_95F7_D8CC_64A8_63B5), major: 1, minor: 1)
let shop = BeaconID(uuid: hall.uuid, major: 1, minor: 2)
let attic = BeaconID(uuid: hall.uuid, major: 2, minor: 1)

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
