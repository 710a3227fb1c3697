import Beacon
import Daemon
import Events
import Ranging
import Synchronization
import Testing

@Suite("What systemd is told")
struct SystemdPresenterTests {
    private final class Told: Sendable {
        let seconds = Mutex(0.0)
        let all = Mutex<[(status: String, isAlive: Bool)]>([])
    }

    private let told = Told()

    private func presenter() -> SystemdPresenter {
        SystemdPresenter(names: Names(), clock: { [told] in told.seconds.withLock { $0 } }) { [told] status, isAlive in
            told.all.withLock { $0.append((status, isAlive)) }
        }
    }

    private func show(_ presenter: SystemdPresenter, at wall: Double, steady: Double, isBlind: Bool = false) {
        told.seconds.withLock { $0 = steady }
        presenter.show(Ranking(time: Timestamp(seconds: wall), nearest: nil, beacons: []), isBlind: isBlind)
    }

    @Test("the watchdog is fed every two seconds, also after the clock was set back")
    func clockSetBack() {
        let presenter = presenter()
        for (wall, steady) in [(5000.0, 0.0), (5001, 1), (5002, 2), (1403, 3), (1404, 4), (1406, 6)] {
            show(presenter, at: wall, steady: steady)
        }
        #expect(told.all.withLock { $0.count } == 4)
        #expect(told.all.withLock { $0.allSatisfy(\.isAlive) })
    }

    @Test("what has changed is told at once, and who is blind is not alive")
    func blind() {
        let presenter = presenter()
        show(presenter, at: 1, steady: 1)
        show(presenter, at: 1.5, steady: 1.5, isBlind: true)
        #expect(told.all.withLock { $0.map(\.isAlive) } == [true, false])
        #expect(told.all.withLock { $0.last?.status.hasPrefix("blind") } == true)
    }
}
