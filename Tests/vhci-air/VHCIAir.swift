import Advertising
import ArgumentParser
import Beacon
import Console
import Platform
import Radio
import RadioEmulation

/// Connects the emulated air to this kernel's Bluetooth, for tests on a machine without hardware.
@main
struct VHCIAir: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vhci-air",
        abstract: "Plugs emulated Bluetooth controllers into this Linux kernel, through /dev/vhci.",
        discussion: """
            All of them are on one emulated air: they hear each other and the beacons of a scenario. Standard output \
            has a JSON object a line for everything that happens, and the counts at the end, which SIGTERM brings. \
            Standard input takes commands, one a line: remove N (unplug controller N), add N (plug it in again), \
            freeze N (it answers nothing any more), thaw N, blind N (it answers, and hears nothing on the \
            air), unblind N, hear N COUNT (this many reports, and then it is blind), counts.
            """,
        version: "vhci-air \(Program.version)")

    @Option(
        name: .long,
        help: ArgumentHelp("pi3, bluetooth5 or extended-only; may be repeated, one for each.", valueName: "profile"))
    var profile: [Profile] = []

    @Option(
        name: .long,
        help: ArgumentHelp("How many; the last profile goes for those that are left.", valueName: "n"))
    var controllers: Int?

    @Option(
        name: .long,
        help: ArgumentHelp("The public address of a controller; may be repeated, in order.", valueName: "address"))
    var address: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp("A scenario's file or museum; else nothing but the controllers.", valueName: "file"))
    var scenario: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A scene's file (see beacon-advertise play), whose beacons are there too.", valueName: "file"))
    var scene: String?

    enum Profile: String, ExpressibleByArgument, CaseIterable {
        case pi3
        case bluetooth5
        case extendedOnly = "extended-only"

        var controller: ControllerProfile {
            switch self {
            case .pi3: .raspberryPi3
            case .bluetooth5: .bluetooth5
            case .extendedOnly: .extendedOnly
            }
        }
    }

    static func main() async {
        await Program.run(Self.self)
    }

    func validate() throws {
        // Linux has hci0 to hci15.
        guard (1...16).contains(number) else {
            throw ValidationError("--controllers is a number from 1 to 16, not \(number).")
        }
        for text in address where DeviceAddress(text) == nil {
            throw ValidationError("--address is six octets, as in 02:BE:AC:00:00:01, not \(text).")
        }
    }

    func run() async throws {
        let scenario = try Self.scenario(scenario)
        let start = WallClock.now
        let air = EmulatedAir(scenario: scenario, start: start)
        let rig = ControllerGroup(air, AirTime(start: start), specifications)
        let scene = try scene.map { try Scene(path: $0) }
        let playing = Task { try await rig.play() }
        // The scene starts at once, whether or not anything listens yet.
        let staging = scene.map { scene in
            Task {
                try await ScenePlayer(scene, on: SceneStage.emulated(scene, on: air), hasPlaceForEach: true) { _ in }
                    .run()
            }
        }
        defer { staging?.cancel() }
        let listening = Task { await rig.obeyStandardInput() }
        try await Interruption().watch(onSignal: { playing.cancel() }, { try await playing.value })
        listening.cancel()
    }

    private var number: Int { controllers ?? max(2, profile.count) }

    private var specifications: [ControllerGroup.Specification] {
        (0..<number).map { index in
            let profile = index < profile.count ? profile[index] : profile.last ?? .bluetooth5
            let given = index < address.count ? DeviceAddress(address[index]) : nil
            // 02:… are addresses that are assigned to no manufacturer.
            return ControllerGroup.Specification(
                profile: profile.controller, address: given ?? DeviceAddress(0x02BE_AC00_0000 + UInt64(index)))
        }
    }

    private static func scenario(_ name: String?) throws -> Scenario {
        switch name {
        case nil: Scenario(propagation: Propagation().withoutNoise)
        case "museum": .museum
        case let path?: try Scenario(path: path)
        }
    }
}
