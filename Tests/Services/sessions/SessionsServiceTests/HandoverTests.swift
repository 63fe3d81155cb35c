import Contracts
import EventConsumer
import EventSourcing
import EventStore
import JSON
import Postgres
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing

@testable import sessions

/// What was logged on an anonymous device, when the device is handed over to an account.
@Suite(.timeLimit(.minutes(2))) @Loop struct `Sessions of a device that is handed over` {
    private let device = UUID.v7()
    private let now = Timestamp.now()

    /// A session of ten minutes that ended so many days ago.
    private func telling(_ id: UUID, daysAgo: Int64 = 0, active: Int64 = 600) -> JSONObject {
        let end = Timestamp(seconds: now.seconds - 300 - daysAgo * 86_400)
        return [
            "id": .uuid(id), "kind": "meditation", "startedAt": .time(end.adding(seconds: -600)),
            "endedAt": .time(end), "activeSeconds": .int(active), "timeZone": "Europe/Berlin",
        ]
    }

    private func ask(
        _ fixture: SessionsFixture, _ method: String, _ path: String = "", as user: UUID, _ body: JSONObject? = nil
    ) async throws -> Answer {
        try await fixture.service.send(
            method, "/v1/practice/sessions\(path)", as: user, json: body.map(JSONValue.object))
    }

    private func log(_ fixture: SessionsFixture, _ body: JSONObject, as user: UUID) async throws {
        #expect(try await ask(fixture, "POST", as: user, body).status == 201)
    }

    private func ids(_ fixture: SessionsFixture, of user: UUID) async throws -> Set<UUID> {
        try await fixture.service.foldAll()
        let items = try await ask(fixture, "GET", "?limit=100", as: user).json.array("items")
        return Set(try items.compactMap { try $0.objectValue?.uuid("id") })
    }

    private func handOver(_ fixture: SessionsFixture, to account: UUID? = nil) async throws -> ReceivedMessage {
        try await fixture.service.deliver(DeviceHandedOver(userId: device, accountId: account ?? fixture.user))
    }

    private func events(_ fixture: SessionsFixture, of id: UUID) async throws -> [String] {
        try await fixture.service.context.store.read(LoggedSession.stream(id)).map(\.type.name)
    }

    @Test func `become the account's once, each under its own id, and go on being it`() async throws {
        try await withSessions { fixture in
            let mine = UUID.v7()
            let theirs = (0..<3).map { _ in UUID.v7() }
            try await log(fixture, telling(mine, daysAgo: 9), as: fixture.user)
            for (day, id) in theirs.enumerated() {
                try await log(fixture, telling(id, daysAgo: Int64(day)), as: device)
            }
            let corrected = telling(theirs[1], daysAgo: 1, active: 300)
            #expect(try await ask(fixture, "PUT", "/\(theirs[1])", as: device, corrected).status == 200)
            let message = try await handOver(fixture)
            #expect(try await ids(fixture, of: device).isEmpty)
            #expect(try await ids(fixture, of: fixture.user) == Set(theirs + [mine]))
            #expect(try await events(fixture, of: theirs[0]) == ["SessionLogged", "SessionWithdrawn", "SessionLogged"])
            let read = try await ask(fixture, "GET", "/\(theirs[1])", as: fixture.user)
            #expect(read.status == 200 && read.json["activeSeconds"] == 300)
            // Told again, it is found done.
            #expect(try await !fixture.service.deliver(message))
            _ = try await handOver(fixture)
            #expect(try await events(fixture, of: theirs[0]).count == 3)
            // The device has no word any more; the account has it, also of what the client had not heard to be taken.
            for method in ["GET", "DELETE"] {
                #expect(try await ask(fixture, method, "/\(theirs[0])", as: device).status == 404)
            }
            #expect(try await ask(fixture, "PUT", "/\(theirs[0])", as: device, telling(theirs[0])).status == 404)
            #expect(
                try await ask(fixture, "POST", as: fixture.user, telling(theirs[2], daysAgo: 2)).status == 201)
            #expect(try await events(fixture, of: theirs[2]).count == 3)
            let again = telling(theirs[0], active: 60)
            #expect(try await ask(fixture, "PUT", "/\(theirs[0])", as: fixture.user, again).status == 200)
            #expect(try await ask(fixture, "DELETE", "/\(theirs[2])", as: fixture.user).status == 204)
            #expect(try await ids(fixture, of: fixture.user) == [theirs[0], theirs[1], mine])
            // Whoever practises on the device later has sessions of their own.
            let next = UUID.v7()
            try await log(fixture, telling(next, daysAgo: 4), as: device)
            #expect(try await ids(fixture, of: device) == [next])
        }
    }

    @Test func `count once where the account has told the same sitting, and beside those that overlap`() async throws {
        try await withSessions { fixture in
            let (mine, theirs, overlapping) = (UUID.v7(), UUID.v7(), UUID.v7())
            let told = telling(mine, daysAgo: 1)
            try await log(fixture, told, as: fixture.user)
            try await log(fixture, told.adding(["id": .uuid(theirs), "activeSeconds": 540]), as: device)
            let end = try told.timestamp("endedAt")
            let longer = told.adding(["id": .uuid(overlapping), "endedAt": .time(end.adding(seconds: 60))])
            try await log(fixture, longer, as: device)
            try await fixture.service.foldAll()
            _ = try await handOver(fixture)
            #expect(try await ids(fixture, of: fixture.user) == [mine, overlapping])
            #expect(try await ids(fixture, of: device).isEmpty)
            #expect(try await events(fixture, of: theirs) == ["SessionLogged", "SessionWithdrawn"])
            #expect(try await ask(fixture, "GET", "/\(mine)", as: fixture.user).json["activeSeconds"] == 600)
        }
    }

    @Test func `stay with the device where a day of the account has as many as can be`() async throws {
        try await withSessions { fixture in
            let days = (1...3).map { day in (UUID.v7(), telling(UUID.v7(), daysAgo: Int64(day))) }
            for (id, body) in days { try await log(fixture, body.adding(["id": .uuid(id)]), as: device) }
            let full = try await ask(fixture, "GET", "/\(days[1].0)", as: device).json.string("localDate")
            _ = try await fixture.service.administrator.query(
                "insert into logged_days values ($1, $2, $3)",
                [.uuid(fixture.user), .int(try #require(LocalDay(full)).number), .int(LoggedSession.mostOfDay)])
            let message = try await handOver(fixture)
            #expect(try await ids(fixture, of: fixture.user) == [days[0].0, days[2].0])
            #expect(try await ids(fixture, of: device) == [days[1].0])
            #expect(try await !fixture.service.deliver(message))
        }
    }

    @Test func `are those that began before it, whenever it is heard of`() async throws {
        try await withSessions { fixture in
            let (before, after) = (UUID.v7(), UUID.v7())
            try await log(fixture, telling(before, daysAgo: 3), as: device)
            try await log(fixture, telling(after), as: device)
            let late = try fixture.service.topic.message(
                Outgoing(DeviceHandedOver(userId: device, accountId: fixture.user)), at: .now() - .seconds(86_400))
            try await fixture.service.deliver(late)
            #expect(try await ids(fixture, of: fixture.user) == [before])
            #expect(try await ids(fixture, of: device) == [after])
        }
    }

    @Test func `go with the account, and not with the device`() async throws {
        try await withSessions { fixture in
            let (handed, kept) = (UUID.v7(), UUID.v7())
            try await log(fixture, telling(handed), as: device)
            _ = try await handOver(fixture)
            try await log(fixture, telling(kept, daysAgo: 2), as: device)
            try await fixture.service.deliver(UserErased(userId: device))
            #expect(try await ids(fixture, of: fixture.user) == [handed])
            #expect(try await events(fixture, of: kept).last == "SessionErased")
            try await fixture.service.deliver(UserErased(userId: fixture.user))
            #expect(try await events(fixture, of: handed).last == "SessionErased")
            try await fixture.service.foldAll()
            #expect(try await fixture.service.count("select count(*) from practice_log") == 0)
        }
    }

    @Test func `are deleted when the account was erased meanwhile`() async throws {
        try await withSessions { fixture in
            let id = UUID.v7()
            try await log(fixture, telling(id), as: device)
            try await fixture.service.deliver(UserErased(userId: fixture.user))
            let message = try await handOver(fixture)
            #expect(try await ids(fixture, of: device).isEmpty)
            #expect(try await events(fixture, of: id) == ["SessionLogged", "SessionWithdrawn"])
            #expect(try await !fixture.service.deliver(message))
            // With neither of them there is nothing to do.
            try await fixture.service.deliver(UserErased(userId: device))
            _ = try await handOver(fixture)
        }
    }

    @Test func `come all, however many there are, and the rest when the first part was moved before a death`()
        async throws
    {
        try await withSessions { fixture in
            var all: Set<UUID> = []
            for day in 0..<130 {
                let id = UUID.v7()
                all.insert(id)
                try await log(fixture, telling(id, daysAgo: Int64(day)), as: device)
            }
            // As if a death had come after the first append.
            let message = try fixture.service.topic.message(
                DeviceHandedOver(userId: device, accountId: fixture.user))
            let streams = try await fixture.service.administrator.query(
                "select stream from stream_owners where owner = $1 order by stream", [.uuid(device)]
            ).rows.map { StreamName(rawValue: $0.text(0)) }
            let handler = CommandHandler<LoggedSession>(fixture.service.context.store)
            for stream in streams.prefix(100) {
                _ = try await handler.handle(
                    .handOver(from: device, to: fixture.user), on: stream, id: .v7(), requestHash: [],
                    metadata: EventMetadata(owner: fixture.user, correlation: .v7(), actor: "test"))
            }
            try await fixture.service.deliver(message)
            #expect(
                try await fixture.service.count("select count(*) from stream_owners where owner = '\(device)'") == 0)
            try await fixture.service.foldAll()
            let moved = try await fixture.service.administrator.query(
                "select key from practice_log where owner_id = $1", [.uuid(fixture.user)]
            ).rows.map { UUID($0.text(0)) }
            #expect(moved.count == 130 && Set(moved) == Set(all))
            #expect(
                try await fixture.service.count("select count(*) from events where type = 'SessionWithdrawn'") == 130)
        }
    }

    @Test func `stay deleted after a restore to before it`() async throws {
        try await withSessions { fixture in
            // The account deleted it; here it is the device's again.
            let id = UUID.v7()
            try await log(fixture, telling(id), as: device)
            let told = try await ask(fixture, "GET", "/\(id)", as: device).json
            let time = PracticeTime(
                startedAt: try told.timestamp("startedAt"), endedAt: try told.timestamp("endedAt"), activeSeconds: 600,
                timeZone: "Europe/Berlin", utcOffsetSeconds: try told.int("utcOffsetSeconds"))
            let session = SessionIdentity(sessionId: id, ownerId: fixture.user, kind: .meditation)
            let undone = try fixture.service.topic.message(
                SessionWithdrawn(session, time: time, reason: .deleted))
            #expect(try await SessionsService.decideAgain(undone, fixture.service.context.store))
            _ = try await handOver(fixture)
            #expect(try await ids(fixture, of: fixture.user).isEmpty)
        }
    }
}
