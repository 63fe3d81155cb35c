import Crypto
import JSON
import Primitives
import Runtime
import ServiceTesting
import Testing

@testable import sessions

@Suite(.timeLimit(.minutes(2))) @Loop struct `A device that becomes an account` {
    @Test func `keeps its sessions, whoever it is by now`() async throws {
        let fixture = try await SessionsFixture()
        let service = fixture.service
        let device = [("Authorization", "Bearer \(try service.token(fixture.user, kind: .device))")]
        let account = [("Authorization", "Bearer \(try service.token(fixture.user, kind: .user))")]
        let created = try await service.call(
            "POST", "/v1/sessions", headers: device + [("Idempotency-Key", "k")], json: SessionsFixture.wish)
        let id = try #require(created.json["id"]?.stringValue)
        try await fixture.admit(try #require(UUID(id)))
        let read = try await service.call("GET", "/v1/sessions/\(id)", headers: account)
        #expect(read.status == 200 && read.json["status"] == "awaitingUpload")
        let isListed = try await fixture.eventually {
            let list = try await service.call("GET", "/v1/sessions", headers: account)
            return list.json["items"]?.arrayValue?.map { $0["id"] } == [.string(id)]
        }
        #expect(isListed)
        // The key is the owner's, so a repeat by the account is no second session.
        let again = try await service.call(
            "POST", "/v1/sessions", headers: account + [("Idempotency-Key", "k")], json: SessionsFixture.wish)
        #expect(again.json["id"] == .string(id))
        #expect(
            try await service.call("POST", "/v1/sessions/\(id)/cancel", headers: account, json: [:]).json["status"]
                == "cancelled")
        await service.stop()
    }
}
