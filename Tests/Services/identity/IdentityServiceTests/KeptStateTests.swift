import EventSourcing
import EventStore
import JSON
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing

@testable import identity

/// What routes read that somebody may call as often as they like.
@Suite(.timeLimit(.minutes(10))) @Loop struct `The state of a user that is read again and again` {
    /// After which versions the stream was read.
    @Loop private final class Asked {
        var versions: [Int64] = []
    }

    /// Moves so many times, to another zone and back.
    private func move(_ fixture: Fixture, _ user: UUID, _ times: Int) async throws {
        for number in 0..<times {
            let zone = number.isMultiple(of: 2) ? "Asia/Tokyo" : "Europe/Berlin"
            _ = try await CommandHandler<User>(fixture.store).handle(
                .changeTimeZone(zone), on: User.stream(user), id: .v7(), requestHash: [],
                metadata: EventMetadata(owner: user, correlation: .v7(), actor: "test"))
        }
    }

    private func states(_ fixture: Fixture, _ asked: Asked) -> KeptStates<User> {
        let store = fixture.store
        return KeptStates(store) { stream, version in
            asked.versions.append(version)
            return try await store.read(stream, after: version)
        }
    }

    @Test func `costs what came since, however long the history is, and is as new as that`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            try await move(fixture, anna.id, Int(KeptStates<User>.long))
            let asked = Asked()
            let states = states(fixture, asked)
            let stream = try await CommandHandler<User>(fixture.store).load(User.stream(anna.id))
            for _ in 1...3 { #expect(try await states.state(of: User.stream(anna.id)) == stream.state) }
            #expect(asked.versions == [0, stream.version - 1, stream.version - 1])
            try await move(fixture, anna.id, 1)
            #expect(try await states.state(of: User.stream(anna.id)).timeZone == "Asia/Tokyo")
            #expect(try await fixture.send("DELETE", "/v1/me", token: anna.access).status == 202)
            #expect(try await states.state(of: User.stream(anna.id)).phase == .erased)
        }
    }

    @Test func `is folded anew when the store was set back`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            try await move(fixture, anna.id, Int(KeptStates<User>.long) + 1)
            let name = User.stream(anna.id)
            let whole = try await CommandHandler<User>(fixture.store).load(name)
            let asked = Asked()
            var end = whole.version
            let store = fixture.store
            let states = KeptStates<User>(store) { stream, version in
                asked.versions.append(version)
                return try await store.read(stream, after: version).filter { $0.version <= end }
            }
            #expect(try await states.state(of: name).timeZone == "Asia/Tokyo")
            end -= 1
            #expect(try await states.state(of: name).timeZone == "Europe/Berlin")
            #expect(asked.versions == [0, whole.version - 1, 0])
        }
    }

    @Test func `is kept of those who were read last`() async throws {
        try await withIdentity { fixture in
            var streams: [StreamName] = []
            for name in ["anna", "berta", "clara"] {
                let user = try await fixture.signUp("\(name)@example.org").id
                try await move(fixture, user, Int(KeptStates<User>.long))
                streams.append(User.stream(user))
            }
            let asked = Asked()
            let store = fixture.store
            let states = KeptStates<User>(store, most: 2) { stream, version in
                asked.versions.append(version)
                return try await store.read(stream, after: version)
            }
            for stream in [streams[0], streams[1], streams[0], streams[2], streams[0], streams[1]] {
                _ = try await states.state(of: stream)
            }
            #expect(asked.versions.map { $0 == 0 } == [true, true, false, true, false, true])
        }
    }

    @Test func `is kept of nobody whose history is short`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            let asked = Asked()
            let states = states(fixture, asked)
            for _ in 1...2 { #expect(try await states.state(of: User.stream(anna.id)).phase == .active) }
            #expect(asked.versions == [0, 0])
        }
    }

    @Test func `answers what a user has chosen, and whether they are erased`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            try await move(fixture, anna.id, Int(KeptStates<User>.long))
            let path = "/v1/me/notifications"
            for isWanted in [true, false] {
                let mails: JSONValue = [
                    "productNews": .bool(isWanted), "coachingReminders": true, "weeklySummary": true,
                ]
                #expect(try await fixture.send("PUT", path, token: anna.access, mails).status == 200)
                let read = try await fixture.send("GET", path, token: anna.access)
                #expect(read.json["mails"]?["productNews"] == .bool(isWanted))
            }
            #expect(try await fixture.send("GET", "/v1/me/erasure", token: anna.access).status == 404)
            for _ in 1...2 { #expect(try await fixture.send("DELETE", "/v1/me", token: anna.access).status == 202) }
        }
    }
}
