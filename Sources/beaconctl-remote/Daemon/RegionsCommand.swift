import ArgumentParser
import Console
import ControlClient
import Text

struct RegionsCommand: AsyncParsableCommand, ResultCommand {
    static let configuration = CommandConfiguration(
        commandName: "regions",
        abstract: "Lists the regions of the configuration, and whether the scanner is inside them.")

    @OptionGroup var options: DaemonOptions

    var result: ResultOptions<TextFormat> { options.result }

    func run() async throws {
        let bytes = try await options.client(for: "that could be asked").get("/v1/regions")
        guard !options.isJSON else {
            return try ResultFile.write(String(decoding: bytes, as: UTF8.self), to: nil)
        }
        let regions: RegionList = try ControlClient.decoded(bytes, of: "/v1/regions")
        Program.output(regions.text(.current) + "\n")
    }
}

private struct RegionList: Decodable {
    struct Region: Decodable {
        var region: String
        var uuid: String
        var major: Int?
        var minor: Int?
        var inside: Bool
        var since: String?
        var beacons: Int

        var constraint: String {
            uuid.uppercased() + (major.map { "/\($0)" } ?? "") + (minor.map { "/\($0)" } ?? "")
        }
    }

    var regions: [Region]

    func text(_ terminal: Terminal) -> String {
        guard !regions.isEmpty else {
            return "no regions are configured (docs/configuration.md tells how: regions)"
        }
        var table = TextTable([
            .init("REGION", least: 8), .init("STATE"), .init("BEACONS", isNumber: true, rank: 2),
            .init("SINCE", rank: 3), .init("WHOSE BEACONS", least: 13),
        ])
        for region in regions {
            table.add([
                .init(region.region), .init(region.inside ? "inside" : "outside", style: region.inside ? .green : .dim),
                .init("\(region.beacons)"), .init(region.since.map(DaemonStatus.time) ?? "-"), .init(region.constraint),
            ])
        }
        return table.lines(terminal).joined(separator: "\n")
    }
}
