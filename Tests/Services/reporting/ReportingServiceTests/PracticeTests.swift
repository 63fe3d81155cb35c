import Contracts
import EventSourcing
import EventStore
import JSON
import Postgres
import Practice
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing

@testable import reporting

/// What sessions tells about one user, and what the service answers.
@Loop private final class Practising {
    let desk: Desk
    let owner = UUID.v7()

    init(_ desk: Desk) { self.desk = desk }

    static func run(_ body: @Loop (Practising) async throws -> Void) async throws {
        try await Desk.run { try await body(Practising($0)) }
    }

    var today: LocalDay { LocalDay(of: .now(), utcOffsetSeconds: 0) }

    /// Noon of a day, in UTC.
    func time(_ daysAgo: Int64, active: Int64 = 600, zone: String = "UTC", offset: Int64 = 0) -> PracticeTime {
        let start = (today - daysAgo).start(utcOffsetSeconds: offset).adding(seconds: 43_200)
        return PracticeTime(
            startedAt: start, endedAt: start.adding(seconds: 1_200), activeSeconds: active, timeZone: zone,
            utcOffsetSeconds: offset)
    }

    func session(_ id: UUID = .v7()) -> SessionIdentity {
        SessionIdentity(sessionId: id, ownerId: owner, kind: .meditation)
    }

    @discardableResult
    func log(_ time: PracticeTime, _ id: UUID = .v7()) async throws -> UUID {
        try await desk.group.deliver(SessionLogged(session(id), time: time))
        return id
    }

    func withdraw(_ id: UUID, _ time: PracticeTime) async throws {
        try await desk.group.deliver(SessionWithdrawn(session(id), time: time, reason: .deleted))
    }

    func ask(
        _ path: String, _ method: String = "GET", as user: UUID? = nil, _ body: JSONValue? = nil
    ) async throws -> Answer {
        try await desk.group.foldAll()
        return try await desk.group.send(method, "/v1/practice/\(path)", as: user ?? owner, json: body)
    }
}

@Suite(.timeLimit(.minutes(10))) @Loop struct `Days and streaks` {
    @Test func `are told of the last 7 and 30 days, today among them`() async throws {
        try await Practising.run { p in
            for day in [30, 29, 7, 6, 0] as [Int64] { try await p.log(p.time(day)) }
            let streak = try await p.ask("streak").json
            #expect(streak["consistency7"] == 2 && streak["consistency30"] == 4 && streak["practisedDays"] == 5)
        }
    }

    @Test func `are counted from what sessions tells, corrections and deletions too`() async throws {
        try await Practising.run { p in
            var ids: [UUID] = []
            for day in (0..<5).reversed() { ids.append(try await p.log(p.time(Int64(day)))) }
            var streak = try await p.ask("streak").json
            #expect(streak["currentStreak"] == 5 && streak["longestStreak"] == 5 && streak["practisedDays"] == 5)
            #expect(streak["consistency7"] == 5 && streak["consistency30"] == 5 && streak["practisedToday"] == true)
            #expect(streak["timeZone"] == "UTC" && streak["graceMinutes"] == 180 && streak["nextMilestone"] == 7)
            #expect(
                streak["atRiskUntil"] == .time((p.today + 2).start(utcOffsetSeconds: 0).adding(seconds: 10_800)))
            // The one of two days ago is deleted, and comes back on the same day.
            try await p.withdraw(ids[2], p.time(2))
            streak = try await p.ask("streak").json
            #expect(streak["currentStreak"] == 2 && streak["longestStreak"] == 2 && streak["practisedDays"] == 4)
            try await p.log(p.time(2, active: 60), ids[2])
            try await p.desk.group.deliver(SessionCorrected(p.session(ids[2]), time: p.time(2, active: 120)))
            #expect(try await p.ask("streak").json["currentStreak"] == 5)
            let analytics = try await p.ask("analytics?range=7d").json
            #expect(analytics["dailyTotals"]?[(p.today - 2).description] == 120)
            #expect(analytics["summary"]?["seconds"] == 2_520 && analytics["summary"]?["sessions"] == 5)
        }
    }

    @Test func `are told by day, week, month and hour`() async throws {
        try await Practising.run { p in
            let monday = LocalDay("2026-08-31")!
            for (day, hour, active) in [(0, 7, 600), (0, 20, 300), (1, 7, 900), (7, 6, 60)] as [(Int64, Int64, Int64)] {
                let start = (monday + day).start(utcOffsetSeconds: 7_200).adding(seconds: hour * 3_600)
                try await p.log(
                    PracticeTime(
                        startedAt: start, endedAt: start.adding(seconds: 1_000), activeSeconds: active,
                        timeZone: "Europe/Berlin", utcOffsetSeconds: 7_200))
            }
            let answer = try await p.ask("analytics?startDate=2026-08-31&endDate=2026-09-09&timeZone=Europe/Berlin")
            #expect(answer.status == 200)
            let json = answer.json
            #expect(json["dailyTotals"] == ["2026-08-31": 900, "2026-09-01": 900, "2026-09-07": 60])
            #expect(json["weeks"]?.arrayValue?.map { $0["week"] } == ["2026-W36", "2026-W37"])
            #expect(json["weeks"]?.arrayValue?.map { $0["seconds"] } == [1_800, 60])
            #expect(json["months"]?.arrayValue?.map { $0["month"] } == ["2026-08", "2026-09"])
            #expect(
                json["hours"] == [
                    ["hour": 6, "seconds": 60], ["hour": 7, "seconds": 1_500], ["hour": 20, "seconds": 300],
                ])
            let summary = try #require(json["summary"]?.objectValue)
            #expect(summary["totalMinutes"] == 31 && summary["averageMinutesPerDay"] == 3.1)
            #expect(summary["daysWithSessions"] == 3 && summary["bestHour"] == 7 && summary["longestStreak"] == 2)
            // Streaks are of all time, whatever the range.
            let one = try await p.ask("analytics?startDate=2026-09-07&endDate=2026-09-07").json
            #expect(one["summary"]?["longestStreak"] == 2 && one["summary"]?["averageMinutesPerDay"]?.doubleValue == 1)
            #expect(one["hours"] == [["hour": 6, "seconds": 60]])
        }
    }

    @Test func `come with a device that is handed over, and so do its frozen days as far as there is room`()
        async throws
    {
        try await Practising.run { p in
            let device = UUID.v7()
            func sat(_ user: UUID, _ id: UUID) -> SessionIdentity {
                SessionIdentity(sessionId: id, ownerId: user, kind: .meditation)
            }
            // The account has sat today and yesterday; the device on days 3, 4 and 6 before, with day 5 frozen, and day 2 too.
            for day in [0, 1] { try await p.log(p.time(Int64(day))) }
            let sessions = [3, 4, 6].map { (UUID.v7(), p.time(Int64($0))) }
            for (id, time) in sessions { try await p.desk.group.deliver(SessionLogged(sat(device, id), time: time)) }
            for day in [2, 5] {
                let frozen = try await p.ask("freezes/\(p.today - Int64(day))", "PUT", as: device)
                #expect(frozen.status == 200)
            }
            #expect(try await p.ask("streak", as: device).json["longestStreak"] == 3)
            let handedOver = try await p.desk.group.deliver(
                DeviceHandedOverV2(userId: device, accountId: p.owner, handedOverAt: .now()))
            for (id, time) in sessions {
                try await p.desk.group.deliver(
                    SessionWithdrawn(sat(device, id), time: time, reason: .handedOver))
                try await p.desk.group.deliver(SessionLogged(p.session(id), time: time))
            }
            let streak = try await p.ask("streak").json
            #expect(streak["currentStreak"] == 5 && streak["longestStreak"] == 5 && streak["practisedDays"] == 5)
            #expect(try await p.ask("streak", as: device).json["practisedDays"] == 0)
            #expect(try await p.ask("settings").json["graceMinutes"] == 180)
            #expect(try await !p.desk.group.deliver(handedOver))
            // What the account has frozen itself leaves no room for more.
            let other = UUID.v7()
            #expect(try await p.ask("freezes/\(p.today - 1)", "PUT", as: other).status == 200)
            try await p.desk.group.deliver(DeviceHandedOver(userId: other, accountId: p.owner))
            #expect(try await p.ask("settings").json["frozenDays"]?.arrayValue?.count == 2)
            // What comes with a device counts against nobody's changes of the day.
            #expect(
                try await p.desk.group.count("select count(*) from practice_changes where owner_id = '\(p.owner)'") == 0
            )
            // An account that is gone has nothing frozen.
            try await p.desk.group.deliver(UserErased(userId: p.owner))
            try await p.desk.group.deliver(DeviceHandedOver(userId: other, accountId: p.owner))
        }
    }

    @Test func `are asked for with either form of a range, and refused with neither`() async throws {
        try await Practising.run { p in
            for span in ["7d", "1m", "3m", "6m", "1y", "3y", "5y"] {
                let answer = try await p.ask("analytics?range=\(span)")
                #expect(answer.status == 200 && answer.json["endDate"] == .string(p.today.description))
            }
            #expect(try await p.ask("analytics").json["startDate"] == .string((p.today - 6).description))
            for query in [
                "range=2d", "range=7d&startDate=2026-01-01", "startDate=2026-01-01", "endDate=2026-01-01",
                "startDate=2026-02-30&endDate=2026-03-01", "startDate=2026-03-02&endDate=2026-03-01",
            ] {
                let answer = try await p.ask("analytics?\(query)")
                #expect(answer.status == 400 && answer.code == "invalid-request", "\(query)")
            }
            #expect(try await p.ask("analytics?timeZone=Mars/Olympus").code == "time-zone-invalid")
            #expect(try await p.ask("streak?timeZone=Mars/Olympus").code == "time-zone-invalid")
            #expect(try await p.ask("streak?kind=none").json["currentStreak"] == 0)
        }
    }

    @Test func `are asked for in the zone of the latest session, and nobody else's`() async throws {
        try await Practising.run { p in
            try await p.log(p.time(1, zone: "Asia/Tokyo", offset: 32_400))
            #expect(try await p.ask("streak").json["timeZone"] == "Asia/Tokyo")
            #expect(try await p.ask("streak?timeZone=America/Los_Angeles").json["currentStreak"] == 1)
            let stranger = try await p.ask("streak", as: .v7())
            #expect(stranger.json["practisedDays"] == 0 && stranger.json["timeZone"] == "UTC")
            #expect(stranger.json["atRiskUntil"] == .null)
        }
    }
}

@Suite(.timeLimit(.minutes(10))) @Loop struct `What somebody chooses for their streaks` {
    @Test func `is the grace, read at once`() async throws {
        try await Practising.run { p in
            #expect(try await p.ask("settings").json == ["graceMinutes": 180, "frozenDays": []])
            let changed = try await p.ask("settings", "PATCH", ["graceMinutes": 30])
            #expect(changed.status == 200 && changed.json["graceMinutes"] == 30)
            #expect(try await p.ask("streak").json["graceMinutes"] == 30)
            #expect(try await p.ask("settings", "PATCH", ["graceMinutes": 361]).code == "grace-out-of-range")
            #expect(try await p.ask("settings", "PATCH", ["grace": 1]).code == "member-unknown")
        }
    }

    @Test func `are frozen days, which protect and do not count`() async throws {
        try await Practising.run { p in
            for day in [3, 2, 0] as [Int64] { try await p.log(p.time(day)) }
            #expect(try await p.ask("streak").json["currentStreak"] == 1)
            let day = (p.today - 1).description
            let frozen = try await p.ask("freezes/\(day)", "PUT")
            #expect(frozen.status == 200 && frozen.json["frozenDays"] == [.string(day)])
            let streak = try await p.ask("streak").json
            #expect(streak["currentStreak"] == 3 && streak["practisedDays"] == 3 && streak["consistency7"] == 3)
            #expect(try await p.ask("freezes/\(p.today - 30)", "PUT").code == "freeze-out-of-range")
            #expect(try await p.ask("freezes/\(p.today + 3)", "PUT").status == 200)
            #expect(try await p.ask("freezes/\(p.today + 4)", "PUT").code == "freezes-used-up")
            #expect(try await p.ask("freezes/2026-02-30", "PUT").status == 404)
            #expect(try await p.ask("freezes/\(p.today)?timeZone=Mars/Olympus", "PUT").code == "time-zone-invalid")
            #expect(try await p.ask("freezes/\(day)", "DELETE").status == 200)
            #expect(try await p.ask("freezes/nothing", "DELETE").status == 404)
            #expect(try await p.ask("streak").json["currentStreak"] == 1)
        }
    }

    @Test func `are changed so often a day, the grace and the frozen days each by itself, and again the next day`()
        async throws
    {
        try await Practising.run { p in
            let day = p.today.description
            let most = Practitioner.mostChangesOfDay
            for minutes in 1...most {
                #expect(try await p.ask("settings", "PATCH", ["graceMinutes": .int(minutes)]).status == 200)
            }
            let grace = try await p.ask("settings", "PATCH", ["graceMinutes": 60])
            #expect(grace.status == 409 && grace.code == "practice-changes-used-up")
            // What changes nothing is no change.
            #expect(try await p.ask("settings", "PATCH", ["graceMinutes": .int(most)]).status == 200)
            for _ in 0..<most / 2 {
                for method in ["PUT", "DELETE"] {
                    #expect(try await p.ask("freezes/\(day)", method).status == 200)
                }
            }
            #expect(try await p.ask("freezes/\(day)", "DELETE").status == 200)
            let frozen = try await p.ask("freezes/\(day)", "PUT")
            #expect(frozen.status == 409 && frozen.code == "practice-changes-used-up")
            let events = try await p.desk.group.first.store.read(Practitioner.stream(p.owner)).count
            #expect(events == Int(2 * most))
            // Nobody else is kept from anything.
            #expect(try await p.ask("freezes/\(day)", "PUT", as: .v7()).status == 200)
            // The next day; then a freeze that cannot be taken back once as much was changed.
            _ = try await p.desk.group.administrator.query(
                "update practice_changes set day = day - 1 where owner_id = $1", [.uuid(p.owner)])
            #expect(try await p.ask("settings", "PATCH", ["graceMinutes": 60]).status == 200)
            #expect(try await p.ask("freezes/\(day)", "PUT").status == 200)
            _ = try await p.desk.group.administrator.query(
                "update practice_changes set changes = $2 where owner_id = $1", [.uuid(p.owner), .int(most)])
            let thawed = try await p.ask("freezes/\(day)", "DELETE")
            #expect(thawed.status == 409 && thawed.code == "practice-changes-used-up")
            #expect(try await p.ask("settings").json["frozenDays"] == [.string(day)])
            // It goes with its owner.
            try await p.desk.group.deliver(UserErased(userId: p.owner))
            let left = "select count(*) from practice_changes where owner_id = '\(p.owner)'"
            #expect(try await p.desk.group.count(left) == 0)
        }
    }
}

@Suite(.timeLimit(.minutes(10))) @Loop struct `Milestones` {
    /// What was published of a user's milestones, in order.
    private func published(_ p: Practising) async throws -> [Int64] {
        try await p.desk.group.first.store.read(Practitioner.stream(p.owner)).compactMap { event in
            guard let out = try ReportingService.publication(event), out.type == MilestoneReached.type else {
                return nil
            }
            return try MilestoneReached(out.data).streakDays
        }
    }

    @Test func `are told once each, also when days go and come back`() async throws {
        try await Practising.run { p in
            let watch = MilestoneWatch(p.desk.group.context)
            let task = Loop.task { await watch.run() }
            defer { task.cancel() }
            var ids: [UUID] = []
            for day in (0..<8).reversed() { ids.append(try await p.log(p.time(Int64(day)))) }
            try await p.desk.group.foldAll()
            #expect(try await p.desk.group.eventually { try await published(p) == [7] })
            try await p.withdraw(ids[4], p.time(3))
            try await p.desk.group.foldAll()
            try await p.log(p.time(3))
            for day in (8..<14) as Range<Int64> { try await p.log(p.time(day)) }
            try await p.desk.group.foldAll()
            #expect(try await p.desk.group.eventually { try await published(p) == [7, 14] })
            let streak = try await p.ask("streak").json
            #expect(streak["milestones"]?.arrayValue?.map { $0["streakDays"] } == [7, 14])
            #expect(streak["nextMilestone"] == 21)
        }
    }

    @Test func `of somebody of whom something cannot be read are told once it can be`() async throws {
        try await Practising.run { p in
            #expect(try await p.ask("settings", "PATCH", ["graceMinutes": 30]).status == 200)
            for day in (0..<8) as Range<Int64> { try await p.log(p.time(day)) }
            try await p.desk.group.foldAll()
            let stream = Practitioner.stream(p.owner).description
            let connection = try await PostgresConnection.open(p.desk.group.administratorSettings)
            defer { connection.close() }
            try await connection.script(
                """
                set session_replication_role = replica;
                update milestone_watch set examined_position = (select max(position) from events where stream = '\(stream)');
                create table kept_aside as select position, data from events where stream = '\(stream)';
                update events set data = '{}' where stream = '\(stream)'
                """)
            let watch = MilestoneWatch(p.desk.group.context)
            let task = Loop.task { await watch.run() }
            defer { task.cancel() }
            let noted = "select count(*) from stuck_rows where work = 'milestones' and code = 'row-unreadable'"
            #expect(try await p.desk.group.eventually { try await p.desk.group.count(noted) == 1 })
            // The watch goes on behind it.
            #expect(
                try await p.desk.group.eventually {
                    try await p.desk.group.count(
                        """
                        select count(*) from milestone_watch w, projections p
                        where p.name = 'practice_days' and w.examined_position >= p.position
                        """) == 1
                })
            try await connection.script(
                """
                update events e set data = k.data from kept_aside k where k.position = e.position;
                update stuck_rows set tried_at = '2020-01-01'
                """)
            #expect(try await p.desk.group.eventually { try await published(p) == [7] })
            #expect(
                try await p.desk.group.eventually {
                    try await p.desk.group.count("select count(*) from stuck_rows") == 0
                })
        }
    }

    @Test func `of somebody who was noted are told of every kind, whichever comes next`() async throws {
        try await Practising.run { p in
            for day in (0..<8) as Range<Int64> { try await p.log(p.time(day)) }
            try await p.desk.group.foldAll()
            // Whoever looked at them has failed, and no other try is due.
            for statement in [
                "update milestone_watch set examined_position = (select max(position) from events)",
                "insert into stuck_rows (work, key, code, tried_at) values ('milestones', '\(p.owner)', 'row-failed', '2100-01-01')",
            ] {
                _ = try await p.desk.group.administrator.query(statement)
            }
            let watch = MilestoneWatch(p.desk.group.context)
            let task = Loop.task { await watch.run() }
            defer { task.cancel() }
            let other = SessionIdentity(sessionId: .v7(), ownerId: p.owner, kind: .mirrormate)
            try await p.desk.group.deliver(SessionLogged(other, time: p.time(0)))
            try await p.desk.group.foldAll()
            #expect(
                try await p.desk.group.eventually {
                    try await p.desk.group.count("select count(*) from stuck_rows") == 0
                })
            #expect(try await published(p) == [7])
        }
    }

    @Test func `that a freeze makes possible are told too`() async throws {
        try await Practising.run { p in
            let watch = MilestoneWatch(p.desk.group.context)
            let task = Loop.task { await watch.run() }
            defer { task.cancel() }
            for day in [0, 1, 2, 4, 5, 6, 7] as [Int64] { try await p.log(p.time(day)) }
            try await p.desk.group.foldAll()
            #expect(try await p.ask("freezes/\(p.today - 3)", "PUT").status == 200)
            try await p.desk.group.foldAll()
            #expect(try await p.desk.group.eventually { try await published(p) == [7] })
        }
    }
}

@Suite(.timeLimit(.minutes(10))) @Loop struct `An erased practitioner` {
    @Test func `leaves no day, no choice and no milestone`() async throws {
        try await Practising.run { p in
            let session = try await p.desk.written(for: p.owner)
            for day in [0, 0, 1] as [Int64] { try await p.log(p.time(day)) }
            #expect(try await p.ask("settings", "PATCH", ["graceMinutes": 30]).status == 200)
            try await p.desk.group.deliver(UserErased(userId: p.owner))
            try await p.desk.group.foldAll()
            for table in ["practice_days", "practitioners", "reports"] {
                #expect(try await p.desk.group.count("select count(*) from \(table)") == 0, "\(table)")
            }
            let told = try await p.desk.group.first.store.read(.subject(p.owner))
            #expect(told.map(\.type.name) == ["SubjectErased"])
            #expect(try JSONObject.parse(told[0].data)["removed"]?["rows"] == 3)
            #expect(try await p.desk.published(session) == ["ReportReady"])
            // What comes late changes nothing.
            try await p.log(p.time(2))
            try await p.desk.group.foldAll()
            #expect(try await p.desk.group.count("select count(*) from practice_days") == 0)
        }
    }
}

@Suite(.timeLimit(.minutes(10))) @Loop struct `A streak in words` {
    @Test func `names the sessions and rules behind each day`() async throws {
        try await Practising.run { p in
            let first = try await p.log(p.time(3))
            // Ten minutes after midnight, for the day before.
            var night = p.time(1)
            night.startedAt = (p.today - 1).start(utcOffsetSeconds: 0).adding(seconds: 600)
            night.endedAt = night.startedAt.adding(seconds: 1_200)
            let late = try await p.log(night)
            let second = try await p.log(p.time(1))
            try await p.desk.group.foldAll()
            let rows = try await p.desk.group.context.store.pool.query(
                "select row_to_json(d) from practice_days d order by day_number"
            ).rows.map { try PracticeDayRow(JSONObject.parse($0.bytes(0))) }
            let words = await StreakExplanation(rows, .meditation, nil, at: .now()) { _ in 0 }
            #expect(words.headline.hasPrefix("meditation: streak 3 days, at risk until "))
            #expect(words.longest.isEmpty)
            #expect(words.current.map(\.day) == [p.today - 3, p.today - 2, p.today - 1])
            #expect(words.current.map { $0.sessions.map(\.id) } == [[first], [late], [late, second]])
            #expect(words.current[1].words.contains("180 minutes"))
        }
    }
}
