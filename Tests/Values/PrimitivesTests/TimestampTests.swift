import Primitives
import Testing

struct TimestampTests {
    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000000Z"),
        (-1, "1969-12-31T23:59:59.999999Z"),
        (1_795_255_323_123_456, "2026-11-21T10:02:03.123456Z"),
        (951_782_400_000_000, "2000-02-29T00:00:00.000000Z"),
        (4_107_542_400_000_000, "2100-03-01T00:00:00.000000Z"),
        (253_402_300_799_999_999, "9999-12-31T23:59:59.999999Z"),
        (-62_167_219_200_000_000, "0000-01-01T00:00:00.000000Z"),
    ])
    func `a moment is written as RFC 3339 and reads back`(microseconds: Int64, text: String) {
        let moment = Timestamp(microseconds: microseconds)
        #expect(moment.rfc3339 == text)
        #expect("\(moment)" == text)
        #expect(Timestamp(rfc3339: text) == moment)
    }

    @Test func `the days of eight centuries are written one after the other and read back`() throws {
        let start = try #require(Timestamp(rfc3339: "1600-01-01T00:00:00Z"))
        // A stride of a prime number of days meets every month, every kind of year and every century's turn.
        let days = stride(from: Int64(0), to: 146_097 * 2, by: 13).map { start.adding(seconds: $0 * 86_400) }
        let texts = days.map(\.rfc3339)
        #expect(texts.compactMap { Timestamp(rfc3339: $0) } == days)
        #expect(texts.sorted() == texts)
        #expect(start.adding(seconds: 146_097 * 2 * 86_400).rfc3339 == "2400-01-01T00:00:00.000000Z")
    }

    @Test func `moments beyond four-digit years are written as the nearest one inside`() {
        #expect(Timestamp(microseconds: .max).rfc3339 == "9999-12-31T23:59:59.999999Z")
        #expect(Timestamp(microseconds: .min).rfc3339 == "0000-01-01T00:00:00.000000Z")
    }

    /// The examples of RFC 3339, section 5.8, and the forms clients send.
    @Test(arguments: [
        ("1985-04-12T23:20:50.52Z", "1985-04-12T23:20:50.520000Z"),
        ("1996-12-19T16:39:57-08:00", "1996-12-20T00:39:57.000000Z"),
        ("1990-12-31T23:59:60Z", "1991-01-01T00:00:00.000000Z"),
        ("1990-12-31T15:59:60-08:00", "1991-01-01T00:00:00.000000Z"),
        ("1937-01-01T12:00:27.87+00:20", "1937-01-01T11:40:27.870000Z"),
        ("2026-11-21t10:02:03z", "2026-11-21T10:02:03.000000Z"),
        ("2026-11-21T10:02:03.123456789Z", "2026-11-21T10:02:03.123456Z"),
        ("2026-11-21T10:02:03-00:00", "2026-11-21T10:02:03.000000Z"),
    ])
    func `offsets, fractions and leap seconds are read`(text: String, utc: String) {
        #expect(Timestamp(rfc3339: text)?.rfc3339 == utc)
    }

    @Test(arguments: [
        "", "2026-11-21", "2026-11-21 10:02:03Z", "2026-11-21T10:02:03", "2026-11-21T10:02:03.Z",
        "2026-11-21T10:02Z", "2026-11-21T24:00:00Z", "2026-11-21T10:60:00Z", "2026-11-21T10:02:60Z",
        "2026-11-21T10:02:61Z", "2026-02-29T00:00:00Z", "2100-02-29T00:00:00Z", "2026-04-31T00:00:00Z",
        "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z", "2026-11-21T10:02:03+24:00",
        "2026-11-21T10:02:03+0100", "2026-11-21T10:02:03+01", "2026-11-21T10:02:03ZZ", "2026-11-21T10:02:03Z ",
        "26-11-21T10:02:03Z", "+2026-11-21T10:02:03Z", "2025-10-18 23:29:56.836233+00",
    ])
    func `other texts are refused`(text: String) {
        #expect(Timestamp(rfc3339: text) == nil)
    }

    @Test func `arithmetic moves a moment and stops at the ends of the range`() {
        let moment = Timestamp(seconds: 1_000)
        #expect(moment.adding(seconds: -1) == Timestamp(milliseconds: 999_000))
        #expect(moment.adding(milliseconds: 5).microseconds == 1_000_005_000)
        #expect(moment + .microseconds(7) == Timestamp(microseconds: 1_000_000_007))
        #expect(moment - .seconds(1_001) == Timestamp(seconds: -1))
        #expect(moment - Timestamp(seconds: 1_060) == .seconds(-60))
        #expect(Timestamp(microseconds: .max) + .seconds(1) == Timestamp(microseconds: .max))
        #expect(Timestamp(microseconds: .min) - .seconds(1) == Timestamp(microseconds: .min))
        #expect(Timestamp(seconds: .max) == Timestamp(microseconds: .max))
        #expect(Timestamp(microseconds: .max) - Timestamp(microseconds: .min) > .seconds(0))
    }

    @Test func `whole seconds and milliseconds are rounded down, also before 1970`() {
        #expect(Timestamp(microseconds: 1_999_999).seconds == 1)
        #expect(Timestamp(microseconds: -1).seconds == -1)
        #expect(Timestamp(microseconds: -1_000).milliseconds == -1)
        #expect(Timestamp(microseconds: -1_001).milliseconds == -2)
    }

    @Test func `now lies after the day this was written`() {
        #expect(Timestamp.now() > Timestamp(seconds: 1_795_000_000))
    }
}
