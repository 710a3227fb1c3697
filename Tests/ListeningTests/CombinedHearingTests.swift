import Beacon
import Listening
import Radio
import Testing

@Suite("Hearing of several sources")
struct HearingBoardTests {
    @Test("is blind until one of them hears, and when all of them are")
    func blind() {
        let combined = CombinedHearing()
        #expect(combined.isBlind)
        #expect(combined.note(.ok, of: 0) == .ok)
        #expect(combined.note(.ok, of: 1) == nil)
        #expect(combined.note(.blind, of: 0) == nil)
        #expect(combined.note(.blind, of: 1) == .blind)
    }

    @Test("is in doubt where one is and none is well, and nobody is told")
    func doubt() {
        let combined = CombinedHearing()
        _ = combined.note(.ok, of: 0)
        _ = combined.note(.blind, of: 1)
        #expect(combined.note(.inDoubt, of: 0) == nil)
        #expect(combined.isInDoubt && !combined.isBlind)
        #expect(combined.note(.ok, of: 0) == nil)
        #expect(!combined.isInDoubt)
        _ = combined.note(.inDoubt, of: 0)
        #expect(combined.note(.blind, of: 0) == .blind)
        #expect(!combined.isInDoubt && combined.isBlind)
    }

    @Test("says that it is blind since the start when each source was lost, once")
    func blindFromTheStart() {
        let combined = CombinedHearing()
        for source in [0, 1] as [SourceID] { #expect(combined.note(.blind, of: source) == nil) }
        #expect(combined.noteLoss(of: 0) == nil, "the other may still be opened")
        #expect(combined.noteLoss(of: 1) == .blind)
        #expect(combined.noteLoss(of: 0) == nil)
        #expect(combined.note(.ok, of: 0) == .ok)
        #expect(combined.note(.blind, of: 0) == .blind)
        #expect(combined.noteLoss(of: 0) == nil, "its blindness was told")
    }

    @Test("forgets a source that is not listened to any more")
    func forgets() {
        let combined = CombinedHearing()
        _ = combined.note(.ok, of: 0)
        _ = combined.note(.blind, of: 1)
        #expect(combined.keep([1]) == .blind)
    }
}
