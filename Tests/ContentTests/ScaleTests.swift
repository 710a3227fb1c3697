import Beacon
import Content
import Foundation
import TestSupport
import Testing

/// Ten thousand beacons with two assets each, beside wget with the same list. Only with BEACOND_LONG_TESTS.
@Suite(.enabled(if: KillTests.isLong, "takes minutes: set BEACOND_LONG_TESTS"), .serialized)
struct ScaleTests {
    @Test func `ten thousand beacons`() async throws {
        var site = try ContentSite()
        for number in 0..<10_000 {
            let beacon = BeaconID(uuid: hall.uuid, major: UInt16(number / 100), minor: UInt16(number % 100))
            site.pages[.beacon(beacon)] = .init(
                name: "Exhibit \(number)",
                images: [image(2 * number, bytes: 8000, gallery: [asset(2 * number + 1, bytes: 8000)])])
        }
        try site.publish()
        let paths = site.pages.flatMap { target, page in
            [target.path] + page.images.flatMap { [$0.asset] + $0.gallery }.map { "assets/\($0.sha256)" }
        }
        site.pages = [:]
        let nginx = try Nginx(serving: site.folder)
        let wget = try Self.wget(nginx.baseURL, ["site.json"] + paths)
        let bench = try Bench(nginx.baseURL)
        let start = ContinuousClock.now
        let memoryBefore = Self.privateDirtyKiB()
        let watch = Task {
            var most = 0
            while !Task.isCancelled {
                most = max(most, Self.privateDirtyKiB())
                try? await Task.sleep(for: .milliseconds(200))
            }
            return most
        }
        let first = try await bench.sync.syncAll()
        let duration = ContinuousClock.now - start
        #expect(first.new.count == 10_000 && first.isComplete && first.fetchedAssets == 20_000)
        let count = try nginx.requests().count
        let again = ContinuousClock.now
        #expect(try await bench.sync.syncAll().unchanged == 10_000)
        let second = ContinuousClock.now - again
        #expect(try nginx.requests().count == count + 1)
        watch.cancel()
        let most = await watch.value
        print("private dirty: \(memoryBefore) KiB before, at most \(most), \(Self.privateDirtyKiB()) after")
        print("wget \(wget), first sync \(duration), unchanged sync \(second)")
        await bench.sync.shutdown()
        #expect(duration < wget * 1.3)
    }

    /// Of this process, which holds the test as well.
    private static func privateDirtyKiB() -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/smaps_rollup", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("Private_Dirty:") }
        return line.flatMap { Int($0.split(separator: " ")[1]) } ?? 0
    }

    private static func wget(_ base: String, _ paths: [String]) throws -> Duration {
        let folder = try temporaryFolder("wget")
        try paths.map { "\(base)/v1/\($0)" }.joined(separator: "\n")
            .write(toFile: "\(folder)/list", atomically: true, encoding: .utf8)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/wget")
        process.arguments = ["-q", "-x", "-P", folder, "-i", "\(folder)/list"]
        let start = ContinuousClock.now
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return ContinuousClock.now - start
    }
}
