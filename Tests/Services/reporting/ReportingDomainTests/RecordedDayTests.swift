import Practice
import Primitives
import Progress
import Testing
import TestingSupport

import struct Foundation.Calendar
import struct Foundation.Date
import struct Foundation.TimeZone

@testable import reporting

/// A recording somewhere, with its day, week and month as the calendar of the place has them.
private struct Recorded {
    let report: ProgressReport
    let day: String
    let week: String
    let month: String

    private static let zones = [
        "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia",
        "America/St_Johns",
        "UTC", "Pacific/Kiritimati", "America/Santiago", "Pacific/Pago_Pago",
    ].compactMap { TimeZone(identifier: $0) }

    /// In 2025 or 2026: anywhere, or within a day of a change to or from summer time, or of a new year.
    init(_ random: inout SeededRandom) {
        let zone = random.pick(Self.zones)!
        var seconds = 1_735_700_000 + Int64(random.below(63_000_000))
        switch random.below(4) {
        case 0:
            if let change = zone.nextDaylightSavingTimeTransition(
                after: Date(timeIntervalSince1970: Double(seconds)))
            {
                seconds = Int64(change.timeIntervalSince1970) + Int64(random.below(172_800)) - 86_400
            }
        case 1: seconds = 1_767_225_600 + Int64(random.below(172_800)) - 86_400
        default: break
        }
        let moment = Date(timeIntervalSince1970: Double(seconds))
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = zone
        let parts = calendar.dateComponents([.year, .month, .day, .yearForWeekOfYear, .weekOfYear], from: moment)
        func text(_ number: Int?) -> String { (number ?? 0) < 10 ? "0\(number ?? 0)" : "\(number ?? 0)" }
        month = "\(parts.year ?? 0)-\(text(parts.month))"
        day = "\(month)-\(text(parts.day))"
        week = "\(parts.yearForWeekOfYear ?? 0)-W\(text(parts.weekOfYear))"
        report = ProgressReport(
            sessionId: UUID(high: random.next(), low: random.next()), createdAt: Timestamp(seconds: seconds + 90),
            begunAt: Timestamp(seconds: seconds), utcOffsetSeconds: Int64(zone.secondsFromGMT(for: moment)),
            isPlaced: true,
            circumstances: Circumstances(rulesVersion: 4, kind: "mirrormate", tag: nil, scenario: nil, engines: [:]),
            confidenceScore: nil, durationSec: Int64(1 + random.below(300)))
    }
}

@Suite("The days, weeks and months of recordings", .timeLimit(.minutes(10))) struct RecordedDayTests {
    /// By counting: what each has of recordings, seconds and different days.
    private func counted(_ recorded: [Recorded], by name: (Recorded) -> String) -> [String] {
        Dictionary(grouping: recorded, by: name).sorted { $0.key < $1.key }.map { name, those in
            let seconds = those.reduce(0) { $0 + $1.report.durationSec }
            return "\(name): \(those.count) of \(seconds) s on \(Set(those.map(\.day)).count)"
        }
    }

    private func told(
        _ days: [DayFacts], in stretch: (LocalDay) -> ClosedRange<LocalDay>, by naming: (LocalDay) -> String
    ) -> [String] {
        RecordedSum.of(days, in: stretch, by: naming).map {
            "\($0.name): \($0.recordings) of \($0.seconds) s on \($0.days)"
        }
    }

    /// Travel between zones, summer time, and weeks that belong to two years are among them.
    @Test("are those of the calendars of the places, in 10,000 random histories")
    func calendars() {
        var faults: [String] = []
        for seed in 0..<10_000 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            let recorded = (0..<(1 + random.below(20))).map { _ in Recorded(&random) }
            let days = ReportProgress(recorded.map(\.report).sorted { $0.createdAt < $1.createdAt }).days
            for (told, counted) in [
                (told(days, in: { $0...$0 }) { $0.description }, counted(recorded, by: \.day)),
                (told(days, in: \.wholeWeek) { $0.week }, counted(recorded, by: \.week)),
                (told(days, in: \.wholeMonth) { $0.month }, counted(recorded, by: \.month)),
            ] where told != counted { faults.append("seed \(seed): \(told), counted \(counted)") }
            if faults.count > 5 { break }
        }
        #expect(faults == [])
    }
}
