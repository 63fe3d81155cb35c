import Contracts
import JSON
import Primitives
import Projections
import Testing
import TestingSupport

@testable import reporting

/// What happened to one local day, as the fold hears of it, and its row made anew from all of that each time.
private struct Day {
    static let identity = Fixture.day
    private(set) var row: PracticeDayRow?
    private var told: [UUID: PracticeTime] = [:]
    private var moment = Fixture.start

    mutating func fold(_ event: ReportEvent) {
        moment = moment.adding(seconds: 1)
        row = PracticeDayProjection.evolve(row, event, key: Self.identity, recordedAt: moment)
        switch event {
        case .practiceCounted(_, let session, let time): told[session] = time
        case .practiceWithdrawn(_, let session): told[session] = nil
        case .practiceForgotten: told = [:]
        default: break
        }
    }

    var expected: PracticeDayRow? {
        if told.isEmpty { return nil }
        let sessions = told.map { (id: $0.key, time: $0.value) }
            .sorted { ($0.time.startedAt, $0.id) < ($1.time.startedAt, $1.id) }
        return PracticeDayRow(identity: Self.identity, sessions: sessions, updatedAt: moment)
    }
}

@Suite struct `The row of a day` {
    /// Few ids and few times, so that sessions come again, move before and behind each other, and begin together.
    @Test(arguments: 0..<200) func `has what was told last of each session, in the order in which they began`(
        seed: UInt64
    ) {
        var random = SeededRandom(seed: seed)
        var day = Day()
        for _ in 0..<60 {
            let session = UUID(high: 7, low: UInt64(random.below(12)))
            switch random.below(20) {
            case 0: day.fold(.practiceForgotten(Day.identity))
            case 1...5: day.fold(.practiceWithdrawn(Day.identity, sessionId: session))
            default:
                let began = Fixture.start.adding(seconds: Int64(random.below(8)) * 600)
                let time = PracticeTime(
                    startedAt: began, endedAt: began.adding(seconds: 900), activeSeconds: 1 + Int64(random.below(900)),
                    timeZone: "Europe/Berlin", utcOffsetSeconds: 3_600)
                day.fold(.practiceCounted(Day.identity, sessionId: session, time))
            }
            #expect(day.row == day.expected)
        }
    }

    @Test func `is another value than the one before`() throws {
        let one = try #require(
            PracticeDayProjection.evolve(nil, Fixture.counted, key: Fixture.day, recordedAt: Fixture.start))
        let two = PracticeDayProjection.evolve(one, Fixture.countedLonger, key: Fixture.day, recordedAt: Fixture.start)
        let none = PracticeDayProjection.evolve(one, Fixture.withdrawn, key: Fixture.day, recordedAt: Fixture.start)
        #expect(one.sessions.map(\.time) == [Fixture.time()])
        #expect(two?.sessions.map(\.time) == [Fixture.time(active: 900)])
        #expect(none == nil)
    }

    /// What stands in tables already: a build that wrote it otherwise would find that every row has drifted.
    @Test func `is written as it always was, and reads back`() throws {
        func time(_ began: Int64, _ active: Int64) -> PracticeTime {
            let began = Timestamp(seconds: 1_795_215_600 + began)
            return PracticeTime(
                startedAt: began, endedAt: began + .microseconds(900_250_000), activeSeconds: active,
                timeZone: "Europe/Berlin", utcOffsetSeconds: 3_600)
        }
        let row = PracticeDayRow(
            identity: PracticeDayIdentity(ownerId: Fixture.owner, kind: .meditation, day: LocalDay("2026-11-21")!),
            sessions: [(Fixture.id, time(1_800, 600)), (Fixture.owner, time(1_830, 900))], updatedAt: Fixture.start)
        let text = """
            {"owner_id":"019a9c60-0000-7000-8000-000000000002","kind":"meditation","day":"2026-11-21",\
            "day_number":20778,"sessions":2,"seconds":931,"early":[1800,1830],"hours":{"0":1500},\
            "first_started_at":"2026-11-20T23:30:00.000000Z","last_started_at":"2026-11-20T23:30:30.000000Z",\
            "westmost_offset":3600,"eastmost_offset":3600,"last_time_zone":"Europe/Berlin","entries":[\
            {"sessionId":"019a9c60-0000-7000-8000-000000000001","startedAt":"2026-11-20T23:30:00.000000Z",\
            "endedAt":"2026-11-20T23:45:00.250000Z","activeSeconds":600,"timeZone":"Europe/Berlin","utcOffsetSeconds":3600},\
            {"sessionId":"019a9c60-0000-7000-8000-000000000002","startedAt":"2026-11-20T23:30:30.000000Z",\
            "endedAt":"2026-11-20T23:45:30.250000Z","activeSeconds":900,"timeZone":"Europe/Berlin","utcOffsetSeconds":3600}],\
            "updated_at":"\(Fixture.start.rfc3339)"}
            """
        #expect(JSONValue.object(row.values).text == text)
        #expect(row.values.keys == PracticeDayRow.columns)
        #expect(try PracticeDayRow(JSONObject.parse(text.utf8)) == row)
    }
}
