import Contracts
import JSON
import ObjectStorage
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing
import Uploads

@testable import sessions

/// Refusals that no other test comes by.
@Suite(.timeLimit(.minutes(10))) @Loop struct `Sessions refuse` {
    @Test func `an upload that does not fit the session's status`() async throws {
        try await withSessions { fixture in
            let queued = try await fixture.create()
            let ended = try await fixture.create()
            _ = try await fixture.service.send("POST", "/v1/sessions/\(ended)/cancel", as: fixture.user)
            for (session, status, code) in [
                (queued, 409, "session-queued"), (ended, 409, "session-ended"), (UUID.v7(), 404, "not-found"),
            ] {
                let answer = try await fixture.service.send("PUT", address(of: session), body: SessionsFixture.video)
                #expect(answer.status == status && answer.json["code"] == .string(code))
            }
        }
    }

    @Test func `an upload that does not say its length, or says one beyond all limits`() async throws {
        try await withSessions { fixture in
            let id = try await fixture.create()
            try await fixture.admit(id)
            for (field, status, code) in [
                (("Transfer-Encoding", "chunked"), 411, "length-required"),
                (("Content-Length", "9223372036854775807"), 413, "body-too-large"),
            ] {
                let answer = try await fixture.service.send(
                    "PUT", address(of: id), headers: [field], body: SessionsFixture.video)
                #expect(answer.status == status && answer.json["code"] == .string(code))
            }
        }
    }

    @Test func `a wish for a time zone or a predecessor that does not exist, and a page of another size`() async throws
    {
        try await withSessions { fixture in
            for (member, value, status, code) in [
                ("timeZone", "Europe/Atlantis" as JSONValue, 422, "time-zone-invalid"),
                ("replaces", .uuid(.v7()), 404, "not-found"),
            ] {
                var body = SessionsFixture.wish.objectValue!
                body[member] = value
                let answer = try await fixture.service.send(
                    "POST", "/v1/sessions", as: fixture.user, headers: [("Idempotency-Key", member)],
                    json: .object(body))
                #expect(answer.status == status && answer.json["code"] == .string(code))
            }
            let page = try await fixture.service.send("GET", "/v1/sessions?limit=0", as: fixture.user)
            #expect(page.status == 400 && page.json["code"] == "invalid-request")
        }
    }

    @Test func `to finalize what has ended, and an upload that is not there any more`() async throws {
        try await withSessions { fixture in
            let id = try await fixture.create()
            try await fixture.admit(id)
            _ = try await fixture.upload(id)
            let objects = try #require(fixture.service.first.objects)
            for key in try await objects.keys(under: "uploads/") { try await objects.delete(key) }
            let changed = try await fixture.service.send("POST", "/v1/sessions/\(id)/finalize", as: fixture.user)
            #expect(changed.status == 409 && changed.json["code"] == "upload-changed")
            _ = try await fixture.service.send("POST", "/v1/sessions/\(id)/cancel", as: fixture.user)
            let late = try await fixture.service.send("POST", "/v1/sessions/\(id)/finalize", as: fixture.user)
            #expect(late.status == 409 && late.json["code"] == "session-ended")
        }
    }

    @Test func `to cancel what is complete`() async throws {
        try await withSessions { fixture in
            let id = try await fixture.create()
            try await fixture.admit(id)
            _ = try await fixture.upload(id)
            _ = try await fixture.service.send("POST", "/v1/sessions/\(id)/finalize", as: fixture.user)
            try await fixture.service.deliver(
                ReportReady(SessionReference(sessionId: id, ownerId: fixture.user), reportId: .v7()))
            let late = try await fixture.service.send("POST", "/v1/sessions/\(id)/cancel", as: fixture.user)
            #expect(late.status == 409 && late.json["code"] == "session-ended")
        }
    }

    /// An upload address as the service makes them, whatever the session's status.
    private func address(of session: UUID) -> String {
        let links = SignedLinks.uploads(key: Array("an upload key of at least 16 characters".utf8), publicURL: "")
        return links.url("PUT", "/v1/uploads/\(session)", until: .now() + .seconds(60))
    }
}
