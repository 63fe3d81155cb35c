import Foundation
import Testing

@testable import MirrorMateClient

@Suite("A login")
struct LoginTests {
    @Test("is refreshed once, however many ask at the same time")
    func singleFlight() async throws {
        let server = TokenServer()
        let login = Login(MemoryTokenStore()) { try await server.refresh($0) }
        try await login.keep(.over("0"), nil)
        let given = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 { group.addTask { try await login.accessToken() } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(given == ["access-1"])
        #expect(await server.seen == ["0"])
    }

    @Test("gives another token in the place of one that was refused, and no third one")
    func refused() async throws {
        let server = TokenServer()
        let login = Login(MemoryTokenStore()) { try await server.refresh($0) }
        try await login.keep(.over("0"), nil)
        let first = try await login.accessToken()
        #expect(try await login.accessToken(insteadOf: first) == "access-2")
        #expect(try await login.accessToken(insteadOf: first) == "access-2")
    }

    @Test("is over when the server says so, and nothing of it is kept but the device")
    func over() async throws {
        let store = MemoryTokenStore()
        let server = TokenServer(refusing: true)
        let login = Login(store) { try await server.refresh($0) }
        let device = KnownDevice(id: "a-device-of-sixteen", secret: "secret")
        try await login.keep(.over("0"), device)
        await #expect(throws: Problem.self) { try await login.accessToken() }
        #expect(store.load()?.tokens == nil)
        #expect(store.load()?.device == device)
        await #expect(throws: ClientError.self) { try await login.accessToken() }
        #expect(await server.seen == ["0"])
    }

    @Test("finds what was kept before")
    func restart() async throws {
        let store = MemoryTokenStore()
        let server = TokenServer()
        try await Login(store) { try await server.refresh($0) }.keep(.over("7"), nil)
        let login = Login(store) { try await server.refresh($0) }
        _ = try await login.accessToken()
        #expect(await server.seen == ["7"])
        #expect(store.load()?.tokens?.refresh == "1")
    }
}

/// Gives tokens by number, and remembers what it was asked with.
private actor TokenServer {
    private(set) var seen: [String] = []
    private let isRefusing: Bool

    init(refusing: Bool = false) { isRefusing = refusing }

    func refresh(_ token: String) throws -> Tokens {
        seen.append(token)
        if isRefusing {
            throw try Documents.decode(
                Problem.self,
                from: Data(
                    #"{"type":"t","title":"Over","status":401,"detail":"Sign in again.","code":"refresh-token-invalid"}"#
                        .utf8))
        }
        let number = seen.count
        return Tokens(accessToken: "access-\(number)", refreshToken: "\(number)", expiresIn: 900)
    }
}

extension TokenPair {
    /// Tokens whose access token is over.
    fileprivate static func over(_ refresh: String) -> TokenPair {
        TokenPair(access: "old", refresh: refresh, expiresAt: .distantPast)
    }
}
