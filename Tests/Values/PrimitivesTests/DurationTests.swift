import Primitives
import Testing

struct DurationTests {
    @Test(arguments: [
        ("250ms", Duration.milliseconds(250)), ("2s", .seconds(2)), ("15m", .seconds(900)), ("1h", .seconds(3_600)),
        ("30d", .seconds(2_592_000)), ("40us", .microseconds(40)), ("0s", .zero), ("007s", .seconds(7)),
    ])
    func `a configuration text is a number and a unit`(text: String, duration: Duration) {
        #expect(Duration(configuration: text) == duration)
    }

    @Test(arguments: [
        "", "s", "2", "-2s", "+2s", "2 s", " 2s", "1.5s", "2S", "2sec", "1h30m", "9223372036854775807s",
        "99999999999999999999s",
    ])
    func `other texts are refused`(text: String) {
        #expect(Duration(configuration: text) == nil)
    }

    @Test func `units are counted whole, rounded towards zero, and never overflow`() {
        #expect(Duration.microseconds(1_999).milliseconds == 1)
        #expect(Duration.microseconds(-1_999).milliseconds == -1)
        #expect((Duration.seconds(2) + .microseconds(3)).microseconds == 2_000_003)
        #expect(Duration.seconds(Int64.max).milliseconds == .max)
        #expect(Duration.seconds(Int64.min).microseconds == .min)
    }
}
