import Contracts
import EventStore
import JSON
import ObjectStorage
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing
import identity

@Suite(.timeLimit(.minutes(2))) @Loop struct `The part of identity in an export` {
    /// All that lies in the service's folder for exports, as text.
    private func texts(_ fixture: Fixture) async throws -> [String] {
        let objects = try #require(fixture.first.objects)
        var texts: [String] = []
        for key in try await objects.keys(under: "export-identity/") {
            // It may be removed while this looks.
            guard let bytes = try? await objects.read(key, limit: 1 << 22) else { continue }
            texts.append(String(decoding: bytes, as: UTF8.self))
        }
        return texts
    }

    private func request(_ user: UUID, deadline: Duration = .seconds(600)) -> ExportRequested {
        ExportRequested(exportId: .v7(), ownerId: user, deadline: .now() + deadline)
    }

    @Test func `has the account and no secret, is announced, and goes when the export is over`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.signUp("anna@example.org", password: "a long password of hers")
            let bert = try await fixture.signUp("bert@example.org")
            let asked = request(anna.id)
            try await fixture.deliver(asked)
            let all = try await texts(fixture).joined(separator: "\n")
            #expect(all.contains("anna@example.org") && all.contains("login-sessions"))
            #expect(!all.contains("bert@example.org") && !all.contains("\(bert.id)"))
            for secret in ["argon2", anna.refresh, anna.access] { #expect(!all.contains(secret)) }
            let events = try await fixture.store.read(ExportPartEvent.stream(asked.exportId))
            let out = try #require(try events.compactMap { try IdentityService.publication($0) }.first)
            #expect(out.type == ExportPartWritten.type(of: .identity) && out.key == .owner(anna.id))
            #expect(!JSONValue.object(out.data).text.contains("anna"), "nothing personal is published")
            #expect(try ExportPartWritten(out.data).index != nil)

            try await fixture.deliver(ExportClosed(exportId: asked.exportId, ownerId: anna.id))
            #expect(try await fixture.eventually { try await texts(fixture).isEmpty })
        }
    }

    @Test func `goes when reporting was restored and does not know the export any more`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            let asked = request(anna.id)
            try await fixture.deliver(asked)
            #expect(try await !texts(fixture).isEmpty)
            let event = try #require(try await fixture.store.read(ExportPartEvent.stream(asked.exportId)).first)
            try await fixture.first.handler.takeBack(event, through: fixture.store)
            #expect(try await fixture.eventually { try await texts(fixture).isEmpty })
        }
    }

    @Test func `is written by one delivery, and not after the deadline`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            let message = try await fixture.deliver(request(anna.id))
            #expect(try await !fixture.deliver(message), "a repeat adds nothing")
            let late = request(anna.id, deadline: .seconds(-1))
            try await fixture.deliver(late)
            #expect(try await fixture.store.read(ExportPartEvent.stream(late.exportId)).isEmpty)
        }
    }

    @Test func `goes with its owner, and none is written for somebody who is gone`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            try await fixture.deliver(request(anna.id))
            #expect(try await !texts(fixture).isEmpty)
            #expect([200, 202].contains(try await fixture.send("DELETE", "/v1/me", token: anna.access).status))
            #expect(try await fixture.eventually { try await texts(fixture).isEmpty })
            let late = request(anna.id)
            try await fixture.deliver(late)
            #expect(try await fixture.store.read(ExportPartEvent.stream(late.exportId)).isEmpty)
            #expect(try await texts(fixture).isEmpty)
        }
    }
}
