import Primitives
import ServiceKit
import Testing

@Suite struct `A broker that answers or not` {
    private func time(_ second: Int64) -> Timestamp { .epoch + .seconds(second) }

    @Test func `is told to have been away when looks failed for more than five seconds, once`() {
        var presence = BrokerPresence()
        #expect(presence.answered(at: time(2)) == nil)
        for second in [4, 7, 10] { presence.missed(at: time(Int64(second))) }
        #expect(presence.answered(at: time(13)) == time(4))
        #expect(presence.answered(at: time(15)) == nil)
    }

    @Test func `is not told to have been away for a moment`() {
        var presence = BrokerPresence()
        presence.missed(at: time(4))
        #expect(presence.answered(at: time(9)) == nil)
    }

    @Test func `is not told to have been away while nobody looked`() {
        var presence = BrokerPresence()
        #expect([2, 60, 61].map { presence.answered(at: time($0)) } == [nil, nil, nil])
    }
}
