import Contracts
import Crypto
import EventSourcing
import EventStore
import HTTPServer
import JSON
import Postgres
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing

@testable import sessions

/// A session as a client tells it.
///
/// - Parameter minutesAgo: when it ended; it took twenty minutes.
private func telling(
    _ id: UUID? = nil, minutesAgo: Int64 = 5, active: Int64 = 1_080, zone: String? = "Asia/Tokyo",
    _ more: JSONObject = [:]
) -> JSONObject {
    let end = Timestamp(seconds: Timestamp.now().seconds - minutesAgo * 60)
    return (["kind": "meditation"] as JSONObject).adding([
        "id": id.map(JSONValue.uuid), "startedAt": .time(end.adding(seconds: -1_200)), "endedAt": .time(end),
        "activeSeconds": .int(active), "timeZone": zone.map(JSONValue.string),
    ]).adding(membersOf: more)
}

extension SessionsFixture {
    fileprivate func practice(
        _ method: String, _ path: String = "", as user: UUID? = nil, _ body: JSONObject? = nil
    ) async throws -> Answer {
        try await service.send(
            method, "/v1/practice/sessions\(path)", as: user ?? self.user, json: body.map(JSONValue.object))
    }

    fileprivate func log(_ body: JSONObject, as user: UUID? = nil) async throws -> Answer {
        try await practice("POST", as: user, body)
    }

    /// The events of a logged session.
    fileprivate func events(of id: UUID) async throws -> [String] {
        try await service.context.store.read(LoggedSession.stream(id)).map(\.type.name)
    }
}

@Suite(.timeLimit(.minutes(10))) @Loop struct `A logged session` {
    @Test func `is answered with the day on the clocks of its place, and so read at once`() async throws {
        try await withSessions { fixture in
            let id = UUID.v7()
            // From half past eleven in the evening to ten past midnight, by the clocks of Tokyo.
            let day = LocalDay(of: .now(), utcOffsetSeconds: 0) - 3
            let start = day.start(utcOffsetSeconds: 32_400).adding(seconds: 84_600)
            let pause: JSONValue = [
                "startedAt": .time(start.adding(seconds: 600)), "endedAt": .time(start.adding(seconds: 900)),
            ]
            let body = telling(
                id,
                [
                    "startedAt": .string("\(day)T23:30:00+09:00"), "endedAt": .string("\(day + 1)T00:10:00+09:00"),
                    "pauses": [pause],
                ])
            let answer = try await fixture.log(body)
            #expect(answer.status == 201)
            #expect(answer.header("location") == "/v1/practice/sessions/\(id)")
            #expect(answer.json["localDate"] == .string(day.description) && answer.json["utcOffsetSeconds"] == 32_400)
            #expect(answer.json["startedAt"] == .time(start))
            #expect(answer.json["pauses"]?.arrayValue?.count == 1)
            let read = try await fixture.practice("GET", "/\(id)")
            #expect(read.status == 200 && read.json == answer.json)
            let tag = try #require(read.header("etag"))
            let again = try await fixture.service.send(
                "GET", "/v1/practice/sessions/\(id)", as: fixture.user, headers: [("If-None-Match", tag)])
            #expect(again.status == 304)
        }
    }

    @Test func `told again is answered as before, and as it is after a correction`() async throws {
        try await withSessions { fixture in
            let id = UUID.v7()
            let body = telling(id)
            let first = try await fixture.log(body)
            let second = try await fixture.log(body)
            #expect(first.status == 201 && second.status == 201 && first.json == second.json)
            let other = try await fixture.log(body.adding(["activeSeconds": 7]))
            #expect(other.status == 409 && other.code == "practice-exists")
            let corrected = try await fixture.practice("PUT", "/\(id)", body.adding(["activeSeconds": 600]))
            #expect(corrected.status == 200 && corrected.json["activeSeconds"] == 600)
            #expect(try await fixture.log(body).json["activeSeconds"] == 600)
            #expect(try await fixture.events(of: id) == ["SessionLogged", "SessionCorrected"])
        }
    }

    @Test func `told by many requests at once is one`() async throws {
        try await withSessions { fixture in
            let id = UUID.v7()
            let body = telling(id)
            var answers: [Task<Int, any Error>] = []
            for _ in 0..<20 { answers.append(Loop.task { try await fixture.log(body).status }) }
            for answer in answers {
                let status = try await answer.value
                #expect(status == 201)
            }
            #expect(try await fixture.events(of: id) == ["SessionLogged"])
        }
    }

    @Test func `is moved to another day by a correction, and deleted once`() async throws {
        try await withSessions { fixture in
            let id = UUID.v7()
            let body = telling(id)
            #expect(try await fixture.log(body).status == 201)
            let moved = telling(id, minutesAgo: 3_000)
            #expect(try await fixture.practice("PUT", "/\(id)", moved).status == 200)
            #expect(try await fixture.practice("PUT", "/\(id)", moved).status == 200)
            #expect(try await fixture.events(of: id) == ["SessionLogged", "SessionWithdrawn", "SessionLogged"])
            #expect(try await fixture.practice("DELETE", "/\(id)").status == 204)
            #expect(try await fixture.practice("DELETE", "/\(id)").status == 404)
            #expect(try await fixture.practice("GET", "/\(id)").status == 404)
            let late = try await fixture.log(body)
            #expect(late.status == 409 && late.code == "practice-deleted")
        }
    }

    @Test func `is nobody else's`() async throws {
        try await withSessions { fixture in
            let id = UUID.v7()
            let stranger = UUID.v7()
            #expect(try await fixture.log(telling(id)).status == 201)
            #expect(try await fixture.practice("GET", "/\(id)", as: stranger).status == 404)
            #expect(try await fixture.practice("PUT", "/\(id)", as: stranger, telling()).status == 404)
            #expect(try await fixture.practice("DELETE", "/\(id)", as: stranger).status == 404)
            #expect(try await fixture.log(telling(id), as: stranger).code == "practice-exists")
            let isFolded = try await fixture.eventually {
                try await fixture.service.count("select count(*) from practice_log") == 1
            }
            #expect(isFolded)
            #expect(try await fixture.practice("GET", as: stranger).json["items"] == [])
            let export = try await fixture.service.send("GET", "/v1/practice/export", as: stranger)
            #expect(export.json["sessions"] == [])
            #expect(try await fixture.service.send("GET", "/v1/practice/sessions/\(id)").status == 401)
        }
    }

    @Test func `is refused with what is wrong with it`() async throws {
        try await withSessions { fixture in
            let refusals: [(JSONObject, Int, String)] = [
                (telling(nil), 400, "invalid-json"), (telling(.v7(), zone: "Mars/Olympus"), 422, "time-zone-invalid"),
                (telling(.v7(), minutesAgo: -30), 422, "practice-in-future"),
                (telling(.v7(), minutesAgo: 600_000), 422, "practice-too-old"),
                (telling(.v7(), active: 1_202), 400, "invalid-request"),
                (telling(.v7(), ["kind": "mirrormate"]), 422, "kind-unknown"),
                (telling(.v7(), ["note": "my thoughts"]), 422, "member-unknown"),
            ]
            for (body, status, code) in refusals {
                let answer = try await fixture.log(body)
                #expect(answer.status == status && answer.code == code, "\(body)")
            }
            let id = UUID.v7()
            #expect(try await fixture.log(telling(id)).status == 201)
            #expect(try await fixture.practice("PUT", "/\(id)", telling(.v7())).code == "invalid-request")
            // A correction is held to the same.
            let corrections: [(JSONObject, String)] = [
                (telling(id, zone: "Mars/Olympus"), "time-zone-invalid"),
                (telling(id, minutesAgo: -30), "practice-in-future"),
                (telling(id, minutesAgo: 600_000), "practice-too-old"),
                (telling(id, ["kind": "mirrormate"]), "kind-unknown"),
            ]
            for (body, code) in corrections {
                let answer = try await fixture.practice("PUT", "/\(id)", body)
                #expect(answer.status == 422 && answer.code == code, "\(body)")
            }
            // Nothing is said of the zone, and the caller's is not known.
            #expect(try await fixture.log(telling(.v7(), zone: nil)).json["timeZone"] == "UTC")
        }
    }

    /// The last second before the clocks change, and the first one after it: of the east and the west, of half an hour, and of none.
    @Test func `has the clocks of its place to the second at which they change`() async throws {
        try await withSessions { fixture in
            let changes: [(String, String, Int64, Int64)] = [
                ("Europe/Berlin", "2025-03-30T01:00:00Z", 3_600, 7_200),
                ("Europe/Berlin", "2025-10-26T01:00:00Z", 7_200, 3_600),
                ("America/Los_Angeles", "2025-03-09T10:00:00Z", -28_800, -25_200),
                ("America/Los_Angeles", "2025-11-02T09:00:00Z", -25_200, -28_800),
                ("Australia/Lord_Howe", "2025-04-05T15:00:00Z", 39_600, 37_800),
                ("Australia/Lord_Howe", "2025-10-04T15:30:00Z", 37_800, 39_600),
                ("Asia/Kathmandu", "2025-03-30T01:00:00Z", 20_700, 20_700),
                // A day that there was not: behind the date line, then ahead of it.
                ("Pacific/Apia", "2011-12-30T10:00:00Z", -36_000, 50_400),
            ]
            for (zone, text, before, after) in changes {
                let moment = try #require(Timestamp(rfc3339: text))
                let zones = fixture.service.context.zones
                #expect(try await zones.utcOffsetSeconds(of: zone, at: moment.adding(seconds: -1)) == before, "\(zone)")
                #expect(try await zones.utcOffsetSeconds(of: zone, at: moment) == after, "\(zone)")
            }
        }
    }

    @Test func `can come as late, and end as far ahead, as is configured`() async throws {
        try await withSessions(["PRACTICE_MAX_AGE": "2d", "PRACTICE_SKEW": "1h"]) { fixture in
            let late = try await fixture.log(telling(.v7(), minutesAgo: 3 * 1_440))
            #expect(late.status == 422 && late.code == "practice-too-old")
            let earliest = try late.json.timestamp("earliestAt")
            #expect(abs(earliest.seconds - Timestamp.now().seconds + 2 * 86_400) < 120)
            #expect(try await fixture.log(telling(.v7(), minutesAgo: 1_440)).status == 201)
            #expect(try await fixture.log(telling(.v7(), minutesAgo: -30)).status == 201)
            #expect(try await fixture.log(telling(.v7(), minutesAgo: -90)).code == "practice-in-future")
        }
    }

    @Test func `can be corrected so often`() async throws {
        try await withSessions { fixture in
            let id = UUID.v7()
            let body = telling(id)
            #expect(try await fixture.log(body).status == 201)
            for active in 1...LoggedSession.mostCorrections {
                let answer = try await fixture.practice(
                    "PUT", "/\(id)", body.adding(["activeSeconds": .int(Int64(active))]))
                #expect(answer.status == 200)
            }
            #expect(try await fixture.practice("PUT", "/\(id)", body).code == "corrections-used-up")
        }
    }
}

@Suite(.timeLimit(.minutes(10))) @Loop struct `Many logged sessions` {
    @Test func `are judged each alone, and a batch can be sent again`() async throws {
        try await withSessions { fixture in
            let ids = (0..<60).map { _ in UUID.v7() }
            var sessions = ids.enumerated().map { JSONValue.object(telling($1, minutesAgo: Int64($0) * 1_440 + 5)) }
            sessions[7] = .object(telling(ids[7], minutesAgo: 800_000))
            sessions[8] = "nothing"
            sessions[9] = .object(telling(nil))
            // Two different ones under one id: the first to come counts.
            sessions[11] = .object(telling(ids[10], minutesAgo: 20_000))
            let first = try await fixture.practice("POST", "/batch", ["sessions": .array(sessions)])
            #expect(first.status == 200)
            let verdicts = try #require(first.json["verdicts"]?.arrayValue)
            #expect(verdicts.count == 60)
            #expect(verdicts[7]["problem"]?["code"] == "practice-too-old" && verdicts[7]["status"] == 422)
            #expect(verdicts[8]["problem"]?["code"] == "invalid-json" && verdicts[8]["id"] == .null)
            #expect(verdicts[9]["problem"]?["code"] == "invalid-json")
            let pair = [verdicts[10]["status"], verdicts[11]["status"]]
            #expect(pair.contains(201) && pair.contains(409))
            #expect(verdicts.count { $0["status"] == 201 } == 56)
            let second = try await fixture.practice("POST", "/batch", ["sessions": .array(sessions)])
            #expect(second.json["verdicts"]?.arrayValue?.map { $0["session"] } == verdicts.map { $0["session"] })
        }
    }

    @Test func `get a verdict for whatever concerns one alone, and none together for what concerns them all`() {
        #expect(PracticeBatch.refusal(AppendError.erased)?.code == .notFound)
        #expect(PracticeBatch.refusal(AppendError.idReused)?.code == .idempotencyKeyReused)
        #expect(PracticeBatch.refusal(AppendError.guarded(.dayFull))?.code == .practiceDayFull)
        #expect(PracticeBatch.refusal(LoggedSessionRefusal.deleted)?.code == .practiceDeleted)
        for error: any Error in [AppendError.unavailable, AppendError.data("x"), CancellationError()] {
            #expect(PracticeBatch.refusal(error) == nil)
        }
    }

    @Test func `of somebody who is erased meanwhile are refused one by one`() async throws {
        try await withSessions { fixture in
            // The row alone: a token is good for as long as the log does not say that its user is gone.
            _ = try await fixture.service.administrator.query(
                "insert into erased_subjects (subject) values ($1)", [.uuid(fixture.user)])
            let sessions = (0..<2).map { _ in JSONValue.object(telling(.v7())) }
            let answer = try await fixture.practice("POST", "/batch", ["sessions": .array(sessions)])
            #expect(answer.status == 200)
            #expect(answer.json["verdicts"]?.arrayValue?.map { $0["problem"]?["code"] } == ["not-found", "not-found"])
        }
    }

    @Test func `are as many as 500 at once, with some pauses each, and again`() async throws {
        try await withSessions { fixture in
            let sessions = (0..<500).map { index -> JSONValue in
                let end = Timestamp(seconds: Timestamp.now().seconds - Int64(index) * 3_600 - 300)
                let pauses = (0..<5).map { pause -> JSONValue in
                    let start = end.adding(seconds: -1_000 + Int64(pause) * 100)
                    return ["startedAt": .time(start), "endedAt": .time(start.adding(seconds: 10))]
                }
                return .object(
                    telling(
                        .v7(), active: 600, ["startedAt": .time(end.adding(seconds: -1_200)), "endedAt": .time(end)]
                    )
                    .adding(["pauses": .array(pauses)]))
            }
            let answer = try await fixture.practice("POST", "/batch", ["sessions": .array(sessions)])
            let verdicts = try #require(answer.json["verdicts"]?.arrayValue)
            #expect(verdicts.count == 500 && verdicts.allSatisfy { $0["status"] == 201 })
            #expect(verdicts.map { $0["id"] } == sessions.map { $0["id"] })
            #expect(verdicts.allSatisfy { $0["session"]?["pauses"]?.arrayValue?.count == 5 })
            let again = try await fixture.practice("POST", "/batch", ["sessions": .array(sessions)])
            #expect(again.json == answer.json)
            let logged = "select count(*) from events where type = 'SessionLogged'"
            #expect(try await fixture.service.count(logged) == 500)
        }
    }

    @Test func `are at most 500 at once, and of nothing else`() async throws {
        try await withSessions { fixture in
            let many = JSONValue.array([JSONValue](repeating: .object(telling(.v7())), count: 501))
            #expect(try await fixture.practice("POST", "/batch", ["sessions": many]).code == "invalid-request")
            #expect(try await fixture.practice("POST", "/batch", ["sessions": []]).code == "invalid-request")
            #expect(try await fixture.practice("POST", "/batch", ["x": 1]).code == "member-unknown")
            let long = JSONValue.string(String(repeating: "x", count: 600_000))
            let tooLong = try await fixture.practice("POST", "/batch", ["sessions": .array([long])])
            #expect(tooLong.status == 413)
        }
    }

    @Test func `of one day are limited, deleted ones among them`() async throws {
        try await withSessions { fixture in
            let noon = (LocalDay(of: .now(), utcOffsetSeconds: 0) - 3).start(utcOffsetSeconds: 0).adding(
                seconds: 43_200)
            let then: JSONObject = ["startedAt": .time(noon), "endedAt": .time(noon.adding(seconds: 1_800))]
            let sessions = (0..<LoggedSession.mostOfDay + 3).map { _ in JSONValue.object(telling(.v7(), then)) }
            let answer = try await fixture.practice("POST", "/batch", ["sessions": .array(sessions)])
            let verdicts = try #require(answer.json["verdicts"]?.arrayValue)
            #expect(verdicts.count { $0["status"] == 201 } == Int(LoggedSession.mostOfDay))
            #expect(verdicts.count { $0["problem"]?["code"] == "practice-day-full" } == 3)
            let id = try #require(verdicts.first { $0["status"] == 201 }?["id"]?.stringValue)
            #expect(try await fixture.practice("DELETE", "/\(id)").status == 204)
            let more = try await fixture.log(telling(.v7(), then))
            #expect(more.status == 422 && more.code == "practice-day-full")
            let other = UUID.v7()
            #expect(try await fixture.log(telling(other)).status == 201)
            let moved = try await fixture.practice("PUT", "/\(other)", telling(other, then))
            #expect(moved.status == 422 && moved.code == "practice-day-full")
        }
    }

    @Test func `are listed page by page, newest first, and exported, oldest first`() async throws {
        try await withSessions { fixture in
            let ids = (0..<7).map { _ in UUID.v7() }
            for (index, id) in ids.enumerated() {
                #expect(try await fixture.log(telling(id, minutesAgo: Int64(index) * 60 + 5)).status == 201)
            }
            let isFolded = try await fixture.eventually {
                try await fixture.service.count("select count(*) from practice_log") == 7
            }
            #expect(isFolded)
            var seen: [String] = []
            var query = "?limit=3"
            while true {
                let page = try await fixture.practice("GET", query)
                seen += page.json["items"]?.arrayValue?.compactMap { $0["id"]?.stringValue } ?? []
                guard let cursor = page.json["nextCursor"]?.stringValue else { break }
                query = "?limit=3&cursor=\(cursor)"
            }
            #expect(seen == ids.map(\.description))
            #expect(try await fixture.practice("GET", "?limit=0").code == "invalid-request")
            let json = try await fixture.service.send("GET", "/v1/practice/export?format=json", as: fixture.user)
            #expect(json.json["sessions"]?.arrayValue?.map { $0["id"] } == ids.reversed().map { .uuid($0) })
            let csv = try await fixture.service.send("GET", "/v1/practice/export?format=csv", as: fixture.user)
            #expect(csv.header("content-type")?.hasPrefix("text/csv") == true)
            let lines = String(decoding: csv.body, as: UTF8.self).split(separator: "\r\n")
            #expect(lines.count == 8 && lines.first?.hasPrefix("id,kind,startedAt") == true)
            #expect(lines.last?.hasPrefix(ids[0].description) == true)
            let other = try await fixture.service.send("GET", "/v1/practice/export?format=xml", as: fixture.user)
            #expect(other.code == "invalid-request")
        }
    }

    @Test func `go with their owner`() async throws {
        try await withSessions { fixture in
            let ids = (0..<3).map { _ in UUID.v7() }
            for id in ids { #expect(try await fixture.log(telling(id)).status == 201) }
            try await fixture.service.deliver(UserErased(userId: fixture.user))
            for id in ids { #expect(try await fixture.events(of: id) == ["SessionLogged", "SessionErased"]) }
            // The service folds by itself.
            let isGone = try await fixture.eventually {
                try await fixture.service.count("select count(*) from practice_log") == 0
            }
            #expect(isGone)
            #expect(try await fixture.service.count("select count(*) from logged_days") == 0)
            try await fixture.service.context.ended.follow()
            #expect(try await fixture.log(telling(.v7())).code == "user-gone")
        }
    }

    @Test func `of a device stay when it becomes an account: the user is the same`() async throws {
        try await withSessions { fixture in
            let id = UUID.v7()
            let device = try fixture.service.token(for: fixture.user, kind: .device)
            let account = try fixture.service.token(for: fixture.user)
            let logged = try await fixture.service.send(
                "POST", "/v1/practice/sessions", headers: [("Authorization", "Bearer \(device)")],
                json: .object(telling(id)))
            #expect(logged.status == 201)
            let read = try await fixture.service.send(
                "GET", "/v1/practice/sessions/\(id)", headers: [("Authorization", "Bearer \(account)")])
            #expect(read.json == logged.json)
        }
    }
}
