// swift-tools-version: 6.2
import PackageDescription

// What targets take from other packages.
let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let asyncHTTPClient: Target.Dependency = .product(name: "AsyncHTTPClient", package: "async-http-client")
let coreMetrics: Target.Dependency = .product(name: "CoreMetrics", package: "swift-metrics")
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let cryptoExtras: Target.Dependency = .product(name: "CryptoExtras", package: "swift-crypto")
let deque: Target.Dependency = .product(name: "DequeModule", package: "swift-collections")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore: Target.Dependency = .product(name: "HummingbirdCore", package: "hummingbird")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let hummingbirdTLS: Target.Dependency = .product(name: "HummingbirdTLS", package: "hummingbird")
let metrics: Target.Dependency = .product(name: "Metrics", package: "swift-metrics")
let mustache: Target.Dependency = .product(name: "Mustache", package: "swift-mustache")
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioHTTP1: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio")
let nioHTTPCompression: Target.Dependency = .product(name: "NIOHTTPCompression", package: "swift-nio-extras")
let nioHTTPTypes: Target.Dependency = .product(name: "NIOHTTPTypes", package: "swift-nio-extras")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let nioSSL: Target.Dependency = .product(name: "NIOSSL", package: "swift-nio-ssl")
let serviceLifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let unixSignals: Target.Dependency = .product(name: "UnixSignals", package: "swift-service-lifecycle")

let package = Package(
    name: "beacond",
    products: [
        .executable(name: "beacond", targets: ["beacond"]),
        .executable(name: "beaconctl", targets: ["beaconctl"]),
        .executable(name: "beaconctl-remote", targets: ["beaconctl-remote"]),
        .executable(name: "beacon-advertise", targets: ["beacon-advertise"]),
        .executable(name: "beacon-fleet", targets: ["beacon-fleet"]),
        .executable(name: "beacon-content-server", targets: ["beacon-content-server"]),
        .executable(name: "beacon-content-images", targets: ["beacon-content-images"]),
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
        .package(url: "https://github.com/hummingbird-project/swift-mustache", exact: "2.1.1"),
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
        // Without pkg-config, which would name the shared library: see its module map.
        .systemLibrary(name: "CGumbo", providers: [.apt(["libgumbo-dev"])]),
        // Pages, embedded: C does that in no time, and Swift in two minutes.
        .target(name: "CCuratorPages"),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CLibYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        // For every program: no Swift target imports it.
        .target(name: "CStandardStreams"),
        .systemLibrary(name: "CVips"),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

        // Pure core: no I/O, no clocks
        .target(name: "Beacon"),
        .target(name: "HCI", dependencies: ["Beacon"]),
        .target(name: "Ranging", dependencies: ["Beacon"]),
        .target(name: "Rooms", dependencies: ["Beacon", "Ranging", "Text"]),
        .target(name: "Health", dependencies: ["Beacon", "Ranging", "Text"]),
        .target(name: "Captures", dependencies: ["Beacon", "HCI"]),
        .target(name: "Text", dependencies: ["Beacon", "Ranging"]),

        // The system: threads, clocks, descriptors, files
        .target(name: "Platform", dependencies: ["Beacon", "CLinux", "Text"]),
        .target(name: "Connecting", dependencies: [nioCore, nioPosix]),
        .target(name: "YAMLText", dependencies: ["CLibYAML", "Text"]),
        .target(name: "Settings", dependencies: ["Beacon", "HCI", "Platform", "Ranging", "Text", "YAMLText"]),

        // Radio: adapters, bluetoothd, and what stands in for them
        .target(
            name: "Radio",
            dependencies: ["Beacon", "CBluez", "Captures", "Connecting", "HCI", "Platform", "Text", nioCore, nioPosix]),
        .target(name: "Bus", dependencies: ["CDBus", "Platform"]),
        .target(name: "Broker", dependencies: ["CMosquitto", "Platform", "Settings", deque]),
        .target(name: "BlueZ", dependencies: ["Beacon", "Bus", "HCI", "Platform", "Radio"]),
        .target(name: "RadioEmulation", dependencies: ["Beacon", "HCI", "Radio", "YAMLText", nioCore, nioPosix]),
        .target(
            name: "Listening",
            dependencies: ["Beacon", "BlueZ", "Captures", "HCI", "Platform", "Radio", "RadioEmulation", deque]),
        .target(
            name: "Advertising",
            dependencies: [
                "Beacon", "BlueZ", "HCI", "Listening", "Platform", "Radio", "RadioEmulation", "Text", "YAMLText",
            ]),
        .target(
            name: "ESPHome", dependencies: ["Beacon", "Connecting", "Platform", "Text", crypto, nioCore, nioPosix]),
        .target(name: "FleetFormat", dependencies: ["Beacon", "Health", "Platform", "Rooms", "Text"]),
        .target(
            name: "Fleet",
            dependencies: [
                "Beacon", "Broker", "Console", "ESPHome", "FleetFormat", "Health", "Platform", "Rooms", "Settings", "Text",
                "YAMLText", argumentParser, deque,
            ]),
        .target(name: "Doctor", dependencies: ["Beacon", "BlueZ", "HCI", "Listening", "Platform", "Radio"]),

        // Content and what is told about beacons
        .target(name: "SiteFormat", dependencies: ["Beacon", "Text", crypto]),
        .target(
            name: "Content",
            dependencies: [
                "Beacon", "CLinux", "Platform", "SiteFormat", "Text", asyncHTTPClient, crypto, deque, logging, nioCore,
                nioHTTP1, nioHTTPCompression, nioPosix, nioSSL,
            ]),
        .target(
            name: "Events",
            dependencies: ["Beacon", "Content", "Health", "Platform", "Ranging", "SiteFormat", "Text", deque]),
        .target(
            name: "DaemonSettings",
            dependencies: [
                "Beacon", "Content", "HCI", "Listening", "Platform", "Radio", "Settings", "SiteFormat", "Text",
                "YAMLText",
            ]),
        .target(name: "Reports", dependencies: ["Beacon", "Health", "Ranging", "Text"]),
        .target(
            name: "History",
            dependencies: [
                "Beacon", "Content", "Events", "Health", "Platform", "Ranging", "Reports", "Settings", "Text", deque, grdb,
                serviceLifecycle,
            ]),

        // What curators write, and what is published of it
        .target(name: "Curation", dependencies: ["Beacon", "SiteFormat", "Text"]),
        .target(name: "PastedHTML", dependencies: ["CGumbo", "Curation"]),
        .target(name: "Publishing", dependencies: ["Beacon", "CZlib", "Curation", "Platform", "SiteFormat", "Text", crypto]),
        .target(name: "CurationStore", dependencies: ["Beacon", "Curation", "Platform", "SiteFormat", "Text", crypto, cryptoExtras, grdb]),
        .target(name: "Media", dependencies: ["Curation", "Platform", "SiteFormat", "Text", crypto]),

        // HTTP with limits, for the daemon and for the content server
        .target(
            name: "Serving",
            dependencies: [
                "CSystemd", "Platform", "Settings", "SiteFormat", "Text", httpTypes, hummingbird, hummingbirdCore, logging,
                metrics, nioCore, nioHTTP1, nioHTTPTypes, nioPosix,
            ]),

        // Ways out of the daemon
        .target(
            name: "Control",
            dependencies: [
                "Beacon", "Console", "Content", "Events", "Health", "Platform", "Ranging", "Serving", "Settings",
                "SiteFormat", "Text",
                httpTypes, hummingbird, hummingbirdCore, logging, metrics, nioCore, nioHTTPTypes, nioPosix,
                serviceLifecycle,
            ]),
        .target(
            name: "PrometheusMetrics",
            dependencies: [
                "Beacon", "Console", "Content", "Events", "HCI", "Health", "Listening", "Radio", "Ranging", coreMetrics,
            ]),
        .target(name: "VisitorPage", dependencies: ["CZlib", "Text", crypto], resources: [.embedInCode("Resources")]),
        .target(
            name: "BusService",
            dependencies: [
                "Beacon", "Bus", "Content", "Events", "Health", "Platform", "Ranging", "Settings", serviceLifecycle,
            ]),
        .target(
            name: "Hooks",
            dependencies: [
                "Beacon", "CLinux", "Events", "Platform", "Settings", "Text", deque, logging, serviceLifecycle,
            ]),
        .target(
            name: "DeviceReports",
            dependencies: [
                "Beacon", "Broker", "Content", "Events", "Platform", "Ranging", "Settings", "SiteFormat", "Text",
                serviceLifecycle,
            ]),
        .target(
            name: "MQTT",
            dependencies: [
                "Beacon", "Broker", "Content", "Events", "FleetFormat", "Health", "Platform", "Ranging", "Settings",
                "Text", deque,
                serviceLifecycle,
            ]),

        // Command lines and the daemon
        .target(
            name: "Console",
            dependencies: [
                "Beacon", "CLinux", "CStandardStreams", "CSystemd", "Captures", "HCI", "Listening", "Platform", "Radio",
                "Ranging", "Reports", "Settings", "Text", argumentParser, unixSignals,
            ]),
        .target(
            name: "ControlClient",
            dependencies: [
                "Beacon", "Console", "Platform", "Ranging", "Settings", "Text", asyncHTTPClient, nioCore, nioHTTP1,
            ]),
        .target(
            name: "Daemon",
            dependencies: [
                "Advertising", "Beacon", "Broker", "Bus", "BusService", "CLinux", "Console", "Content", "Control",
                "DaemonSettings", "DeviceReports", "Events", "FleetFormat", "Health", "History", "Hooks", "Listening",
                "MQTT", "Platform", "PrometheusMetrics", "Radio", "Ranging", "Reports", "Serving", "Settings",
                "SiteFormat", "Text", "VisitorPage", logging, metrics, serviceLifecycle, unixSignals,
            ]),

        // What a fleet's resolver shows: HTTP, the page, the history of rooms
        .target(
            name: "FleetServer",
            dependencies: [
                "Beacon", "Control", "Fleet", "FleetFormat", "Health", "History", "Platform", "PrometheusMetrics", "Reports", "Rooms",
                "Serving", "Settings", "Text", "VisitorPage", "YAMLText", grdb, logging, nioCore,
            ],
            resources: [.embedInCode("Resources")]),

        .target(name: "CuratorPages", dependencies: ["CCuratorPages"], exclude: ["Resources"]),
        .target(
            name: "ContentServer",
            dependencies: [
                "Beacon", "Broker", "Curation", "CurationStore", "CuratorPages", "Media", "PastedHTML", "Platform", "Publishing", "Serving",
                "Settings", "SiteFormat", "Text", crypto, asyncHTTPClient,
                httpTypes, hummingbird, hummingbirdCore, hummingbirdTLS, logging, mustache, nioCore, nioHTTP1, nioHTTPTypes,
                nioPosix, nioSSL, serviceLifecycle,
            ]),

        // Programs
        .executableTarget(
            name: "beacond",
            dependencies: [
                "DaemonSettings", "Console", "Content", "Daemon", "Events", "Listening", "Platform",
                "PrometheusMetrics", "Radio", "Settings", "Text", argumentParser, coreMetrics, logging,
            ]),
        .executableTarget(
            name: "beaconctl",
            dependencies: [
                "Beacon", "Console", "Doctor", "HCI", "Health", "Listening", "Platform", "Radio", "Ranging", "Reports",
                "Settings", "Text", argumentParser,
            ]),
        .executableTarget(
            name: "beaconctl-remote",
            dependencies: [
                "Beacon", "Broker", "Console", "Content", "ControlClient", "DaemonSettings", "Events", "Fleet",
                "Health", "Platform", "Radio", "Ranging", "Reports", "Settings", "SiteFormat", "Text", argumentParser,
                logging,
            ]),
        .executableTarget(
            name: "beacon-fleet",
            dependencies: [
                "Beacon", "Broker", "Console", "ESPHome", "Fleet", "FleetFormat", "FleetServer", "Listening", "Platform",
                "PrometheusMetrics", "Reports", "Rooms", "Settings", "Text", "YAMLText", argumentParser, coreMetrics,
            ]),
        .executableTarget(
            name: "beacon-advertise",
            dependencies: [
                "Advertising", "Beacon", "Console", "HCI", "Listening", "Platform", "Radio", "RadioEmulation", "Text",
                "YAMLText", argumentParser,
            ]),
        .executableTarget(
            name: "beacon-content-server",
            dependencies: [
                "Broker", "Console", "ContentServer", "Curation", "CurationStore", "Media", "Platform", "Publishing", "Serving",
                "Settings", "SiteFormat", "Text", argumentParser, logging, unixSignals,
            ]),
        .executableTarget(name: "beacon-content-images", dependencies: ["CStandardStreams", "CVips", "Text"]),

        // Tests
        // For tests on a real kernel: the emulated air behind /dev/vhci
        .executableTarget(
            name: "vhci-air",
            dependencies: [
                "Advertising", "Beacon", "Console", "HCI", "Platform", "Radio", "RadioEmulation", "Text",
                argumentParser,
            ],
            path: "Tests/vhci-air"),
        // What tests start and kill
        .executableTarget(
            name: "test-helper",
            dependencies: [
                "Beacon", "Content", "Curation", "CurationStore", "HCI", "History", "Media", "Platform", "Publishing",
                "Reports", "Settings", "SiteFormat", logging,
            ],
            path: "Tests/test-helper"),
        // A building with beacons, scanners and people, minute by minute
        .target(name: "HealthEmulation", dependencies: ["Beacon", "Health", "Ranging"], path: "Tests/HealthEmulation"),
        .executableTarget(name: "health-emulation", dependencies: ["Beacon", "Health", "HealthEmulation"], path: "Tests/health-emulation"),
        // The parsers of outside input and what must hold for them: shared by the fuzzer and FuzzTests
        .target(
            name: "FuzzTargets",
            dependencies: [
                "Advertising", "Beacon", "Broker", "Bus", "Captures", "CLinux", "Content", "ContentServer", "Control",
                "ControlClient", "Curation", "CurationStore", "DaemonSettings", "ESPHome", "Events", "Fleet",
                "FleetFormat", "FleetServer", "HCI", "Health", "History", "Hooks", "Listening", "MQTT", "Media",
                "PastedHTML", "Platform", "Publishing", "Radio", "RadioEmulation", "Ranging", "Reports", "Rooms",
                "Serving", "Settings", "SiteFormat", "TestSupport",
                "Text", "YAMLText", crypto, logging,
            ],
            path: "Fuzz/Targets"),
        .testTarget(name: "FuzzTests", dependencies: ["FuzzTargets", "TestSupport"]),
        .target(name: "TestSupport", dependencies: ["Beacon", "CLinux", crypto], path: "Tests/TestSupport"),
        .testTarget(name: "BeaconTests", dependencies: ["Beacon", "TestSupport"]),
        .testTarget(name: "TextTests", dependencies: ["Beacon", "TestSupport", "Text"]),
        .testTarget(name: "HCITests", dependencies: ["Beacon", "HCI", "TestSupport"]),
        .testTarget(name: "CapturesTests", dependencies: ["Beacon", "Captures", "HCI", "TestSupport"]),
        .testTarget(name: "RoomsTests", dependencies: ["Beacon", "Rooms", "TestSupport"]),
        .testTarget(name: "ESPHomeTests", dependencies: ["Beacon", "ESPHome", "TestSupport", "Text"]),
        .testTarget(
            name: "HealthTests",
            dependencies: [
                "Beacon", "FleetFormat", "HCI", "Health", "HealthEmulation", "RadioEmulation", "TestSupport",
            ]),
        .testTarget(
            name: "FleetTests",
            dependencies: [
                "Beacon", "Broker", "ESPHome", "Fleet", "FleetFormat", "Health", "Rooms", "TestSupport", "Text", "YAMLText",
            ]),
        .testTarget(
            name: "FleetServerTests",
            dependencies: [
                "Beacon", "Fleet", "FleetFormat", "FleetServer", "Health", "History", "PrometheusMetrics", "Reports", "Rooms",
                "Settings", "TestSupport", "Text", "YAMLText", grdb,
            ]),
        .testTarget(name: "RangingTests", dependencies: ["Beacon", "Ranging", "TestSupport"]),
        .testTarget(name: "PlatformTests", dependencies: ["Platform", "TestSupport"]),
        .testTarget(
            name: "RadioTests",
            dependencies: ["Beacon", "HCI", "Platform", "Radio", "TestSupport", "Text", nioCore, nioPosix]),
        .testTarget(
            name: "RadioEmulationTests",
            dependencies: ["Beacon", "HCI", "Radio", "RadioEmulation", "TestSupport", "YAMLText"]),
        .testTarget(
            name: "ContentTests",
            dependencies: ["Beacon", "Content", "Platform", "SiteFormat", "TestSupport", "Text", logging]),
        .testTarget(
            name: "BlueZTests", dependencies: ["Beacon", "BlueZ", "Bus", "HCI", "Radio", "TestSupport", "Text"]),
        .testTarget(
            name: "ListeningTests", dependencies: ["Beacon", "HCI", "Listening", "Radio", "TestSupport", "Text"]),
        .testTarget(name: "DoctorTests", dependencies: ["Beacon", "Doctor", "Listening", "Radio"]),
        .testTarget(
            name: "AdvertisingTests",
            dependencies: ["Advertising", "Beacon", "HCI", "Radio", "TestSupport", "YAMLText"]),
        .testTarget(
            name: "SettingsTests", dependencies: ["Beacon", "Ranging", "Settings", "TestSupport", "YAMLText"]),
        .testTarget(
            name: "ConsoleTests",
            dependencies: ["Beacon", "Captures", "Console", "Listening", "Ranging", "TestSupport", "Text"]),
        .testTarget(
            name: "BusServiceTests",
            dependencies: [
                "Beacon", "Bus", "BusService", "Content", "Events", "Health", "Ranging", "Settings", "TestSupport", logging,
                serviceLifecycle,
            ]),
        .testTarget(
            name: "HooksTests",
            dependencies: [
                "Beacon", "Events", "Hooks", "Ranging", "Settings", "TestSupport", logging, serviceLifecycle,
            ]),
        .testTarget(
            name: "MQTTTests",
            dependencies: [
                "Beacon", "Broker", "Content", "Events", "FleetFormat", "Health", "MQTT", "Platform", "Ranging", "Settings", "TestSupport",
                logging, serviceLifecycle,
            ]),
        .testTarget(
            name: "DeviceReportsTests",
            dependencies: [
                "Beacon", "Broker", "Content", "DeviceReports", "Events", "Ranging", "Settings", "SiteFormat", "TestSupport",
                logging, serviceLifecycle,
            ]),
        .testTarget(
            name: "EventsTests", dependencies: ["Beacon", "Content", "Events", "Health", "Radio", "Ranging", "TestSupport"]),
        .testTarget(
            name: "PrometheusMetricsTests",
            dependencies: [
                "Beacon", "Content", "Events", "HCI", "PrometheusMetrics", "Listening", "Platform", "Radio", "Ranging",
                "SiteFormat", "TestSupport", coreMetrics,
            ]),
        .testTarget(
            name: "HistoryTests",
            dependencies: [
                "Beacon", "Content", "Events", "Health", "History", "Platform", "Ranging", "Reports", "Settings",
                "TestSupport", "Text", logging, serviceLifecycle,
            ]),
        .testTarget(
            name: "ReportsTests", dependencies: ["Beacon", "Console", "Health", "Ranging", "Reports", "TestSupport", "Text"]),
        .testTarget(
            name: "ControlTests",
            dependencies: [
                "Beacon", "Console", "Control", "ControlClient", "Events", "Health", "Radio", "Ranging", "Serving", "Settings",
                "TestSupport", "Text", logging, serviceLifecycle,
            ]),
        .testTarget(
            name: "DaemonTests",
            dependencies: [
                "Beacon", "Broker", "BusService", "DaemonSettings", "Content", "Control", "Daemon", "Events", "FleetFormat",
                "Health", "Hooks", "Listening", "MQTT", "Ranging", "Settings", "SiteFormat", "TestSupport", logging, serviceLifecycle,
            ]),
        .testTarget(name: "CurationTests", dependencies: ["Beacon", "Curation", "SiteFormat", "TestSupport", "Text"]),
        .testTarget(name: "PastedHTMLTests", dependencies: ["Curation", "PastedHTML", "TestSupport"]),
        .testTarget(
            name: "PublishingTests",
            dependencies: ["Beacon", "Curation", "Platform", "Publishing", "SiteFormat", "TestSupport", "Text"]),
        .testTarget(
            name: "CurationStoreTests",
            dependencies: ["Beacon", "Curation", "CurationStore", "Publishing", "SiteFormat", "TestSupport", "Text"],
            exclude: ["Schemas"]),
        .testTarget(
            name: "MediaTests", dependencies: ["Curation", "Media", "Platform", "SiteFormat", "TestSupport", "Text"]),
        .testTarget(
            name: "ContentServerTests",
            dependencies: [
                "Beacon", "Broker", "ContentServer", "Curation", "CurationStore", "CuratorPages", "Media", "Platform",
                "Publishing", "RadioEmulation", "Serving", "Settings", "SiteFormat", "TestSupport", "Text", httpTypes, hummingbirdCore,
                logging, nioCore,
            ]),
        .testTarget(name: "EndToEndTests", dependencies: ["Beacon", "TestSupport"]),
        .testTarget(name: "VisitorPageTests", dependencies: ["TestSupport", "VisitorPage"]),
        .testTarget(name: "BrowserTests", dependencies: ["Beacon", "TestSupport"]),
    ]
)

// The fuzzer needs libFuzzer, which only its own build links (tools/fuzz).
if Context.environment["BEACOND_FUZZ"] != nil {
    package.targets += [
        .systemLibrary(name: "CFuzzer", path: "Fuzz/CFuzzer"),
        .executableTarget(name: "fuzz", dependencies: ["CFuzzer", "FuzzTargets"], path: "Fuzz/Driver"),
    ]
}

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .swiftLanguageMode(.v6),
        .treatAllWarnings(as: .error),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}

// Each test runs once: optimising it takes longer than it saves.
for target in package.targets where target.type == .test {
    target.swiftSettings?.append(.unsafeFlags(["-Onone"], .when(configuration: .release)))
}

// Packed relocations spare every program about 0.4 MiB of memory; glibc knows them from 2.36 on (Debian 12).
for target in package.targets where target.type == .executable {
    target.linkerSettings = [.unsafeFlags(["-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs"])]
}
