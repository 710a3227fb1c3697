package import Beacon

/// Decides from silence what to do about a controller. Quiet air, a stolen scan and a hung controller all sound the
/// same: so it is asked something harmless first, and when silence lasts longer than is likely, its scan is started
/// again, then it is reset, then the connection is given up for a fresh one.
///
/// Pure; times are seconds on any clock that only goes forward.
package struct SilenceWatch: Sendable {
    package struct Settings: Hashable, Sendable {
        /// Silence after which the controller is asked, and how often again. With the two seconds that an answer may
        /// take, a controller that hangs is known before the first beacon would exit (`RangingSettings.exitFloor`).
        package var questionTime: Double = 2.5
        /// Silence after which a controller that answers is not believed any more.
        package var expiry: Double = 90
        /// Beacons that stand where the scanner always hears them.
        package var references: Set<BeaconID> = []
        /// The same as `expiry`, while a reference beacon should be heard.
        package var referenceExpiry: Double = 10
        /// How long a reference beacon may be missing among others before it no longer counts: its battery is empty.
        package var referenceMemory: Double = 60
        /// The source was given up because it was silent: it is not believed before something is heard.
        package var startsInDoubt = false
        /// How long each remedy gets before the next.
        package var stageLength: Double = 5

        package init() {}
    }

    package enum Action: Hashable, Sendable {
        case none
        /// Ask something harmless; no answer is for the caller to take as the end.
        case ask
        /// Start the scan again.
        case reassert
        /// Bring the controller into its initial state, then start the scan again.
        case reset
        /// Nothing helped: open the source anew.
        case giveUp
    }

    private let settings: Settings
    private var lastReport: Double
    /// When a reference beacon was heard last; it is expected from the start.
    private var lastReference: Double
    private var lastSign: Double
    private var stage = 0
    private var isBlind: Bool
    /// The controller was asked, and has not answered.
    private var isAsked = false

    package init(settings: Settings = Settings(), now: Double) {
        self.settings = settings
        lastReport = now
        lastReference = now
        lastSign = now
        isBlind = settings.startsInDoubt
    }

    /// Whether silence can be believed.
    package var hearing: Hearing { isBlind ? .blind : isAsked ? .inDoubt : .ok }

    /// An advertising report arrived: everything is well.
    package mutating func heardReport(at now: Double) {
        lastReport = max(lastReport, now)
        lastSign = max(lastSign, now)
        stage = 0
        isBlind = false
        isAsked = false
    }

    /// A reference beacon was among what arrived.
    package mutating func heardReference(at now: Double) {
        lastReference = max(lastReference, now)
    }

    /// The controller gave another sign of life.
    package mutating func heardAnswer(at now: Double) {
        lastSign = max(lastSign, now)
        isAsked = false
    }

    private var expiry: Double {
        let isExpected = !settings.references.isEmpty && lastReport - lastReference <= settings.referenceMemory
        return isExpected ? min(settings.expiry, settings.referenceExpiry) : settings.expiry
    }

    /// When `check` may have something to say, if nothing is heard until then.
    package var due: Double {
        min(lastReport + expiry + settings.stageLength * Double(stage), lastSign + settings.questionTime)
    }

    /// What is to be done now.
    package mutating func check(at now: Double) -> Action {
        let silence = now - lastReport
        guard silence >= expiry + settings.stageLength * Double(stage) else {
            guard now - lastSign >= settings.questionTime else { return .none }
            isAsked = true
            return .ask
        }
        isBlind = true
        stage += 1
        switch stage {
        case 1: return .reassert
        case 2: return .reset
        default: return .giveUp
        }
    }
}
