import Beacon
import Console
import Glibc
import Platform
import Radio
import RadioEmulation
import Text

/// All controllers, and the commands that change them while they run.
actor ControllerGroup {
    struct Specification: Sendable {
        var profile: ControllerProfile
        var address: DeviceAddress
    }

    private let air: EmulatedAir
    private let time: AirTime
    private let specifications: [Specification]
    private var plugged: [Int: VHCIController] = [:]
    /// The counts of unplugged controllers.
    private var earlier: [Int: VHCIController.Counts] = [:]
    private var playing: [Int: Task<Void, any Error>] = [:]
    private let (failures, fail) = AsyncStream.makeStream(of: (any Error).self)

    init(_ air: EmulatedAir, _ time: AirTime, _ specifications: [Specification]) {
        self.air = air
        self.time = time
        self.specifications = specifications
    }

    /// Plugs in all controllers. Returns after cancellation, when all are unplugged.
    ///
    /// Throws when a controller cannot be plugged in or fails.
    func play() async throws {
        do {
            for number in specifications.indices { try await add(number) }
            for await failure in failures { throw failure }
            await end()
        } catch {
            await end()
            throw error
        }
    }

    private func end() async {
        for number in plugged.keys.sorted() { await remove(number) }
        await tell("end", counts: true)
    }

    // MARK: - Commands

    /// Reads commands from standard input to its end.
    func obeyStandardInput() async {
        let lines = OwnThread.stream(of: String.self) { lines in
            while let line = StandardInput.line() { lines.yield(line) }
        }
        for await line in lines { await obey(line) }
    }

    private func obey(_ line: String) async {
        let words = line.split(separator: " ")
        let numbers = words.dropFirst().map { Int($0) ?? -1 }
        do {
            switch (words.first, numbers.first) {
            case ("counts", nil): await tell("counts", counts: true)
            case ("hear", let number?) where plugged[number] != nil && numbers.count == 2:
                plugged[number]?.limitReports(to: max(numbers[1], 0))
            case ("add", let number?) where specifications.indices.contains(number) && plugged[number] == nil:
                try await add(number)
            case ("remove", let number?) where plugged[number] != nil: await remove(number)
            case ("freeze", let number?) where plugged[number] != nil: await freeze(number, true)
            case ("thaw", let number?) where plugged[number] != nil: await freeze(number, false)
            case ("blind", let number?) where plugged[number] != nil: plugged[number]?.limitReports(to: 0)
            case ("unblind", let number?) where plugged[number] != nil: plugged[number]?.limitReports(to: nil)
            default:
                Program.complain(
                    "cannot do \"\(line)\": remove N, add N, freeze N, thaw N, blind N, unblind N, hear N COUNT, counts",
                    as: "vhci-air")
            }
        } catch {
            fail.yield(error)
        }
    }

    /// One at a time, so that the kernel's next index goes to the next controller.
    private func add(_ number: Int) async throws {
        let specification = specifications[number]
        let controller = try VHCIController(
            number, on: air, time, profile: specification.profile, address: specification.address)
        plugged[number] = controller
        let (attachments, attached) = AsyncStream.makeStream(of: Void.self)
        playing[number] = Task {
            defer { attached.finish() }
            do {
                try await controller.run { attached.finish() }
            } catch {
                fail.yield(error)
            }
        }
        for await _ in attachments {}
        await tell("added", controller)
    }

    private func remove(_ number: Int) async {
        guard let controller = plugged.removeValue(forKey: number) else { return }
        controller.unplug()
        _ = await playing.removeValue(forKey: number)?.result
        earlier[number] = sum(earlier[number], controller.counts)
        await tell("removed", controller)
    }

    private func freeze(_ number: Int, _ isFrozen: Bool) async {
        guard let controller = plugged[number] else { return }
        controller.freeze(isFrozen)
        await tell(isFrozen ? "frozen" : "thawed", controller)
    }

    // MARK: - Messages

    private func tell(_ event: String, _ controller: VHCIController? = nil, counts: Bool = false) async {
        let transmissions = counts ? await air.counts.transmissions : 0
        var json = JSONText()
        json.object { json in
            json.value("event", event)
            if let controller {
                json.value("controller", controller.number)
                json.value("adapter", controller.adapter)
                json.value("address", controller.address.description)
                json.value("profile", controller.profile.name)
            }
            if counts {
                json.value("transmissions", transmissions)
                json.array("controllers") { json in
                    for number in specifications.indices { write(number, to: &json) }
                }
            }
        }
        // `print` would buffer it when the output is a pipe.
        var line = json.text + "\n"
        line.withUTF8 { _ = Glibc.write(1, $0.baseAddress, $0.count) }
    }

    private func write(_ number: Int, to json: inout JSONText) {
        let counts = sum(earlier[number], plugged[number]?.counts)
        json.object { json in
            json.value("controller", number)
            json.value("commands", counts.commands)
            json.value("reports", counts.reports)
            json.value("refused", counts.refused)
            json.value("late", counts.late)
        }
    }

    private func sum(_ first: VHCIController.Counts?, _ second: VHCIController.Counts?) -> VHCIController.Counts {
        var sum = VHCIController.Counts()
        for counts in [first, second].compactMap({ $0 }) {
            sum.commands += counts.commands
            sum.reports += counts.reports
            sum.refused += counts.refused
            sum.late += counts.late
        }
        return sum
    }
}
