import Advertising
import Radio
import Testing

@Suite("What the places of a scene show")
struct ShownBroadcastsTests {
    private let whale = Broadcast(data: [2, 1, 6])
    private let globe = Broadcast(data: [2, 1, 4])

    @Test("is changed once where it differs")
    func changes() {
        var shown = ShownBroadcasts(places: 3)
        #expect(shown.due([whale, nil, globe], at: .zero) == [0, 2])
        shown.shows(whale, at: 0)
        shown.shows(globe, at: 2)
        #expect(shown.due([whale, nil, globe], at: .seconds(1)).isEmpty)
        #expect(shown.due([nil, nil, whale], at: .seconds(1)) == [0, 2])
        shown.shows(nil, at: 0)
        #expect(!shown.isShowing(0) && shown.isShowing(2))
    }

    @Test("is tried again a second after a refusal, also if it stays the same")
    func refusal() {
        var shown = ShownBroadcasts(places: 2)
        shown.refused(at: 0, now: .seconds(5))
        #expect(!shown.isShowing(0))
        #expect(shown.due([whale, globe], at: .seconds(5.9)) == [1])
        #expect(shown.due([whale, globe], at: .seconds(6)) == [0, 1])
        shown.shows(whale, at: 0)
        #expect(shown.due([globe, nil], at: .seconds(6.1)) == [0])
    }

    @Test("moves up when a place is given up")
    func removal() {
        var shown = ShownBroadcasts(places: 2)
        shown.shows(whale, at: 1)
        shown.remove(place: 0)
        #expect(shown.count == 1 && shown.isShowing(0))
        #expect(shown.due([whale], at: .zero).isEmpty)
    }
}
