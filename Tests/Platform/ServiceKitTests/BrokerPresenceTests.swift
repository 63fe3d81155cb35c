import Primitives
import ServiceKit
import Testing

@Suite struct `A broker that answers or not` {
    private func time(_ second: Int64) -> Timestamp { .epoch + .seconds(second) }

    @Test func `is told to have been away when it was for more than five seconds, once`() {
        var presence = BrokerPresence(since: time(0))
        let told = [2, 4, 9, 15, 17].map { presence.answered(at: time($0)) }
        #expect(told == [nil, nil, nil, time(9), nil])
    }

    @Test func `counts as away from when somebody began to look`() {
        var presence = BrokerPresence(since: time(100))
        let told = presence.answered(at: time(130))
        #expect(told == time(100))
    }
}
