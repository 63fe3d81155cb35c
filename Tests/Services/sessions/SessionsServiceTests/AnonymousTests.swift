import Crypto
import JSON
import Primitives
import Runtime
import ServiceTesting
import Testing

@testable import sessions

@Suite(.timeLimit(.minutes(10))) @Loop struct `A device that becomes an account` {
    @Test func `keeps its sessions, whoever it is by now`() async throws {
        try await withSessions { fixture in
            let service = fixture.service
            let device = [
                (name: "Authorization", value: "Bearer \(try service.token(for: fixture.user, kind: .device))")
            ]
            let account = [
                (name: "Authorization", value: "Bearer \(try service.token(for: fixture.user, kind: .user))")
            ]
            let created = try await service.send(
                "POST", "/v1/sessions", headers: device + [(name: "Idempotency-Key", value: "k")],
                json: SessionsFixture.wish)
            let id = try #require(created.json["id"]?.stringValue)
            try await fixture.admit(try #require(UUID(id)))
            let read = try await service.send("GET", "/v1/sessions/\(id)", headers: account)
            #expect(read.status == 200 && read.json["status"] == "awaitingUpload")
            let isListed = try await fixture.eventually {
                let list = try await service.send("GET", "/v1/sessions", headers: account)
                return list.json["items"]?.arrayValue?.map { $0["id"] } == [.string(id)]
            }
            #expect(isListed)
            // The key is the owner's, so a repeat by the account is no second session.
            let again = try await service.send(
                "POST", "/v1/sessions", headers: account + [(name: "Idempotency-Key", value: "k")],
                json: SessionsFixture.wish)
            #expect(again.json["id"] == .string(id))
            #expect(
                try await service.send("POST", "/v1/sessions/\(id)/cancel", headers: account, json: [:]).json["status"]
                    == "cancelled")
        }
    }
}
