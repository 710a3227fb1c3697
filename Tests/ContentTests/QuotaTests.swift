import Beacon
import Content
import SiteFormat
import TestSupport
import Testing

/// What makes room below the quota, without a disk: every small store, and seeded histories.
@Suite(.timeLimit(.minutes(20)))
struct QuotaTests {
    struct Store {
        var manifests: [(scope: ContentScope, assets: [AssetHash])]
        var sizes: [AssetHash: Int64]

        var present: Set<AssetHash> { Set(manifests.flatMap(\.assets)) }
    }

    static let beacons = [hall, shop, attic].map { ContentScope.beacon($0) }
    static let assets = (1...3).map { AssetHash(of: [UInt8($0)]) }
    static let sizes = [assets[0]: 1, assets[1]: 2, assets[2]: 4] as [AssetHash: Int64]

    /// The subset of so many that a number's bits name.
    static func subset<T>(_ all: [T], _ bits: Int) -> [T] {
        all.indices.filter { bits >> $0 & 1 == 1 }.map { all[$0] }
    }

    /// Three manifests with any of three assets each, anything protected, anything kept, any quota.
    @Test("every small store makes room where that is possible")
    func everySmall() async {
        var stores = 0
        for contents in 0..<512 {
            // Other tests have limits of time.
            await Task.yield()
            let manifests = Self.beacons.enumerated().map { index, scope in
                (scope: scope, assets: Self.subset(Self.assets, contents >> (3 * index) & 7))
            }
            for choice in 0..<64 {
                stores += 1
                let protected = Set(Self.subset(Self.beacons, choice & 7))
                let kept = Set(Self.subset(Self.assets, choice >> 3))
                let needed = [Self.beacons[0]: Int64(contents % 3), Self.beacons[1]: 1]
                expectRoom(
                    Store(manifests: manifests, sizes: Self.sizes), protected: protected, kept: kept,
                    lastNeeded: needed, quota: Int64(contents % 8))
            }
        }
        #expect(stores == 32768)
    }

    private func expectRoom(
        _ store: Store, protected: Set<ContentScope>, kept: Set<AssetHash>, lastNeeded: [ContentScope: Int64],
        quota: Int64
    ) {
        var present = store.present
        var left = store.manifests
        var plan = EvictionPlan(store.manifests, protected: protected, lastNeeded: lastNeeded, kept: kept)
        var last: Int64 = 0
        func used() -> Int64 { present.reduce(0) { $0 + (store.sizes[$1] ?? 0) } }
        while used() > quota, let step = plan.next() {
            #expect(!protected.contains(step.scope))
            let when = lastNeeded[step.scope] ?? 0
            #expect(when >= last, "what was needed later goes later")
            last = when
            left.removeAll { $0.scope == step.scope }
            for asset in step.assets {
                #expect(!kept.contains(asset) && !left.contains { $0.assets.contains(asset) })
                let wasThere = present.remove(asset) != nil
                #expect(wasThere, "an asset goes once")
            }
        }
        // More is there than fits only where all that is there must stay.
        let needed = Set(store.manifests.filter { protected.contains($0.scope) }.flatMap(\.assets))
        guard used() > quota else { return }
        let next = plan.next()
        #expect(present.isSubset(of: needed.union(kept)) && next == nil)
    }

    @Test("promises and what is used never exceed the quota together")
    func promisesAndWhatIsUsed() {
        let keys: [JobKey] = [.beacon(hall), .beacon(nil), .scope(.beacon(shop)), .scope(.beacon(attic))]
        for seed in 1...200 as ClosedRange<UInt64> {
            var random = SeededGenerator(seed: seed)
            var promises = QuotaPromises()
            var used: Int64 = 0
            var promised: [JobKey: Int64] = [:]
            let quota = Int64.random(in: 0...1000, using: &random)
            for _ in 0..<100 {
                let key = keys[Int.random(in: 0..<keys.count, using: &random)]
                switch Int.random(in: 0..<4, using: &random) {
                case 0, 1:
                    let bytes = Int64.random(in: 0...400, using: &random)
                    let others = promised.filter { $0.key != key }.values.reduce(0, +)
                    let isPromised = promises.promise(bytes, to: key, used: used, quota: quota)
                    #expect(isPromised == (used + others + bytes <= quota), "seed \(seed)")
                    promised[key] = isPromised ? bytes : nil
                case 2:
                    guard let left = promised[key], left > 0 else { continue }
                    let bytes = Int64.random(in: 1...left, using: &random)
                    used += bytes
                    promised[key] = left - bytes
                    promises.arrived(bytes, for: [key])
                default:
                    promised[key] = nil
                    promises.release(key)
                    used = Int64.random(in: 0...used, using: &random)
                }
                #expect(used + promised.values.reduce(0, +) <= quota, "seed \(seed)")
                #expect(promises.promisedToOthers(than: .scope(.uncategorized)) == promised.values.reduce(0, +))
            }
        }
        var promises = QuotaPromises()
        let isPromised = promises.promise(.max, to: keys[0], used: 0, quota: .max)
        #expect(isPromised)
        #expect(!promises.fits(1, for: keys[1], used: 1, quota: .max - 1), "sums do not overflow")
    }
}
