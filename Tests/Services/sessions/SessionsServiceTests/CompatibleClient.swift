import Contracts
import EventSourcing
import EventStore
import JSON
import Primitives
import Runtime
import ServiceKit
import ServiceTesting

@testable import sessions

/// A client of the compatible surface, as the app and the SDKs send their requests.
@Loop struct CompatibleClient {
    let fixture: SessionsFixture
    /// The anon key.
    let key: String

    init(_ fixture: SessionsFixture) async throws {
        self.fixture = fixture
        key = try await fixture.service.apiKey(.anon)
    }

    /// Sends a request with the anon key as bearer, as somebody who is not signed in does.
    ///
    /// - Parameters:
    ///   - query: names and values, not encoded.
    ///   - user: somebody who is signed in; nil for nobody.
    func send(
        _ method: String = "GET", _ path: String, _ query: [(String, String)] = [], as user: UUID? = nil,
        bearer: String? = nil, headers: [(name: String, value: String)] = [], json: JSONValue? = nil
    ) async throws -> Answer {
        let token = try user.map { try fixture.service.compatibleToken(for: $0) } ?? bearer ?? key
        let target =
            query.isEmpty
            ? path : path + "?" + query.map { Self.encoded($0) + "=" + Self.encoded($1) }.joined(separator: "&")
        return try await fixture.service.send(
            method, target, headers: [("apikey", key), ("Authorization", "Bearer \(token)")] + headers, json: json)
    }

    /// The rows of a query.
    func rows(_ table: String, _ query: [(String, String)] = [], as user: UUID? = nil) async throws -> [JSONValue]? {
        let answer = try await send("GET", "/rest/v1/\(table)", query, as: user)
        return answer.status == 200 ? try JSONValue.parse(answer.body).arrayValue : nil
    }

    func begin(as user: UUID? = nil, device: String = "a phone") async throws -> Answer {
        try await send(
            "POST", "/functions/v1/init-session", as: user, json: ["maxDurationSec": 60, "deviceId": .string(device)])
    }

    static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            let isPlain = Character(Unicode.Scalar(byte)).isLetter && byte < 128 || (0x30...0x39).contains(byte)
            return isPlain
                ? String(Unicode.Scalar(byte)) : "%" + String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }.joined()
    }
}

extension SessionsFixture {
    /// Creates a session by its commands alone, as if it had been begun at some moment on some surface.
    func place(
        _ id: UUID, of owner: UUID, createdAt: Timestamp = .now(), isAnnounced: Bool = true
    ) async throws {
        var creation = SessionCreation(
            timeZone: "UTC", createdAt: createdAt, expiresAt: createdAt + .seconds(86_400), contentType: "video/mp4",
            contentLength: Int64(Self.video.count))
        creation.isAnnounced = isAnnounced
        try await put(
            .create(SessionIdentity(sessionId: id, ownerId: owner, kind: .mirrormate), creation), on: id, of: owner)
    }

    func put(_ command: SessionCommand, on id: UUID, of owner: UUID) async throws {
        _ = try await CommandHandler<Session>(service.context.store).handle(
            command, on: Session.stream(id), id: .v7(), requestHash: [],
            metadata: EventMetadata(owner: owner, correlation: .v7(), actor: "test"))
    }

    /// Lets quota admit a session of somebody.
    func admit(_ id: UUID, of owner: UUID) async throws {
        try await service.deliver(
            QuotaReserved(
                SessionIdentity(sessionId: id, ownerId: owner, kind: .mirrormate), plan: .free, limit: 1, used: 0,
                reserved: 1, windowEndsAt: .now() + .seconds(3600)))
    }

    /// The owner of a session.
    func owner(of id: UUID) async throws -> UUID? {
        try await CommandHandler<Session>(service.context.store).load(Session.stream(id)).state.identity?.ownerId
    }
}
