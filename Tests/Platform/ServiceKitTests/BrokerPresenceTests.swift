import Primitives
import ServiceKit
import Testing

@Suite struct `A broker that answers or not` {
    private enum Note {
        case looks, answers
    }

    private let start = ContinuousClock.now

    /// What is told of notes at seconds.
    private func told(_ notes: [(Note, Int64)]) -> [BrokerPresence.Absence] {
        var presence = BrokerPresence(patience: .seconds(5), standstill: .seconds(4))
        return notes.compactMap { note, second in
            let moment = BrokerPresence.Moment(wall(second), start + .seconds(second))
            return note == .looks ? presence.looks(at: moment) : presence.answers(at: moment)
        }
    }

    private func wall(_ second: Int64) -> Timestamp { .epoch + .seconds(1_000 + second) }

    private func away(_ from: Int64, _ until: Int64) -> BrokerPresence.Absence {
        BrokerPresence.Absence(from: wall(from), until: wall(until))
    }

    /// Notes each second.
    private func looks(_ seconds: ClosedRange<Int64>) -> [(Note, Int64)] { seconds.map { (.looks, $0) } }

    @Test func `is told to have been away when it was for more than five seconds, once`() {
        #expect(told(looks(0...5) + [(.answers, 5)]) == [])
        #expect(told([(.looks, 0), (.answers, 0)] + looks(2...8) + [(.answers, 9), (.answers, 11)]) == [away(2, 9)])
    }

    @Test func `was not away while nobody looked`() {
        #expect(told([(.looks, 0), (.answers, 0), (.looks, 60), (.answers, 60)]) == [])
    }

    @Test func `was not away while this process stood still, with a look that had no answer yet`() {
        #expect(told([(.looks, 0), (.answers, 60)]) == [])
        #expect(told([(.looks, 0), (.looks, 60), (.answers, 61)]) == [])
    }

    @Test func `is told to have been away before and after a time in which this process stood still`() {
        #expect(told(looks(0...7) + looks(100...107) + [(.answers, 108)]) == [away(0, 7), away(100, 108)])
        #expect(told(looks(0...3) + looks(100...107) + [(.answers, 108)]) == [away(100, 108)])
    }
}
