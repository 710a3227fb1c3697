// swift-tools-version: 6.2
import PackageDescription

// What tools/mutate builds: the pure parts of beacond with their tests. The name makes `package` declarations visible.
let package = Package(
    name: "Mutation",
    dependencies: [
        .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
    ],
    targets: [
        .target(name: "Mutation"),
        .systemLibrary(name: "CLinux"),
        .target(name: "Beacon", dependencies: ["Mutation"]),
        .target(name: "HCI", dependencies: ["Beacon", "Mutation"]),
        .target(name: "Ranging", dependencies: ["Beacon", "Mutation"]),
        .target(name: "Text", dependencies: ["Beacon", "Ranging"]),
        .target(
            name: "SiteFormat", dependencies: ["Beacon", "Text", .product(name: "Crypto", package: "swift-crypto")]),
        .target(
            name: "Content",
            dependencies: [
                "Beacon", "Mutation", "SiteFormat", "Text", .product(name: "DequeModule", package: "swift-collections"),
            ]),
        .target(
            name: "TestSupport", dependencies: ["Beacon", "CLinux", .product(name: "Crypto", package: "swift-crypto")],
            path: "Tests/TestSupport"),
        .testTarget(name: "BeaconTests", dependencies: ["Beacon", "TestSupport"]),
        .testTarget(name: "HCITests", dependencies: ["Beacon", "HCI", "TestSupport"]),
        .testTarget(name: "RangingTests", dependencies: ["Beacon", "Ranging", "TestSupport"]),
        .testTarget(name: "ContentTests", dependencies: ["Beacon", "Content", "SiteFormat", "TestSupport"]),
    ]
)

for target in package.targets where target.type != .system {
    target.swiftSettings = [.swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault")]
}
