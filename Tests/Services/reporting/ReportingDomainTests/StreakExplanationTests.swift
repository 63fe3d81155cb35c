import Contracts
import Primitives
import Testing

@testable import reporting

@Suite("The explanation of a streak") struct StreakExplanationTests {
    private static let first = LocalDay("2026-11-02")!

    /// A day with one session, by the local hour at which it began.
    private func row(_ day: Int64, at hour: Int64 = 12, offset: Int64 = 0) -> PracticeDayRow {
        let day = Self.first + day
        let start = day.start(utcOffsetSeconds: offset).adding(seconds: hour * 3_600)
        let time = PracticeTime(
            startedAt: start, endedAt: start.adding(seconds: 1_200), activeSeconds: 600, timeZone: "Asia/Tokyo",
            utcOffsetSeconds: offset)
        return PracticeDayRow(
            identity: PracticeDayIdentity(ownerId: Fixture.owner, kind: .meditation, day: day),
            sessions: [(UUID(high: 0x019A_9C60_0000_7000, low: UInt64(day.number)), time)], updatedAt: start)
    }

    private func explanation(
        _ rows: [PracticeDayRow], _ practitioner: PractitionerRow? = nil, at now: Timestamp, offset: Int64 = 0
    ) async -> StreakExplanation {
        await StreakExplanation(rows, .meditation, practitioner, at: now) { _ in offset }
    }

    @Test("says which days were lost to travel, and which are frozen") func lost() async {
        let (west, east): (Int64, Int64) = (-28_800, 32_400)
        let rows = [row(0, at: 22, offset: west), row(2, at: 7, offset: east), row(4, at: 7, offset: east)]
        let practitioner = PractitionerRow(
            ownerId: Fixture.owner, frozenDays: [Self.first + 3], updatedAt: Fixture.start)
        let now = (Self.first + 4).start(utcOffsetSeconds: east).adding(seconds: 36_000)
        let said = await explanation(rows, practitioner, at: now, offset: east)
        #expect(said.headline.hasPrefix("meditation: streak 3 days, at risk until "))
        #expect(said.current.map(\.day) == (0...4).map { Self.first + $0 })
        #expect(said.current.map(\.counts) == [true, false, true, false, true])
        #expect(said.current[1].words.contains("travel took it") && said.current[3].words.contains("frozen"))
        #expect(said.current.map(\.sessions.count) == [1, 0, 1, 0, 1])
        #expect(said.current[2].sessions.map(\.id) == rows[1].sessions.map(\.id))
    }

    @Test("tells the longest one apart from that which goes on, and says when none does") func longest() async {
        let rows = [0, 1, 2, 3, 5, 6].map { row($0) }
        let now = (Self.first + 6).start(utcOffsetSeconds: 0).adding(seconds: 50_000)
        let said = await explanation(rows, at: now)
        #expect(said.current.map(\.day) == [Self.first + 5, Self.first + 6])
        #expect(said.longest.map(\.day) == (0...3).map { Self.first + $0 })
        #expect(said.headline.contains("streak 2 days") && said.headline.contains("longest 4; 6 days kept in all"))
        let over = await explanation(rows, at: now.adding(seconds: 7 * 86_400))
        #expect(over.current.isEmpty && over.longest.count == 4)
        #expect(over.headline.hasPrefix("meditation: streak none that goes on; longest 4;"))
    }
}
