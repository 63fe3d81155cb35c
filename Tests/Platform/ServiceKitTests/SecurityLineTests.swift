import Runtime
import Testing

@testable import ServiceKit

@Suite struct `The lines of the security log in a minute` {
    private func kind(_ network: Int, _ code: String? = "token-malformed") -> SecurityLineBound.Kind {
        SecurityLineBound.Kind(event: .tokenRefused, code: code, network: "\(network)")
    }

    @Test func `are so many of an event, a code and a network, and then are counted`() {
        var bound = SecurityLineBound()
        let admitted = (0..<100).count { _ in bound.admits(kind(1)) }
        #expect(admitted == SecurityLineBound.most)
        let others = [bound.admits(kind(2)), bound.admits(kind(1, "token-expired"))]
        #expect(others == [true, true])
        let isOtherAdmitted = bound.admits(SecurityLineBound.Kind(event: .operatorRefused, code: nil, network: "1"))
        #expect(isOtherAdmitted)
        let left = bound.end()
        #expect(left.count == 1 && left[0].kind == kind(1) && left[0].leftOut == 100 - SecurityLineBound.most)
        let (after, isAdmitted) = (bound.end(), bound.admits(kind(1)))
        #expect(after.isEmpty && isAdmitted)
    }

    @Test func `need no more memory, and are not many more, when they are about very many networks`() {
        var bound = SecurityLineBound()
        let admitted = (0..<100_000).count { bound.admits(kind($0)) }
        #expect(admitted == SecurityLineBound.mostKinds + SecurityLineBound.most)
        let left = bound.end()
        #expect(left.count == 1 && left[0].kind.network == nil && left[0].leftOut == 100_000 - admitted)
    }

    @Test func `are never fewer than there were of what somebody did who is known`() {
        for event in [SecurityEvent.passwordReset, .userErased, .operatorAction, .refreshTokenReused, .newDevice] {
            #expect(!event.isBounded)
        }
    }
}
