// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that neither the programs nor their tests wait for it. The sources are those of the main
// package, by symbolic links: its libraries are no products.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "beacond-benchmarks",
    targets: [
        .target(name: "Beacon", swiftSettings: settings),
        .target(name: "HCI", dependencies: ["Beacon"], swiftSettings: settings),
        .target(name: "Ranging", dependencies: ["Beacon"], swiftSettings: settings),
        .target(name: "Text", dependencies: ["Beacon", "Ranging"], swiftSettings: settings),
        .target(name: "Health", dependencies: ["Beacon", "Ranging", "Text"], swiftSettings: settings),
        .target(name: "Reports", dependencies: ["Beacon", "Health", "Ranging", "Text"], swiftSettings: settings),
        .target(name: "CAllocations"),
        .executableTarget(
            name: "DecodeBenchmark", dependencies: ["Beacon", "CAllocations", "HCI"], swiftSettings: settings),
        .executableTarget(
            name: "RangingBenchmark", dependencies: ["Beacon", "Ranging", "Reports"], swiftSettings: settings),
    ]
)
