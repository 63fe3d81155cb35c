import JSON
import Practice
import Primitives
import Progress
import Testing

@testable import reporting

@Suite("What progress tells of days, weeks and months") struct ProgressAnswerTests {
    private static func report(_ number: Int, of day: String, seconds: Int64) throws -> ProgressReport {
        let noon = try #require(LocalDay(day)).start(utcOffsetSeconds: 0).adding(seconds: 43_200 + Int64(number))
        return ProgressReport(
            sessionId: UUID(high: 0x019A_9C60_0000_7000, low: 0x8000_0000_0000_0000 | UInt64(number)),
            createdAt: noon.adding(seconds: 60), begunAt: noon, utcOffsetSeconds: 0, isPlaced: number != 0,
            circumstances: Circumstances(rulesVersion: 4, kind: "mirrormate", tag: nil, scenario: nil, engines: [:]),
            confidenceScore: number % 2 == 0 ? 50 : nil, durationSec: seconds)
    }

    /// Asked on a Thursday.
    private func told(_ days: [String]) throws -> JSONObject {
        let reports = try days.enumerated().map { try Self.report($0, of: $1, seconds: Int64($0 + 1) * 10) }
        let progress = ReportProgress(reports)
        let today = try #require(LocalDay("2026-11-26"))
        return ProgressAnswer(progress, progress.days, [:], aimed: [], today: today).json
    }

    @Test("is the last 30 days, the last 52 whole weeks, and every month")
    func windows() throws {
        // A Sunday, the Monday after it and that week's Sunday; a day 30 days ago, and one later; today, twice.
        let json = try told([
            "2025-11-30", "2025-12-01", "2025-12-07", "2026-10-27", "2026-10-28", "2026-11-26", "2026-11-26",
        ])
        #expect(
            json["days"] == [
                ["day": "2026-10-28", "recordings": 1, "seconds": 50, "days": 1],
                ["day": "2026-11-26", "recordings": 2, "seconds": 130, "days": 1],
            ])
        #expect(
            json["weeks"] == [
                ["week": "2025-W49", "recordings": 2, "seconds": 50, "days": 2],
                ["week": "2026-W44", "recordings": 2, "seconds": 90, "days": 2],
                ["week": "2026-W48", "recordings": 2, "seconds": 130, "days": 1],
            ])
        #expect(
            json["months"] == [
                ["month": "2025-11", "recordings": 1, "seconds": 10, "days": 1],
                ["month": "2025-12", "recordings": 2, "seconds": 50, "days": 2],
                ["month": "2026-10", "recordings": 2, "seconds": 90, "days": 2],
                ["month": "2026-11", "recordings": 2, "seconds": 130, "days": 1],
            ])
    }

    @Test("comes with sums over all that there is")
    func totals() throws {
        let json = try told(["2025-11-30", "2026-11-25", "2026-11-26", "2026-11-26"])
        let totals = json["totals"]
        #expect(totals?["reports"] == 4 && totals?["scored"] == 2 && totals?["seconds"] == 100)
        #expect(totals?["days"] == 3 && totals?["withoutZone"] == 1)
        #expect(totals?["firstAt"]?.stringValue?.hasPrefix("2025-11-30T12:01") == true)
        #expect(totals?["lastAt"]?.stringValue?.hasPrefix("2026-11-26T12:01") == true)
    }
}
