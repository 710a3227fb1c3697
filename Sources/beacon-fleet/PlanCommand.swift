import ArgumentParser
import Console
import Fleet
import FleetFormat
import Rooms
import Text
import YAMLText

struct PlanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Gives the fleet the outlines of rooms: with walls, rooms are found better.",
        discussion: """
            The file lists rooms with their corners, in metres on the plan on which the scanners' fleet.position is. \
            All resolvers use them at once, and the broker keeps them. Rooms without a scanner may be among them.
            """)

    @Argument(help: ArgumentHelp("A list of rooms, in YAML or JSON; none with --forget.", valueName: "file"))
    var file: String?

    @Flag(name: .long, help: "Remove the outlines.")
    var forget = false

    @OptionGroup var broker: FleetBrokerOptions

    func validate() throws {
        guard (file == nil) == forget else { throw ValidationError("Name the file that lists the rooms, or --forget.") }
    }

    func run() async throws {
        let topic = FleetTopics(prefix: broker.prefix).plan
        guard let file else {
            let wasKnown = try await broker.retain("", on: topic, as: "beacon-fleet-plan")
            return Program.tell(wasKnown ? "forgotten" : "the fleet did not know where rooms are")
        }
        let plan: PlacesFile
        do {
            plan = try PlacesFile.read(file, for: .rooms)
        } catch {
            throw CommandFailure.usage("\(error)")
        }
        for (one, other) in RoomOutline.overlaps(plan.outlines) {
            Program.tell("\(file): \(printable(one.name)) and \(printable(other.name)) overlap")
        }
        try await broker.retain(PlanMessage.json(plan.outlines), on: topic, as: "beacon-fleet-plan")
        let isOne = plan.outlines.count == 1
        Program.tell("the fleet knows where \(counted(plan.outlines.count, "room")) \(isOne ? "is" : "are")")
        for line in await mismatch(of: plan) { Program.tell(line) }
    }

    /// Where the scanners that are there name other rooms. The plan is there in any case: whoever may not read the
    /// scanners is told by the resolvers.
    private func mismatch(of plan: PlacesFile) async -> [String] {
        let view = try? await FleetSurvey.view(
            broker.login("beacon-fleet-plan"), prefix: broker.prefix, readsLessons: true)
        return view?.mismatch(with: plan.outlines).lines ?? []
    }
}
