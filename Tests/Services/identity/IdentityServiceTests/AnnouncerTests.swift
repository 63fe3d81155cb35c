import Contracts
import EventSourcing
import EventStore
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import SigningKeys
import Testing

@testable import identity

/// What happens at the first start with an announcement key.
@Suite(.timeLimit(.minutes(10))) @Loop struct `A new announcement key` {
    private func types(_ fixture: Fixture) async throws -> [String] {
        try await fixture.context.store.readLog(after: 0, limit: 1000).map(\.type.description)
    }

    @Test func `is announced before anything is signed with it, and once`() async throws {
        try await withIdentity { fixture in
            #expect(try await types(fixture).prefix(2) == ["AnnouncementsBegun.v1", "SigningKeyPublished.v2"])
            let announcer = Announcer(fixture.context.store, key: TestAnnouncements.keyID)
            let before = try await types(fixture).filter { $0 != "ErasuresAnnounced.v1" }
            try await announcer.begin()
            try await announcer.repeatErasures()
            #expect(try await types(fixture).filter { $0 != "ErasuresAnnounced.v1" } == before)
        }
    }

    @Test func `has living keys, retirements and erasures announced again, in this order`() async throws {
        try await withIdentity { fixture in
            let store = fixture.context.store
            #expect(
                try await fixture.eventually { try await self.types(fixture).contains("ErasuresAnnounced.v1") })
            let anna = try await fixture.signUp("anna@example.org")
            let bert = try await fixture.signUp("bert@example.org")
            _ = try await fixture.send("DELETE", "/v1/me", token: anna.access)
            let kid = UUID.v4()
            let material = SigningKeyMaterial(
                kid: kid, x: "x", y: "y", notBefore: .now(), expiresAt: .now() + .seconds(3_600))
            let metadata = EventMetadata(owner: nil, correlation: .v7(), actor: "test")
            for command in [SigningKeyCommand.publish(material), .retire(at: .now())] {
                _ = try await CommandHandler<SigningKey>(store).handle(
                    command, on: SigningKey.stream(kid), id: .v7(), requestHash: [], metadata: metadata)
            }
            let before = try await types(fixture).count
            let announcer = Announcer(store, key: "next")
            try await announcer.begin()
            #expect(
                try await types(fixture).dropFirst(before) == [
                    "AnnouncementsBegun.v1", "SigningKeyPublished.v2", "SigningKeyRetired.v2",
                ])
            // It ended before the erasures were announced; the next start goes on.
            try await Announcer(store, key: "next").begin()
            try await Announcer(store, key: "next").repeatErasures()
            #expect(try await types(fixture).dropFirst(before + 3) == ["UserErased.v2", "ErasuresAnnounced.v1"])
            let again = try await store.read(User.stream(anna.id))
            #expect(again.map(\.type.name).filter { $0 == "UserErased" }.count == 2)
            // The receipt, and who was not erased, are as they were.
            #expect(try await CommandHandler<User>(store).load(User.stream(anna.id)).state.phase == .erased)
            #expect(try await CommandHandler<User>(store).load(User.stream(bert.id)).state.phase == .active)
            #expect(try await fixture.signIn("bert@example.org").status == 200)
        }
    }
}
