import Beacon
import RadioEmulation
import Testing

@Suite struct AirTests {
    private static func beacon(_ minor: Int = 1, at x: Double = 0) -> Transmitter {
        Transmitter(
            pdu: AdvertisingPDU(
                address: DeviceAddress(UInt64(minor)), data: IBeacon.number(minor).advertisingData()),
            interval: .milliseconds(100), levelAtOneMetre: -59, motion: .fixed(Position(x, 0)))
    }

    @Test("advertising events are an interval and up to ten milliseconds apart")
    func advertisingEventsAreAnIntervalAndUpToTenMillisecondsApart() {
        var air = Air(propagation: Propagation().withoutNoise)
        _ = air.add(Self.beacon())
        let times = air.advance(to: .seconds(600)).map(\.time)
        #expect(times[0] <= .milliseconds(100))
        let gaps = zip(times, times.dropFirst()).map { $1 - $0 }
        #expect(gaps.allSatisfy { (.milliseconds(100)...(.milliseconds(110))).contains($0) })
        let mean = gaps.reduce(.zero, +) / gaps.count
        #expect(mean > .microseconds(104_800) && mean < .microseconds(105_200))
        #expect(Set(gaps).count > 2000)
    }

    @Test("everything comes in order")
    func everythingComesInOrder() {
        var air = Air()
        for minor in 0..<50 { _ = air.add(Self.beacon(minor)) }
        let transmissions = air.advance(to: .seconds(10))
        #expect(transmissions.count > 4500)
        #expect(zip(transmissions, transmissions.dropFirst()).allSatisfy { $0.time <= $1.time })
    }

    @Test("mean level follows distance", arguments: [(1.0, -59.0), (2, -65.6), (5, -74.4), (10, -81)])
    func meanLevelFollowsDistance(_ distance: Double, _ expected: Double) {
        // Short correlation, so that many shadows are averaged.
        let propagation = Propagation(
            exponent: 2.2, shadowing: 3, shadowingTime: .milliseconds(50), fadingK: 10, loss: 0, sensitivity: -127)
        var air = Air(propagation: propagation, seed: 7)
        _ = air.add(Self.beacon())
        _ = air.addReceiver(.fixed(Position(distance, 0)))
        let levels = air.advance(to: .seconds(2000)).flatMap(\.receptions).map { Double($0.rssi) }
        let mean = levels.reduce(0, +) / Double(levels.count)
        let variance = levels.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / Double(levels.count)
        // Fading with K = 10 dB: mean in dB about -0.4, deviation about 1.9 dB; rounding adds a little.
        #expect(abs(mean - (expected - 0.4)) < 0.3)
        #expect(abs(variance.squareRoot() - 3.55) < 0.35)
    }

    @Test("shadows last and fades do not")
    func shadowsLastAndFadesDoNot() {
        func correlation(_ propagation: Propagation) -> Double {
            var air = Air(propagation: propagation, seed: 3)
            _ = air.add(Self.beacon())
            _ = air.addReceiver(.fixed(Position(3, 0)))
            let levels = air.advance(to: .seconds(3000)).flatMap(\.receptions).map { Double($0.rssi) }
            let mean = levels.reduce(0, +) / Double(levels.count)
            let products = zip(levels, levels.dropFirst()).map { ($0 - mean) * ($1 - mean) }
            let squares = levels.map { ($0 - mean) * ($0 - mean) }
            return products.reduce(0, +) / squares.reduce(0, +)
        }
        let shadow = Propagation(shadowing: 4, shadowingTime: .seconds(10), fadingK: nil, loss: 0)
        #expect(correlation(shadow) > 0.95)
        #expect(abs(correlation(Propagation(shadowing: 0, fadingK: 3, loss: 0))) < 0.03)
    }

    @Test("loss and sensitivity decide what is heard")
    func lossAndSensitivity() {
        func share(_ propagation: Propagation, distance: Double) -> Double {
            var air = Air(propagation: propagation)
            _ = air.add(Self.beacon())
            _ = air.addReceiver(.fixed(Position(distance, 0)))
            let all = air.advance(to: .seconds(1000))
            return Double(all.flatMap(\.receptions).count) / Double(all.count)
        }
        var quiet = Propagation().withoutNoise
        #expect(share(quiet, distance: 1) == 1)
        quiet.loss = 0.3
        #expect(abs(share(quiet, distance: 1) - 0.7) < 0.02)
        quiet.loss = 0
        quiet.sensitivity = -80
        #expect(share(quiet, distance: 8) == 1)
        #expect(share(quiet, distance: 10) == 0)
    }

    @Test("a beacon is there only while it is present")
    func aBeaconIsThereOnlyWhileItIsPresent() {
        var air = Air()
        var beacon = Self.beacon()
        beacon.presence = .seconds(10)..<(.seconds(20))
        _ = air.add(beacon)
        let times = air.advance(to: .seconds(60)).map(\.time)
        #expect((90...100).contains(times.count))
        #expect(times.allSatisfy { $0 >= .seconds(10) && $0 < .seconds(20) })
        #expect(air.nextTransmission == nil)
    }

    @Test("private addresses are resolvable ones and change in time")
    func privateAddressesAreResolvableOnesAndChangeInTime() {
        var air = Air()
        var beacon = Self.beacon()
        beacon.rotation = .every(.seconds(2))
        _ = air.add(beacon)
        let addresses = air.advance(to: .milliseconds(9_999)).map(\.pdu.address)
        #expect(Set(addresses).count == 5)
        #expect(addresses.allSatisfy { $0.value >> 46 == 0b01 })
    }

    @Test("a second receiver does not change what the first hears")
    func aSecondReceiverDoesNotChangeWhatTheFirstHears() {
        func levels(isAlone: Bool) -> [Int8] {
            var air = Air(seed: 99)
            for minor in 0..<3 { _ = air.add(Self.beacon(minor, at: Double(minor))) }
            let first = air.addReceiver(.fixed(Position(2, 2)))
            if !isAlone { _ = air.addReceiver(.fixed(Position(0, 5))) }
            return air.advance(to: .seconds(30)).flatMap(\.receptions).filter { $0.receiver == first }.map(\.rssi)
        }
        #expect(levels(isAlone: true) == levels(isAlone: false))
    }

    @Test("it does not matter in which steps time passes")
    func stepsDoNotMatter() {
        var whole = Air(seed: 5)
        var stepped = Air(seed: 5)
        for minor in 0..<5 {
            _ = whole.add(Self.beacon(minor))
            _ = stepped.add(Self.beacon(minor))
        }
        _ = whole.addReceiver(.fixed(Position(1, 1)))
        _ = stepped.addReceiver(.fixed(Position(1, 1)))
        let steps = (1...1000).flatMap { stepped.advance(to: .milliseconds(20 * $0)) }
        #expect(steps == whole.advance(to: .seconds(20)))
    }

    @Test("a seed makes a run")
    func seedsMakeRuns() {
        func run(_ seed: UInt64) -> [Emulation.Delivery] {
            var scenario = Scenario.museum
            scenario.seed = seed
            var emulation = Emulation(scenario)
            let ear = emulation.attach()
            emulation.run(Listen.legacy, on: ear)
            return emulation.advance(to: .seconds(20))
        }
        let first = run(1)
        #expect(first.count > 500)
        #expect(first == run(1))
        #expect(first != run(2))
    }

    /// It takes a tenth of a second in a release build: the limit is there for what grows with the square.
    @Test("a crowded minute has every packet", .timeLimit(.minutes(10)))
    func aCrowdedMinuteHasEveryPacket() {
        var air = Air()
        for minor in 0..<200 { _ = air.add(Self.beacon(minor, at: Double(minor) / 10)) }
        _ = air.addReceiver(.fixed(Position(10, 3)))
        #expect((112_000...116_000).contains(air.advance(to: .seconds(60)).count))
    }

    @Test("random numbers are the published ones")
    func randomNumbersAreThePublishedOnes() {
        // The reference program's first values for the seed 1234567.
        var random = RandomSource(seed: 1_234_567)
        #expect(random.next() == 6_457_827_717_110_365_317)
        #expect(random.next() == 3_203_168_211_198_807_973)
        #expect(random.next() == 9_817_491_932_198_370_423)
        let numbers = (0..<10_000).map { _ in random.integer(upTo: 9) }
        #expect(Set(numbers) == Set(0...9))
        #expect(random.integer(upTo: 0) == 0 && random.integer(upTo: -5) == 0)
        #expect((0...Int64.max).contains(random.integer(upTo: .max)))
    }
}
