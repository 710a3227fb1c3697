import Advertising
import Beacon
import DaemonSettings
import HCI
import Radio
import RadioEmulation
import Ranging
import Settings

private let keys = [
    "beacons:", "uuid:", "major:", "minor:", "name:", "position:", "visitor:", "propagation:", "seed:", "- ", "{", "}",
    "[", "]", "&a ", "*a", "<<: ", "|\n", ">-\n", "0x", "none", "true",
]

extension FuzzTarget {
    static let scenario = FuzzTarget(text: "scenario", words: keys) {
        [Scenario.museumYAML] + [try projectText("examples/walk.yaml")]
    } check: { text in
        guard let scenario = try refusing(atMost: 4000, { try Scenario(yaml: text, file: "scenario") }) else { return }
        try require(scenario.beacons.allSatisfy { $0.payload.count <= 1650 }, "a payload that no controller sends")
        try require(scenario.duration > .zero, "a scenario that takes no time")
        // Far enough for every beacon that is there from the start to have sent.
        var emulation = Emulation(scenario)
        _ = emulation.advance(to: .milliseconds(20))
        try require(emulation.now == .milliseconds(20), "an emulation that is at another time")
    }

    /// What is advertised: scenes, single beacons, and results of a calibration.
    static let scene = FuzzTarget(
        text: "scene", words: keys + ["turns:", "interval:", "repeat:", "payload:", "power:"]
    ) {
        try ["examples/tour.yaml", "examples/advertise/lobby.yaml", "Tests/Scenes/malformed.yaml"].map(projectText) + [
            #"{"uuid":"636f3f8f-6491-4bee-95f7-d8cc64a863b5","major":0,"minor":0,"measured_power_advertised":-56,"#
                + #""samples":300,"distance_m":1,"measured_power":-61,"low":-62,"high":-60,"scanner":"hci0"}"#
        ]
    } check: { text in
        if let scene = try refusing(atMost: 4000, { try Scene(yaml: text, file: "scene") }) {
            try checkBroadcasts(of: scene)
        }
        if let file = try refusing(atMost: 4000, { try AdvertiseFile(yaml: text, file: "file") }),
            case .scene(let scene) = file {
            try checkBroadcasts(of: scene)
        }
        if let result = try refusing(atMost: 4000, { try CalibrationReading(json: text, file: "result") }) {
            try require(result.low <= result.high, "an interval that ends before it begins")
        }
    }

    /// The daemon's configuration: everything in it, and a calibration and a name that are written into it.
    static let configuration = FuzzTarget(
        text: "configuration",
        words: keys + Setting.all.map { $0.name.split(separator: ".").last.map { "\($0): " } ?? "" }
    ) {
        try ["beacond", "beacons", "every-part", "mqtt", "hooks", "page", "reports", "reports-mqtt"].map {
            try projectText("examples/\($0).yaml")
        }
    } check: { text in
        let beacon = BeaconID(uuid: ProximityUUID(7), major: 1, minor: 2)
        _ = try refusing(atMost: 8000) { try DaemonConfiguration(text, file: "beacond.yaml", environment: [:]) }
        let edit = CorrectionEdit(
            beacon: BeaconConstraint(beacon), measuredPower: -58.5, deviation: 1.5, note: "calibrated")
        let naming = BeaconNameEdit(beacon: BeaconKey(beacon).pair, name: "Star: \"Globe\"")
        if let named = try refusing(atMost: 8000, { try naming.applied(to: text, file: "beacond.yaml") }) {
            let again = try refusing(atMost: 8000) { try naming.applied(to: named, file: "beacond.yaml") }
            try require(again == named, "a name that is written twice changes the file again")
        }
        guard let changed = try refusing(atMost: 8000, { try edit.applied(to: text, file: "beacond.yaml") }) else {
            return
        }
        let again = try refusing(atMost: 8000) { try edit.applied(to: changed, file: "beacond.yaml") }
        try require(again == nil || again == changed, "a correction that is written twice changes the file again")
    }
}

/// What each beacon sends at some instants can be sent.
private func checkBroadcasts(of scene: Scene) throws(BrokenInvariant) {
    for (number, beacon) in scene.beacons.enumerated() {
        for share in 0...4 {
            guard let broadcast = beacon.broadcast(at: scene.duration * share / 4, number: number) else { continue }
            try require(broadcast.data.count <= 31, "a payload that no controller sends")
            try require(
                (0x20...0x4000).contains(broadcast.parameters.minimumInterval), "an interval that no controller has")
        }
    }
}
