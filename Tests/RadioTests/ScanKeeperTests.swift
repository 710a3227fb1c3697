import HCI
import Radio
import Testing

@Suite("A scan that others share")
struct ScanKeeperTests {
    private let stop = Command(.leSetScanEnable, [0, 0])
    private let filtered = Command(.leSetScanEnable, [1, 1])
    private let unfiltered = Command(.leSetExtendedScanEnable, [1, 0, 0, 0, 0, 0])

    private func keeper(_ command: Command, at time: Double) -> ScanKeeper {
        var keeper = ScanKeeper(now: 0)
        keeper.sawForeign(command, at: time)
        return keeper
    }

    @Test("is left alone as long as nobody touches it")
    func untouched() {
        let keeper = ScanKeeper(now: 0)
        #expect(!keeper.mustRestart(at: 1e6))
        #expect(keeper.interference == Interference())
    }

    @Test("is started again after it was stopped, filtered or reset, when the other has had a moment")
    func restarts() {
        for command in [stop, filtered, Command(.reset)] {
            let keeper = keeper(command, at: 5)
            #expect(!keeper.mustRestart(at: 5 + RestartSchedule.settling - 0.01), "\(command)")
            #expect(keeper.mustRestart(at: 5 + RestartSchedule.settling + 0.01), "\(command)")
        }
    }

    @Test("each command within the moment makes it anew, and only what remains counts")
    func remains() {
        var keeper = keeper(stop, at: 5)
        keeper.sawForeign(filtered, at: 5.2)
        #expect(!keeper.mustRestart(at: 5.4))
        #expect(keeper.mustRestart(at: 5.6))
        keeper.sawForeign(unfiltered, at: 5.7)
        #expect(!keeper.mustRestart(at: 100))
    }

    @Test("is not started again within a second, so that a fight stays a slow one")
    func spacing() {
        var keeper = keeper(stop, at: 0.1)
        #expect(!keeper.mustRestart(at: 0.9))
        #expect(keeper.mustRestart(at: 1.01))
        keeper.starting()
        keeper.started(at: 1.01)
        #expect(!keeper.mustRestart(at: 10))
        keeper.sawForeign(stop, at: 10)
        keeper.starting()
        keeper.started(at: 10.5)
        keeper.sawForeign(stop, at: 10.6)
        #expect(!keeper.mustRestart(at: 11.4))
        #expect(keeper.mustRestart(at: 11.6))
    }

    @Test("is started once more if others stop, filter or reset it while it is started again")
    func during() {
        for command in [stop, filtered, Command(.reset)] {
            var keeper = keeper(stop, at: 5)
            keeper.starting()
            keeper.sawForeign(command, at: 5.4)
            keeper.started(at: 5.6)
            #expect(!keeper.mustRestart(at: 5.6 + RestartSchedule.spacing - 0.01), "\(command)")
            #expect(keeper.mustRestart(at: 5.6 + RestartSchedule.spacing + 0.01), "\(command)")
        }
    }

    @Test("is started again as long as that is refused")
    func refused() {
        var keeper = keeper(stop, at: 5)
        keeper.starting()
        #expect(keeper.mustRestart(at: 5.4))
        keeper.starting()
        keeper.started(at: 5.7)
        #expect(!keeper.mustRestart(at: 100))
    }

    @Test("counts what others did, over every start")
    func counts() {
        var keeper = ScanKeeper(now: 0)
        for command in [stop, filtered, filtered, unfiltered, Command(.reset)] { keeper.sawForeign(command, at: 1) }
        keeper.starting()
        keeper.started(at: 2)
        var expected = Interference()
        (expected.stopped, expected.filtered, expected.resets) = (1, 2, 1)
        #expect(keeper.interference == expected)
    }

    @Test("passes over other commands, and those that are cut short")
    func others() {
        for command in [Command(.readBDADDR), Command(.leSetScanEnable, [0]), Command(.leSetScanEnable)] {
            let keeper = keeper(command, at: 5)
            #expect(!keeper.mustRestart(at: 10) && keeper.interference == Interference(), "\(command)")
        }
    }
}
