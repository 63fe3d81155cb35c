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

/// What was logged on an anonymous device, when the device is handed over to an account. Read models are folded and steps taken by the
/// tests, unless they say otherwise.
@Suite(.timeLimit(.minutes(10))) @Loop struct `Sessions of a device that is handed over` {
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

    /// Logs one session for each of so many days.
    private func logDays(_ fixture: SessionsFixture, _ days: Range<Int64>, as user: UUID) async throws -> Set<UUID> {
        var ids: Set<UUID> = []
        for day in days {
            let id = UUID.v7()
            ids.insert(id)
            try await log(fixture, telling(id, daysAgo: day), as: user)
        }
        return ids
    }

    private func ids(_ fixture: SessionsFixture, of user: UUID) async throws -> Set<UUID> {
        try await fixture.service.foldAll()
        let rows = try await fixture.service.administrator.query(
            "select key from practice_log where owner_id = $1", [.uuid(user)]
        ).rows
        return Set(rows.compactMap { UUID($0.text(0)) })
    }

    private func announcement(to account: UUID, at moment: Timestamp? = nil) -> DeviceHandedOverV2 {
        DeviceHandedOverV2(userId: device, accountId: account, handedOverAt: moment ?? .now())
    }

    /// Hears of a hand-over, and takes no step of it.
    @discardableResult
    private func begin(
        _ fixture: SessionsFixture, to account: UUID? = nil, at moment: Timestamp? = nil
    ) async throws -> ReceivedMessage {
        try await fixture.service.deliver(announcement(to: account ?? fixture.user, at: moment))
    }

    /// Takes all steps that are left, with all folded before each.
    private func goOn(_ fixture: SessionsFixture, _ handovers: PracticeHandovers? = nil) async throws {
        let handovers = handovers ?? PracticeHandovers(fixture.service.context)
        while true {
            let places = try await handovers.underWay()
            if places.isEmpty { return }
            try await fixture.service.foldAll()
            for place in places { try await handovers.step(place) }
        }
    }

    @discardableResult
    private func handOver(_ fixture: SessionsFixture, to account: UUID? = nil) async throws -> ReceivedMessage {
        let message = try await begin(fixture, to: account)
        try await goOn(fixture)
        return message
    }

    /// The first that is under way.
    private func place(_ fixture: SessionsFixture) async throws -> PracticeHandovers.Place {
        try await fixture.service.foldAll()
        return try #require(try await PracticeHandovers(fixture.service.context).underWay().first)
    }

    private func events(_ fixture: SessionsFixture, of id: UUID) async throws -> [String] {
        try await fixture.service.context.store.read(LoggedSession.stream(id)).map(\.type.name)
    }

    /// What came of the hand-overs that are finished, in their order.
    private func outcomes(_ fixture: SessionsFixture) async throws -> [Handover.Outcome] {
        try await fixture.service.administrator.query(
            "select data from events where type = 'PracticeHandoverFinished' order by position"
        ).rows.map { try Handover.Outcome(JSONObject.parse($0.bytes(0))) }
    }

    private func withManualSessions(_ body: @Loop (SessionsFixture) async throws -> Void) async throws {
        try await withSessions(background: false, body)
    }

    // MARK: What becomes of a session

    @Test func `become the account's once, each under its own id, and go on being it`() async throws {
        try await withManualSessions { fixture in
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
            #expect(try await outcomes(fixture) == [Handover.Outcome(moved: 3)])
            let read = try await ask(fixture, "GET", "/\(theirs[1])", as: fixture.user)
            #expect(read.status == 200 && read.json["activeSeconds"] == 300)
            // Told again, it is found done; announced again, there is nothing left.
            #expect(try await !fixture.service.deliver(message))
            try await handOver(fixture)
            #expect(try await events(fixture, of: theirs[0]).count == 3)
            #expect(try await outcomes(fixture).last == Handover.Outcome())
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
        try await withManualSessions { fixture in
            let (mine, theirs, overlapping) = (UUID.v7(), UUID.v7(), UUID.v7())
            let told = telling(mine, daysAgo: 1)
            try await log(fixture, told, as: fixture.user)
            try await log(fixture, told.adding(["id": .uuid(theirs), "activeSeconds": 540]), as: device)
            let end = try told.timestamp("endedAt")
            let longer = told.adding(["id": .uuid(overlapping), "endedAt": .time(end.adding(seconds: 60))])
            try await log(fixture, longer, as: device)
            try await handOver(fixture)
            #expect(try await ids(fixture, of: fixture.user) == [mine, overlapping])
            #expect(try await ids(fixture, of: device).isEmpty)
            #expect(try await events(fixture, of: theirs) == ["SessionLogged", "SessionWithdrawn"])
            #expect(try await ask(fixture, "GET", "/\(mine)", as: fixture.user).json["activeSeconds"] == 600)
            #expect(try await outcomes(fixture) == [Handover.Outcome(moved: 1, deleted: 1)])
            // Nobody has deleted it: who tells it again hears that it is there.
            for user in [device, fixture.user] {
                let again = try await ask(
                    fixture, "POST", as: user, told.adding(["id": .uuid(theirs), "activeSeconds": 540]))
                #expect(again.status == 409 && again.code == "practice-exists")
            }
        }
    }

    @Test func `count once where the device has told the same sitting twice`() async throws {
        try await withManualSessions { fixture in
            let both = [UUID.v7(), UUID.v7()]
            for id in both { try await log(fixture, telling(id, daysAgo: 1), as: device) }
            try await handOver(fixture)
            let left = try await ids(fixture, of: fixture.user)
            #expect(left.count == 1 && left.isSubset(of: both))
            #expect(try await outcomes(fixture) == [Handover.Outcome(moved: 1, deleted: 1)])
        }
    }

    @Test func `are under an id that is one person's at a time`() async throws {
        try await withManualSessions { fixture in
            let id = UUID.v7()
            try await log(fixture, telling(id, daysAgo: 1), as: device)
            // The account's client cannot tell the device's id as its own, with the same content or another.
            for active in [600, 60] as [Int64] {
                let taken = try await ask(
                    fixture, "POST", as: fixture.user, telling(id, daysAgo: 1, active: active))
                #expect(taken.status == 409 && taken.code == "practice-exists")
            }
            try await handOver(fixture)
            #expect(
                try await ask(fixture, "POST", as: fixture.user, telling(id, daysAgo: 1)).status == 201, "a repeat")
            let late = try await ask(fixture, "POST", as: device, telling(id, daysAgo: 1))
            #expect(late.status == 409 && late.code == "practice-exists")
            #expect(try await events(fixture, of: id).count == 3)
        }
    }

    @Test func `stay with the device where a day of the account has as many as can be`() async throws {
        try await withManualSessions { fixture in
            let days = (1...3).map { day in (UUID.v7(), telling(UUID.v7(), daysAgo: Int64(day))) }
            for (id, body) in days { try await log(fixture, body.adding(["id": .uuid(id)]), as: device) }
            // The day has one more, which the account has told, too, and the next day has room for one of two.
            let (mine, told) = (UUID.v7(), UUID.v7())
            let early = telling(mine, daysAgo: 2).adding(["activeSeconds": 300])
            let start = try early.timestamp("startedAt")
            let before = early.adding(["endedAt": .time(start.adding(seconds: 540))])
            try await log(fixture, before, as: fixture.user)
            try await log(fixture, before.adding(["id": .uuid(told)]), as: device)
            let second = UUID.v7()
            let other = days[2].1.adding(["id": .uuid(second), "activeSeconds": 60])
            let otherEnd = try other.timestamp("startedAt").adding(seconds: 300)
            try await log(fixture, other.adding(["endedAt": .time(otherEnd)]), as: device)
            for (day, logged) in [(1, LoggedSession.mostOfDay), (2, LoggedSession.mostOfDay - 1)] {
                let date = try await ask(fixture, "GET", "/\(days[day].0)", as: device).json.string("localDate")
                _ = try await fixture.service.administrator.query(
                    """
                    insert into logged_days values ($1, $2, $3)
                    on conflict (owner_id, day) do update set logged = excluded.logged
                    """,
                    [.uuid(fixture.user), .int(try #require(LocalDay(date)).number), .int(logged)])
            }
            let message = try await handOver(fixture)
            let moved = try await ids(fixture, of: fixture.user)
            #expect(moved.isSuperset(of: [days[0].0, mine]))
            // One of the two came to the day that had room for one.
            #expect(moved.intersection([days[2].0, second]).count == 1)
            #expect(moved.count == 3)
            #expect(
                try await ids(fixture, of: device)
                    == Set([days[1].0, days[2].0, second]).subtracting(moved))
            #expect(try await events(fixture, of: told) == ["SessionLogged", "SessionWithdrawn"])
            #expect(try await outcomes(fixture) == [Handover.Outcome(moved: 2, deleted: 1, kept: 2)])
            #expect(try await !fixture.service.deliver(message))
        }
    }

    @Test func `stay with the device where the account fills the day in the last moment`() async throws {
        try await withManualSessions { fixture in
            let id = UUID.v7()
            try await log(fixture, telling(id, daysAgo: 1), as: device)
            let date = try await ask(fixture, "GET", "/\(id)", as: device).json.string("localDate")
            let day = try #require(LocalDay(date)).number
            try await begin(fixture)
            var handovers = PracticeHandovers(fixture.service.context)
            var decided = 0
            handovers.meanwhile = {
                decided += 1
                _ = try await fixture.service.administrator.query(
                    "insert into logged_days values ($1, $2, $3) on conflict do nothing",
                    [.uuid(fixture.user), .int(day), .int(LoggedSession.mostOfDay)])
            }
            try await goOn(fixture, handovers)
            #expect(decided == 2)
            #expect(try await ids(fixture, of: device) == [id])
            #expect(try await outcomes(fixture) == [Handover.Outcome(kept: 1)])
        }
    }

    // MARK: What changes meanwhile

    @Test func `count once where the account tells the same sitting while their step is decided`() async throws {
        try await withManualSessions { fixture in
            let (mine, theirs) = (UUID.v7(), UUID.v7())
            let told = telling(theirs, daysAgo: 1)
            try await log(fixture, told, as: device)
            try await begin(fixture)
            var handovers = PracticeHandovers(fixture.service.context)
            var round = 0
            handovers.meanwhile = {
                round += 1
                guard round == 1 else { return }
                // At another place, so on another day perhaps.
                try await log(
                    fixture, told.adding(["id": .uuid(mine), "timeZone": "Pacific/Kiritimati"]), as: fixture.user)
                try await fixture.service.foldAll()
            }
            try await goOn(fixture, handovers)
            #expect(try await ids(fixture, of: fixture.user) == [mine])
            #expect(try await ids(fixture, of: device).isEmpty)
            #expect(try await outcomes(fixture) == [Handover.Outcome(deleted: 1)])
        }
    }

    @Test func `come though the account tells others all the while`() async throws {
        try await withManualSessions { fixture in
            let theirs = UUID.v7()
            try await log(fixture, telling(theirs, daysAgo: 1), as: device)
            try await begin(fixture)
            var handovers = PracticeHandovers(fixture.service.context)
            var round: Int64 = 0
            handovers.meanwhile = {
                round += 1
                guard round <= 20 else { return }
                try await log(fixture, telling(.v7(), daysAgo: 1 + round), as: fixture.user)
                try await fixture.service.foldAll()
            }
            try await handovers.step(place(fixture))
            #expect(round < 20)
            #expect(try await ids(fixture, of: fixture.user).contains(theirs))
        }
    }

    @Test func `come as they are when they are changed once meanwhile, and stay where they are changed all the while`()
        async throws
    {
        try await withManualSessions { fixture in
            let (once, always, deleted) = (UUID.v7(), UUID.v7(), UUID.v7())
            for (day, id) in [once, always, deleted].enumerated() {
                try await log(fixture, telling(id, daysAgo: Int64(day) + 1), as: device)
            }
            try await begin(fixture)
            var handovers = PracticeHandovers(fixture.service.context)
            var round: Int64 = 0
            handovers.meanwhile = {
                round += 1
                if round == 1 {
                    let changed = telling(once, daysAgo: 1, active: 60)
                    let put = try await ask(fixture, "PUT", "/\(once)", as: device, changed)
                    let gone = try await ask(fixture, "DELETE", "/\(deleted)", as: device)
                    #expect(put.status == 200 && gone.status == 204)
                }
                let changed = telling(always, daysAgo: 2, active: 100 + round)
                // Nobody waits for whoever goes on for ever.
                if round <= 20 {
                    let put = try await ask(fixture, "PUT", "/\(always)", as: device, changed)
                    #expect(put.status == 200)
                }
            }
            let place = try await place(fixture)
            try await handovers.step(place)
            #expect(round < 20)
            try await goOn(fixture)
            #expect(try await ids(fixture, of: fixture.user) == [once])
            #expect(try await ids(fixture, of: device) == [always])
            #expect(try await ask(fixture, "GET", "/\(once)", as: fixture.user).json["activeSeconds"] == 60)
            #expect(try await events(fixture, of: deleted) == ["SessionLogged", "SessionWithdrawn"])
            #expect(try await outcomes(fixture) == [Handover.Outcome(moved: 1, kept: 1)])
        }
    }

    @Test func `are those that were there when it was heard of`() async throws {
        try await withManualSessions { fixture in
            let before = try await logDays(fixture, 0..<2, as: device)
            try await begin(fixture)
            // Ids that are before and behind the others.
            let after = [UUID.zero, UUID(high: .max, low: .max)]
            for (day, id) in after.enumerated() {
                try await log(fixture, telling(id, daysAgo: Int64(day) + 5), as: device)
            }
            try await goOn(fixture)
            #expect(try await ids(fixture, of: fixture.user) == before)
            #expect(try await ids(fixture, of: device) == Set(after))
            // They come with the next one.
            try await handOver(fixture)
            #expect(try await ids(fixture, of: fixture.user) == before.union(after))
        }
    }

    @Test func `are those that began before the moment that is signed, whatever the record's header says`()
        async throws
    {
        try await withManualSessions { fixture in
            let (before, after) = (UUID.v7(), UUID.v7())
            try await log(fixture, telling(before, daysAgo: 3), as: device)
            try await log(fixture, telling(after), as: device)
            let yesterday = Timestamp.now() - .seconds(86_400)
            let said = Outgoing(announcement(to: fixture.user, at: yesterday))
            try await fixture.service.deliver(fixture.service.topic.message(said, at: .now() + .seconds(86_400)))
            try await goOn(fixture)
            #expect(try await ids(fixture, of: fixture.user) == [before])
            #expect(try await ids(fixture, of: device) == [after])
            let now = Outgoing(announcement(to: fixture.user))
            try await fixture.service.deliver(fixture.service.topic.message(now, at: yesterday))
            try await goOn(fixture)
            #expect(try await ids(fixture, of: fixture.user) == [before, after])
        }
    }

    @Test func `are those of before an announcement without a moment, which is never one that is still to come`()
        async throws
    {
        try await withManualSessions { fixture in
            let (before, after) = (UUID.v7(), UUID.v7())
            try await log(fixture, telling(before, daysAgo: 3), as: device)
            try await log(fixture, telling(after), as: device)
            let old = Outgoing(DeviceHandedOver(userId: device, accountId: fixture.user))
            try await fixture.service.deliver(
                fixture.service.topic.message(old, at: .now() - .seconds(86_400)))
            try await goOn(fixture)
            #expect(try await ids(fixture, of: fixture.user) == [before])
            let ahead = try fixture.service.topic.message(old, at: .now() + .seconds(864_000))
            #expect(DeviceHandover(device: device, account: fixture.user, at: nil, ahead).moment <= .now())
            let signed = Timestamp.now() + .seconds(60)
            #expect(DeviceHandover(device: device, account: fixture.user, at: signed, ahead).moment == signed)
        }
    }

    // MARK: Erasures

    @Test func `go with the account, and not with the device`() async throws {
        try await withManualSessions { fixture in
            let (handed, kept) = (UUID.v7(), UUID.v7())
            try await log(fixture, telling(handed), as: device)
            try await handOver(fixture)
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

    @Test(arguments: [false, true])
    func `are deleted when the account was erased before it had them`(isHeardBefore: Bool) async throws {
        try await withManualSessions { fixture in
            let id = UUID.v7()
            try await log(fixture, telling(id), as: device)
            if !isHeardBefore { try await fixture.service.deliver(UserErased(userId: fixture.user)) }
            let message = try await begin(fixture)
            if isHeardBefore { try await fixture.service.deliver(UserErased(userId: fixture.user)) }
            try await goOn(fixture)
            #expect(try await ids(fixture, of: device).isEmpty)
            #expect(try await events(fixture, of: id) == ["SessionLogged", "SessionWithdrawn"])
            #expect(try await outcomes(fixture) == [Handover.Outcome(deleted: 1)])
            #expect(try await !fixture.service.deliver(message))
            // With neither of them there is nothing to do, and it ends.
            try await fixture.service.deliver(UserErased(userId: device))
            try await handOver(fixture)
            #expect(try await outcomes(fixture).count == 2)
        }
    }

    @Test func `are the account's or gone when the account is erased between two steps`() async throws {
        try await withManualSessions { fixture in
            let all = try await logDays(fixture, 0..<Int64(PracticeHandovers.most + 5), as: device)
            try await begin(fixture)
            try await PracticeHandovers(fixture.service.context).step(place(fixture))
            #expect(try await ids(fixture, of: fixture.user).count == PracticeHandovers.most)
            try await fixture.service.deliver(UserErased(userId: fixture.user))
            try await goOn(fixture)
            #expect(try await outcomes(fixture) == [Handover.Outcome(moved: Int64(PracticeHandovers.most), deleted: 5)])
            #expect(try await ids(fixture, of: fixture.user).isEmpty)
            #expect(try await ids(fixture, of: device).isEmpty)
            for id in all {
                let last = try await events(fixture, of: id).last
                #expect(last == "SessionErased" || last == "SessionWithdrawn")
            }
        }
    }

    @Test func `do not move any more once the erasure of the device has begun, and none is lost that had moved`()
        async throws
    {
        try await withManualSessions { fixture in
            _ = try await logDays(fixture, 0..<Int64(PracticeHandovers.most + 5), as: device)
            try await begin(fixture)
            var handovers = PracticeHandovers(fixture.service.context)
            try await handovers.step(place(fixture))
            let moved = try await ids(fixture, of: fixture.user)
            #expect(moved.count == PracticeHandovers.most)
            // As it is between the erasure's first append, after which it looks for streams, and those that forget them.
            handovers.meanwhile = {
                _ = try await fixture.service.administrator.query(
                    "insert into erased_subjects (subject) values ($1) on conflict do nothing", [.uuid(self.device)])
            }
            try await goOn(fixture, handovers)
            #expect(try await ids(fixture, of: fixture.user) == moved)
            #expect(try await outcomes(fixture) == [Handover.Outcome(moved: Int64(PracticeHandovers.most))])
            try await fixture.service.deliver(UserErased(userId: device))
            #expect(try await ids(fixture, of: fixture.user) == moved)
            #expect(try await ids(fixture, of: device).isEmpty)
        }
    }

    // MARK: Steps

    @Test func `come in steps, of which the message takes none`() async throws {
        try await withManualSessions { fixture in
            let most = PracticeHandovers.most
            let all = try await logDays(fixture, 0..<Int64(2 * most + 5), as: device)
            let message = try await begin(fixture)
            #expect(try await ids(fixture, of: fixture.user).isEmpty)
            #expect(try await fixture.service.count("select count(*) from handovers") == 1)
            var counts: [Int] = []
            while let place = try await PracticeHandovers(fixture.service.context).underWay().first {
                try await fixture.service.foldAll()
                // Another process each time.
                try await PracticeHandovers(fixture.service.context).step(place)
                counts.append(try await ids(fixture, of: fixture.user).count)
                #expect(try await !fixture.service.deliver(message), "A repeat begins nothing again.")
            }
            #expect(counts == [most, 2 * most, 2 * most + 5, 2 * most + 5])
            #expect(try await ids(fixture, of: fixture.user) == all)
            #expect(try await outcomes(fixture) == [Handover.Outcome(moved: Int64(2 * most + 5))])
            #expect(
                try await fixture.service.count("select count(*) from events where type = 'SessionWithdrawn'")
                    == Int64(2 * most + 5))
            let left = "select count(*) from stream_owners where owner = '\(device)' and stream like 'logged-%'"
            #expect(try await fixture.service.count(left) == 0)
            #expect(try await fixture.service.count("select count(*) from handovers") == 0)
        }
    }

    @Test func `are looked at once by whom a step was taken from meanwhile`() async throws {
        try await withManualSessions { fixture in
            let most = PracticeHandovers.most
            _ = try await logDays(fixture, 0..<Int64(most + 5), as: device)
            // Three days are full, so that some stay behind the place.
            for day in [0, 1, 2] as [Int64] {
                let end = Timestamp(seconds: now.seconds - 300 - day * 86_400).adding(seconds: -600)
                let offset = try await fixture.service.context.zones.utcOffsetSeconds(of: "Europe/Berlin", at: end)
                _ = try await fixture.service.administrator.query(
                    "insert into logged_days values ($1, $2, $3)",
                    [
                        .uuid(fixture.user), .int(LocalDay(of: end, utcOffsetSeconds: offset).number),
                        .int(LoggedSession.mostOfDay),
                    ])
            }
            try await begin(fixture)
            let handovers = PracticeHandovers(fixture.service.context)
            let first = try await place(fixture)
            try await handovers.step(first)
            let second = try await place(fixture)
            // Those who had looked before, in the middle and after the end.
            for _ in 0..<2 {
                try await fixture.service.foldAll()
                try await handovers.step(first)
            }
            #expect(try await place(fixture).after == second.after)
            try await goOn(fixture)
            for late in [first, second] {
                try await fixture.service.foldAll()
                try await handovers.step(late)
            }
            #expect(try await outcomes(fixture) == [Handover.Outcome(moved: Int64(most) + 2, kept: 3)])
        }
    }

    @Test func `are the first account's of two`() async throws {
        try await withManualSessions { fixture in
            let other = UUID.v7()
            let all = try await logDays(fixture, 0..<Int64(PracticeHandovers.most + 5), as: device)
            try await begin(fixture)
            try await begin(fixture, to: other)
            try await goOn(fixture)
            #expect(try await ids(fixture, of: fixture.user) == all)
            #expect(try await ids(fixture, of: other).isEmpty)
            #expect(
                try await outcomes(fixture) == [Handover.Outcome(moved: Int64(all.count)), Handover.Outcome()])
        }
    }

    @Test func `come by themselves, once, from instances that work beside each other`() async throws {
        try await withSessions(instances: 2) { fixture in
            let all = try await logDays(fixture, 0..<Int64(PracticeHandovers.most + 30), as: device)
            try await begin(fixture)
            #expect(try await fixture.eventually { try await outcomes(fixture).count == 1 })
            #expect(try await ids(fixture, of: fixture.user) == all)
            #expect(try await outcomes(fixture) == [Handover.Outcome(moved: Int64(all.count))])
            #expect(
                try await fixture.service.count("select count(*) from events where type = 'SessionWithdrawn'")
                    == Int64(all.count))
        }
    }

    @Test func `of one device wait for nothing that keeps another's from coming`() async throws {
        try await withManualSessions { fixture in
            let other = UUID.v7()
            let (stuck, free) = (UUID.v7(), UUID.v7())
            try await log(fixture, telling(stuck), as: device)
            try await log(fixture, telling(free, daysAgo: 1), as: other)
            try await begin(fixture)
            // A row without events, which is the first by its number.
            _ = try await fixture.service.administrator.query(
                "update handovers set handover_id = $1", [.uuid(.v7())])
            let account = UUID.v7()
            try await fixture.service.deliver(
                DeviceHandedOverV2(userId: other, accountId: account, handedOverAt: .now()))
            try await fixture.service.foldAll()
            await #expect(throws: PracticeHandovers.Trouble.self) {
                try await PracticeHandovers(fixture.service.context).work()
            }
            #expect(try await ids(fixture, of: account) == [free])
            #expect(try await ids(fixture, of: device) == [stuck])
        }
    }

    @Test func `come though as many of others as take a step in turn cannot go on`() async throws {
        try await withManualSessions { fixture in
            // Rows without events, which are the first by their numbers.
            _ = try await fixture.service.administrator.query(
                """
                insert into handovers (handover_id, device_id)
                select gen_random_uuid(), gen_random_uuid() from generate_series(1, \(PracticeHandovers.mostAtOnce))
                """)
            let id = UUID.v7()
            try await log(fixture, telling(id), as: device)
            try await begin(fixture)
            try await fixture.service.foldAll()
            await #expect(throws: PracticeHandovers.Trouble.self) {
                try await PracticeHandovers(fixture.service.context).work()
            }
            #expect(try await ids(fixture, of: fixture.user) == [id])
        }
    }

    @Test func `wait until the list of sessions is folded`() async throws {
        try await withManualSessions { fixture in
            let (mine, theirs) = (UUID.v7(), UUID.v7())
            try await log(fixture, telling(theirs, daysAgo: 1), as: device)
            try await log(fixture, telling(mine, daysAgo: 1), as: fixture.user)
            try await begin(fixture)
            await #expect(throws: PracticeHandovers.Trouble.listBehind) {
                try await PracticeHandovers(fixture.service.context).work()
            }
            #expect(try await events(fixture, of: theirs) == ["SessionLogged"])
            try await goOn(fixture)
            #expect(try await ids(fixture, of: fixture.user) == [mine])
        }
    }

    // MARK: Restores

    @Test func `stay deleted after a restore to before it`() async throws {
        try await withManualSessions { fixture in
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
            try await handOver(fixture)
            #expect(try await ids(fixture, of: fixture.user).isEmpty)
        }
    }

    @Test func `are the device's again after a restore to before the account had told them`() async throws {
        var told: [Outgoing] = []
        let id = UUID.v7()
        try await withManualSessions { fixture in
            try await log(fixture, telling(.v7(), daysAgo: 1), as: fixture.user)
            try await log(fixture, telling(id, daysAgo: 1), as: device)
            try await handOver(fixture)
            let history = try await CommandHandler<LoggedSession>(fixture.service.context.store).load(
                LoggedSession.stream(id)
            ).history
            told = history.compactMap { PublishedBySessions.outgoing(for: $0.event) }
        }
        try await withManualSessions { fixture in
            // What the account has told is lost here, so that nothing is to be dropped as its repeat.
            try await log(fixture, telling(id, daysAgo: 1), as: device)
            for message in told {
                let undone = try fixture.service.topic.message(message)
                #expect(try await !SessionsService.decideAgain(undone, fixture.service.context.store))
            }
            #expect(told.count == 2)
            #expect(try await ids(fixture, of: device) == [id])
        }
    }

    /// All that was recorded since a hand-over began, as the scan of the log finds it when identity has forgotten the announcement.
    private func takeBack(_ fixture: SessionsFixture, through gate: (any AppendGate)? = nil) async throws {
        let log = try await fixture.service.store.readLog(after: 0, limit: 1000)
        let begun = try #require(log.firstIndex { $0.type.name == "PracticeHandoverBegun" })
        for event in log[begun...] {
            try await fixture.service.first.handler.takeBack(event, through: gate ?? fixture.service.store)
        }
    }

    @Test func `move no more once identity knows nothing of the hand-over, and those that have moved stay`()
        async throws
    {
        try await withManualSessions { fixture in
            let all = try await logDays(fixture, 0..<Int64(PracticeHandovers.most + 5), as: device)
            try await begin(fixture)
            let first = try await place(fixture)
            try await PracticeHandovers(fixture.service.context).step(first)
            let moved = try await ids(fixture, of: fixture.user)
            #expect(moved.count == PracticeHandovers.most)
            let second = try await place(fixture)
            // Once more, as after a crash.
            for _ in 1...2 { try await takeBack(fixture) }
            #expect(try await fixture.service.count("select count(*) from handovers") == 0)
            // Whoever had looked before takes no step either.
            try await fixture.service.foldAll()
            try await PracticeHandovers(fixture.service.context).step(second)
            #expect(try await ids(fixture, of: fixture.user) == moved)
            #expect(try await ids(fixture, of: device) == all.subtracting(moved))
            #expect(try await outcomes(fixture) == [Handover.Outcome(moved: Int64(PracticeHandovers.most))])
            // The next sign-in with the device brings the rest.
            try await handOver(fixture)
            #expect(try await ids(fixture, of: fixture.user) == all)
        }
    }

    @Test func `move no more though a step is taken while their hand-over is ended`() async throws {
        try await withManualSessions { fixture in
            _ = try await logDays(fixture, 0..<Int64(PracticeHandovers.most + 5), as: device)
            try await begin(fixture)
            let first = try await place(fixture)
            let gate = GateBehind(fixture.service.store) {
                try? await PracticeHandovers(fixture.service.context).step(first)
            }
            try await takeBack(fixture, through: gate)
            #expect(gate.passed == 2)
            #expect(try await fixture.service.count("select count(*) from handovers") == 0)
            #expect(try await ids(fixture, of: device).count == 5)
            #expect(try await outcomes(fixture) == [Handover.Outcome(moved: Int64(PracticeHandovers.most))])
        }
    }
}

/// A gate in front of which something happens before the first append passes.
@Loop private final class GateBehind: AppendGate {
    private let gate: any AppendGate
    private let first: @Loop () async -> Void
    private(set) var passed = 0

    init(_ gate: any AppendGate, _ first: @escaping @Loop () async -> Void) {
        self.gate = gate
        self.first = first
    }

    func append(_ append: Append) async throws(AppendError) -> AppendReceipt {
        passed += 1
        if passed == 1 { await first() }
        return try await gate.append(append)
    }
}
