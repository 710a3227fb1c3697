package import Beacon

/// Decides what to do about a silent controller. Silence has several causes: no beacon sends, another program stopped
/// the scan, or the controller hangs. So the controller first gets a harmless command. If the silence lasts longer than
/// is likely, the scan is restarted, then the controller is reset, then the connection is opened again.
///
/// Pure. Times are seconds on any monotonic clock.
package struct SilenceWatch: Sendable {
    package struct Settings: Hashable, Sendable {
        /// Seconds of silence after which the controller is asked, and between further questions. Together with the two
        /// seconds that an answer may take, a hanging controller is detected before the first beacon exits
        /// (`RangingSettings.exitFloor`).
        package var questionTime: Double = 2.5
        /// Seconds of silence after which the scanner counts as blind, even if the controller answers.
        package var expiry: Double = 90
        /// Beacons that the scanner always receives when it works.
        package var references: Set<BeaconID> = []
        /// The same as `expiry`, while a reference beacon should be received.
        package var referenceExpiry: Double = 10
        /// Seconds after which a missing reference beacon no longer counts while others are received: its battery is
        /// empty.
        package var referenceMemory: Double = 60
        /// Whether the source was closed because of its silence. Then it is in doubt until something is received.
        package var startsInDoubt = false
        /// Seconds between two recovery steps.
        package var stageLength: Double = 5

        package init() {}
    }

    package enum Action: Hashable, Sendable {
        case none
        /// Send a harmless command. If there is no answer, the caller ends the session.
        case ask
        /// Start the scan again.
        case reassert
        /// Reset the controller, then start the scan again.
        case reset
        /// Nothing helped: open the source again.
        case giveUp
    }

    private let settings: Settings
    private var lastReport: Double
    /// When a reference beacon was last received. It is expected from the start.
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

    /// Whether silence means that no beacon is there.
    package var hearing: Hearing { isBlind ? .blind : isAsked ? .inDoubt : .ok }

    /// An advertising report arrived: the scanner works.
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

    /// When `check` has to be called next if nothing is received until then.
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
