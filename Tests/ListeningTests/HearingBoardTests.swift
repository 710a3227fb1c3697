import Beacon
import Listening
import Radio
import Testing

@Suite("Hearing of several sources")
struct HearingBoardTests {
    @Test("is blind until one of them hears, and when all of them are")
    func blind() {
        let board = HearingBoard()
        #expect(board.isBlind)
        #expect(board.note(.ok, of: 0) == .ok)
        #expect(board.note(.ok, of: 1) == nil)
        #expect(board.note(.blind, of: 0) == nil)
        #expect(board.note(.blind, of: 1) == .blind)
    }

    @Test("is in doubt where one is and none is well, and nobody is told")
    func doubt() {
        let board = HearingBoard()
        _ = board.note(.ok, of: 0)
        _ = board.note(.blind, of: 1)
        #expect(board.note(.inDoubt, of: 0) == nil)
        #expect(board.isInDoubt && !board.isBlind)
        #expect(board.note(.ok, of: 0) == nil)
        #expect(!board.isInDoubt)
        _ = board.note(.inDoubt, of: 0)
        #expect(board.note(.blind, of: 0) == .blind)
        #expect(!board.isInDoubt && board.isBlind)
    }

    @Test("forgets a source that is not listened to any more")
    func forgets() {
        let board = HearingBoard()
        _ = board.note(.ok, of: 0)
        _ = board.note(.blind, of: 1)
        #expect(board.keep([1]) == .blind)
    }
}
