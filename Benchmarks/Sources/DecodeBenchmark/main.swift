import CAllocations
import Glibc

// DecodeBenchmark FILE ROUNDS: decodes the events of a btsnoop file (datalink 1002, H4) again and again, and prints
// what it found in one round, nanoseconds of CPU time per event in the fastest round, and allocations per event, as one
// line of JSON. tools/bench/decode starts it.

guard CommandLine.arguments.count == 3, let rounds = Int(CommandLine.arguments[2]), rounds > 0,
    let packets = Packets(capture: CommandLine.arguments[1])
else {
    print("usage: DecodeBenchmark FILE ROUNDS, with a btsnoop file of H4 packets")
    exit(2)
}

var found = Found()
packets.decode { found.add($0) }
let expected = digest(of: packets)
let allocationsBefore = allocation_count()
var fastest = Double.infinity
for _ in 0..<rounds {
    let began = processTime()
    let digest = digest(of: packets)
    fastest = min(fastest, processTime() - began)
    guard digest == expected else {
        print("DecodeBenchmark: two rounds found different beacons")
        exit(1)
    }
}
let allocations = allocation_count() - allocationsBefore
let decoded = Double(rounds * packets.count)
print(
    "{\"events\": \(packets.count), \"ns_per_event\": \(fastest / Double(packets.count) * 1e9), "
        + "\"allocations_per_event\": \(Double(allocations) / decoded), \"found\": \(found.json)}")

/// One round of what is measured.
@inline(never)
func digest(of packets: Packets) -> Digest {
    var digest = Digest()
    packets.decode { digest.add($0) }
    return digest
}

/// Seconds of CPU time of this process.
func processTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
