// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "beacond",
    products: [
        .executable(name: "beacond", targets: ["beacond"]),
        .executable(name: "beaconctl", targets: ["beaconctl"]),
        .executable(name: "beaconctl-daemon", targets: ["beaconctl-daemon"]),
        .executable(name: "beacon-advertise", targets: ["beacon-advertise"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0", traits: []),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", exact: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: []),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
    ],
    targets: [
        // C libraries
        .systemLibrary(name: "CBluez", pkgConfig: "bluez", providers: [.apt(["libbluetooth-dev"])]),
        .systemLibrary(name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
        .systemLibrary(name: "CMosquitto", pkgConfig: "libmosquitto", providers: [.apt(["libmosquitto-dev"])]),
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CLibYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

        // Pure core: no I/O, no clocks
        .target(name: "Beacon"),
        .target(name: "HCI", dependencies: ["Beacon"]),
        .target(name: "Ranging", dependencies: ["Beacon"]),
        .target(name: "Captures", dependencies: ["Beacon", "HCI"]),

        // Shell: sockets, threads, files, network
        .target(name: "Coordination"),
        .target(name: "YAMLText", dependencies: ["CLibYAML"]),
        .target(
            name: "SiteSettings",
            dependencies: ["Beacon", "Ranging", "YAMLText"]),
        .target(
            name: "Radio",
            dependencies: [
                "Beacon", "Coordination", "HCI", "Captures", "CBluez",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]),
        .target(name: "Bus", dependencies: ["CDBus", "Radio"]),
        .target(name: "BlueZ", dependencies: ["Beacon", "Bus", "HCI", "Radio"]),
        .target(
            name: "RadioEmulation",
            dependencies: [
                "Beacon", "HCI", "Radio", "YAMLText",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]),
        .target(
            name: "Content",
            dependencies: [
                "Beacon", "Coordination", "CLinux",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]),
        .target(
            name: "Listening",
            dependencies: [
                "Beacon", "BlueZ", "HCI", "Captures", "Radio", "RadioEmulation",
                .product(name: "DequeModule", package: "swift-collections"),
            ]),
        .target(
            name: "Advertising",
            dependencies: [
                "Beacon", "BlueZ", "HCI", "Listening", "Radio", "RadioEmulation", "YAMLText",
            ]),
        .target(name: "Doctor", dependencies: ["Beacon", "BlueZ", "HCI", "CLinux", "Radio", "Listening"]),
        .target(
            name: "Console",
            dependencies: [
                "Beacon", "CLinux", "CSystemd", "HCI", "Captures", "Radio", "Ranging", "Listening", "SiteSettings",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ]),
        .target(
            name: "Events",
            dependencies: [
                "Beacon", "Console", "Content", "Radio", "Ranging",
                .product(name: "DequeModule", package: "swift-collections"),
            ]),
        .target(
            name: "Control",
            dependencies: [
                "Beacon", "Console", "Content", "CSystemd", "Events", "Radio", "Ranging",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "_NIOFileSystem", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]),
        .target(
            name: "Instruments",
            dependencies: [
                "Beacon", "Console", "Content", "Events", "HCI", "Listening", "Radio", "Ranging",
                .product(name: "CoreMetrics", package: "swift-metrics"),
            ]),
        .target(
            name: "VisitorPage", dependencies: ["CZlib", .product(name: "Crypto", package: "swift-crypto")],
            resources: [.embedInCode("Resources")]),
        .target(
            name: "BusService",
            dependencies: [
                "Beacon", "Bus", "Content", "Coordination", "Events", "Ranging",
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]),
        .target(
            name: "Hooks",
            dependencies: [
                "Beacon", "CLinux", "Console", "Coordination", "Events", "Radio",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]),
        .target(
            name: "MQTT",
            dependencies: [
                "Beacon", "CMosquitto", "Console", "Content", "Coordination", "Events", "Radio", "Ranging",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]),
        .target(
            name: "ControlClient",
            dependencies: [
                "Beacon", "Console", "Ranging",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ]),
        .target(
            name: "Reports",
            dependencies: [
                "Beacon", "Console", "Ranging", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .target(
            name: "History",
            dependencies: [
                "Beacon", "Console", "Content", "Events", "Radio", "Ranging", "Reports",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]),
        .target(
            name: "Daemon",
            dependencies: [
                "Beacon", "HCI", "Captures", "Ranging", "Content", "Radio", "Listening", "Console", "CLinux",
                "Bus", "BusService", "Control", "Coordination", "Events", "History", "Hooks", "Instruments", "MQTT",
                "Reports", "SiteSettings", "VisitorPage", "YAMLText",
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ]),

        // Programs
        .executableTarget(
            name: "beacond",
            dependencies: [
                "Daemon", "Console", "Content", "Events", "Instruments", "Listening", "Radio",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .executableTarget(
            name: "beaconctl",
            dependencies: [
                "Beacon", "HCI", "Radio", "Ranging", "Reports", "Listening", "Console", "Doctor", "SiteSettings",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .executableTarget(
            name: "beaconctl-daemon",
            dependencies: [
                "Beacon", "Radio", "Ranging", "Console", "Reports", "Content", "ControlClient", "Daemon", "Events", "SiteSettings",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .executableTarget(
            name: "beacon-advertise",
            dependencies: [
                "Advertising", "Beacon", "HCI", "Radio", "RadioEmulation", "Listening", "Console", "YAMLText",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        // For tests on a real kernel: the emulated air behind /dev/vhci
        .executableTarget(
            name: "vhci-air",
            dependencies: [
                "Advertising", "Beacon", "HCI", "Radio", "RadioEmulation", "Console",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),

        // Tests
        .target(
            name: "TestSupport", dependencies: ["Beacon", .product(name: "Crypto", package: "swift-crypto")],
            path: "Tests/TestSupport"),
        .testTarget(name: "BeaconTests", dependencies: ["Beacon", "TestSupport"]),
        .testTarget(name: "HCITests", dependencies: ["Beacon", "HCI", "TestSupport"]),
        .testTarget(name: "CapturesTests", dependencies: ["Beacon", "HCI", "Captures"]),
        .testTarget(name: "RangingTests", dependencies: ["Beacon", "Ranging"]),
        .testTarget(name: "RadioTests", dependencies: ["Beacon", "HCI", "Captures", "Radio", "TestSupport"]),
        .testTarget(
            name: "RadioEmulationTests",
            dependencies: ["Beacon", "HCI", "Radio", "RadioEmulation", "TestSupport", "YAMLText"]),
        .testTarget(
            name: "ContentTests",
            dependencies: ["Beacon", "Content", "TestSupport", .product(name: "Logging", package: "swift-log")]),
        .testTarget(name: "BlueZTests", dependencies: ["Beacon", "BlueZ", "Bus", "CDBus", "HCI", "Radio", "TestSupport"]),
        .testTarget(name: "ListeningTests", dependencies: ["Beacon", "Listening", "Radio", "TestSupport"]),
        .testTarget(
            name: "AdvertisingTests",
            dependencies: [
                "Advertising", "Beacon", "HCI", "Listening", "Radio", "RadioEmulation", "TestSupport", "YAMLText",
            ]),
        .testTarget(
            name: "SiteSettingsTests", dependencies: ["Beacon", "Ranging", "SiteSettings", "TestSupport", "YAMLText"]),
        .testTarget(name: "ConsoleTests", dependencies: ["Beacon", "Captures", "Ranging", "Console"]),
        .testTarget(
            name: "BusServiceTests",
            dependencies: [
                "Beacon", "Bus", "BusService", "Content", "Events", "Ranging", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]),
        .testTarget(
            name: "HooksTests",
            dependencies: [
                "Beacon", "Events", "Hooks", "Ranging", "TestSupport", .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]),
        .testTarget(
            name: "MQTTTests",
            dependencies: [
                "Beacon", "Events", "MQTT", "Ranging", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]),
        .testTarget(
            name: "EventsTests", dependencies: ["Beacon", "Content", "Events", "Radio", "Ranging", "TestSupport"]),
        .testTarget(
            name: "InstrumentsTests",
            dependencies: [
                "Beacon", "Content", "Events", "HCI", "Instruments", "Listening", "Radio", "Ranging", "TestSupport",
                .product(name: "CoreMetrics", package: "swift-metrics"),
            ]),
        .testTarget(
            name: "HistoryTests",
            dependencies: [
                "Beacon", "Console", "Content", "Events", "History", "Ranging", "Reports", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]),
        .testTarget(name: "ReportsTests", dependencies: ["Beacon", "Console", "Ranging", "Reports", "TestSupport"]),
        .testTarget(
            name: "ControlTests",
            dependencies: [
                "Beacon", "Console", "Control", "ControlClient", "Events", "Radio", "Ranging", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]),
        .testTarget(
            name: "DaemonTests",
            dependencies: [
                "Beacon", "BusService", "Content", "Control", "Daemon", "Events", "Hooks", "Listening", "MQTT", "Ranging",
                "SiteSettings", "TestSupport",
            ]),
        .testTarget(name: "EndToEndTests", dependencies: ["Beacon", "TestSupport"]),
        .testTarget(name: "VisitorPageTests", dependencies: ["TestSupport", "VisitorPage"]),
        .testTarget(name: "BrowserTests", dependencies: ["Beacon", "TestSupport"]),
    ]
)

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .swiftLanguageMode(.v6),
        .treatAllWarnings(as: .error),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}

// Packed relocations spare every program about 0.4 MiB of memory; glibc knows them from 2.36 on (Debian 12).
for target in package.targets where target.type == .executable {
    target.linkerSettings = [.unsafeFlags(["-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs"])]
}
