import Glibc

let rows = [
    memory(),
    sightingCost(),
    latency(keepsLists: false),
    latency(keepsLists: true),
    sightingRatio(),
    changeRatio(),
    recordingRatio(),
]
// For tools/bench/ranking.
if CommandLine.arguments.dropFirst().first == "--json" {
    print("[\(rows.map(\.json).joined(separator: ","))]")
} else {
    for row in rows { print(row.text) }
}
exit(rows.allSatisfy(\.isMet) ? 0 : 1)
