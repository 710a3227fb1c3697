import HCI
import Radio
import Testing

@Suite("Advertising that others share")
struct AdvertisingKeeperTests {
    private static let disable = Command.leSetAdvertisingEnable(false)
    private static let disableAll = Command(.leSetExtendedAdvertisingEnable, [0, 0])

    private func keeper(_ family: CommandFamily?) -> AdvertisingKeeper {
        var keeper = AdvertisingKeeper(handles: [0xE0], now: 0)
        keeper.family = family
        return keeper
    }

    @Test("is started once more if others change it while it is started again")
    func during() {
        var keeper = keeper(.legacy)
        keeper.sawForeign(Self.disable, at: 5)
        keeper.starting()
        keeper.sawForeign(Self.disable, at: 5.4)
        keeper.started(at: 5.6)
        #expect(!keeper.mustRestart(at: 5.6 + RestartSchedule.spacing - 0.01))
        #expect(keeper.mustRestart(at: 5.6 + RestartSchedule.spacing + 0.01))
        keeper.starting()
        keeper.started(at: 7)
        #expect(keeper.due == .infinity)
    }

    @Test("is started again as long as that is refused")
    func refused() {
        var keeper = keeper(.extended)
        keeper.sawForeign(Self.disableAll, at: 5)
        keeper.starting()
        #expect(keeper.mustRestart(at: 5.4))
    }

    @Test("is changed by commands of its own family, and of both while the family is not known")
    func families() {
        for (family, command, isOurs) in [
            (.legacy, Self.disable, true), (.extended, Self.disable, false), (nil, Self.disable, true),
            (.legacy, Self.disableAll, false), (.extended, Self.disableAll, true), (nil, Self.disableAll, true),
            (.legacy, Command(.reset), true), (.extended, Command(.reset), true),
        ] as [(CommandFamily?, Command, Bool)] {
            var keeper = keeper(family)
            keeper.sawForeign(command, at: 5)
            #expect(keeper.mustRestart(at: 10) == isOurs, "\(family.map { "\($0)" } ?? "unknown"), \(command)")
        }
    }

    @Test("is left alone by what others do with sets of their own")
    func otherSets() {
        for command in [
            Command.leSetExtendedAdvertisingData(.shared(3), [1]), Command(.leRemoveAdvertisingSet, [7]),
            Command(.leRemoveAdvertisingSet), Command(.leSetExtendedAdvertisingEnable, [0, 1, 7, 0, 0, 0]),
        ] {
            var keeper = keeper(.extended)
            keeper.sawForeign(command, at: 5)
            #expect(keeper.due == .infinity, "\(command)")
        }
    }
}
