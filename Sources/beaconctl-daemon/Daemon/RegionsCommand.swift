import ArgumentParser
import Console
import ControlClient

struct RegionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "regions",
        abstract: "Lists the regions of the configuration, and which of them one is in.")

    @OptionGroup var options: DaemonOptions

    func run() async throws {
        let bytes = try await options.client(for: "that could be asked").get("/v1/regions")
        guard !options.isJSON else {
            return try ResultFile.write(String(decoding: bytes, as: UTF8.self), to: nil)
        }
        let regions: RegionList = try ControlClient.decoded(bytes, of: "/v1/regions")
        print(regions.text(.current))
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
        let width = max(6, regions.map { printable($0.region).count }.max() ?? 0)
        var lines = [terminal.styled("\(pad("REGION", -width))  STATE    BEACONS  SINCE                 WHOSE BEACONS", .dim)]
        for region in regions {
            lines.append([
                pad(printable(region.region), -width),
                terminal.styled(pad(region.inside ? "inside" : "outside", -7), region.inside ? .green : .dim),
                pad("\(region.beacons)", 7), pad(region.since.map(DaemonStatus.time) ?? "-", -20), region.constraint,
            ].joined(separator: "  "))
        }
        return lines.joined(separator: "\n")
    }
}
