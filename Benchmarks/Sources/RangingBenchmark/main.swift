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
for row in rows {
    print(row.text)
}
exit(rows.allSatisfy(\.isMet) ? 0 : 1)
