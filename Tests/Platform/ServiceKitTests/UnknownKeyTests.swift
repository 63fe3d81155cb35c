import HTTPServer
import Runtime
import Testing

@testable import ServiceKit

@Suite(.timeLimit(.minutes(10))) @Loop struct `The names of unknown keys` {
    @Test func `that were waited for in vain are remembered for a while, and not all of them`() {
        let keys = UnknownKeys(memory: .seconds(3_600))
        keys.refuse("first")
        #expect(keys.isRefused("first") && !keys.isRefused("second"))
        for number in 0..<10_000 { keys.refuse("\(number)") }
        #expect(keys.isRefused("9999") && !keys.isRefused("first"))
        #expect((0..<10_000).count { keys.isRefused("\($0)") } <= UnknownKeys.mostRemembered)
    }

    @Test func `are asked for again after that while`() {
        let keys = UnknownKeys(memory: .zero)
        keys.refuse("first")
        #expect(!keys.isRefused("first"))
    }

    @Test func `are looked for until they are found, and not at all once they were waited for in vain`() async throws {
        let keys = UnknownKeys(memory: .seconds(3_600))
        let networks = ClientNetwork.all(of: "192.0.2.1")
        var looks = 0
        func look(for name: String, atMost wait: Duration, foundAt last: Int) async throws -> String? {
            try await keys.waiting(for: name, from: networks, atMost: wait) {
                looks += 1
                return looks == last ? name : nil
            }
        }
        #expect(try await look(for: "late", atMost: .seconds(60), foundAt: 2) == "late")
        #expect(try await look(for: "never", atMost: .milliseconds(1), foundAt: 0) == nil)
        let before = looks
        #expect(try await look(for: "never", atMost: .seconds(60), foundAt: 0) == nil)
        #expect(looks == before)
    }

    @Test func `have as many waiting as before once those who waited are gone`() async throws {
        let keys = UnknownKeys()
        for _ in 0..<1_000 { try await keys.waiting(from: ClientNetwork.all(of: "192.0.2.1")) {} }
        await #expect(throws: CancellationError.self) {
            try await keys.waiting(from: ClientNetwork.all(of: "192.0.2.1")) { throw CancellationError() }
        }
        try await nested(keys, UnknownKeys.mostWaitingOfNetwork)
        await #expect(throws: Problem.self) { try await nested(keys, UnknownKeys.mostWaitingOfNetwork + 1) }
    }

    @Test func `have so many waiting and no more, from however many networks`() async throws {
        let keys = UnknownKeys()
        try await nested(keys, UnknownKeys.mostWaiting, fromOne: false)
        await #expect(throws: Problem.self) { try await nested(keys, UnknownKeys.mostWaiting + 1, fromOne: false) }
    }

    @Test func `have four times as many waiting of a /56 as of one of its networks`() async throws {
        func waiting(_ keys: UnknownKeys, _ count: Int) async throws {
            if count == 0 { return }
            let networks = ClientNetwork.all(of: "2001:db8:1:\(count % 8)::1")
            try await keys.waiting(from: networks) { try await waiting(keys, count - 1) }
        }
        let most = UnknownKeys.mostWaitingOfNetwork * 4
        try await waiting(UnknownKeys(), most)
        await #expect(throws: Problem.self) { try await waiting(UnknownKeys(), most + 1) }
    }

    private func nested(_ keys: UnknownKeys, _ count: Int, fromOne: Bool = true) async throws {
        if count == 0 { return }
        try await keys.waiting(from: ClientNetwork.all(of: fromOne ? "192.0.2.1" : "192.0.2.\(count)")) {
            try await nested(keys, count - 1, fromOne: fromOne)
        }
    }
}
