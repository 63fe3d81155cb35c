import Contracts
import EventSourcingTesting
import Primitives
import Testing

@testable import quota

@Suite("A window") struct WindowTests {
    private let f = Fixture.self
    private var tomorrow: Timestamp { f.midnight.adding(seconds: 86_400) }

    @Test("ends with the local day, to the microsecond") func midnight() {
        #expect(f.charged.refuses(f.request(2, at: f.midnight - .microseconds(1)))?.resetsAt == f.midnight)
        #expect(f.charged.admits(f.request(2, at: f.midnight, dayEnds: tomorrow)))
    }

    @Test("keeps work that ends after midnight") func afterMidnight() {
        let story = f.holding.after(f.request(2, at: f.midnight, dayEnds: tomorrow))
        #expect(story.when(f.end(1, .completed)) == .events([.committed(f.session(1), f.unit())]))
        let settled = story.after([f.end(1, .completed), f.end(2, .failed)])
        #expect(settled.state.standing(of: .mirrormate, at: f.midnight).remaining == 1)
    }

    @Test("keeps counting in a zone whose new day has begun") func eastward() {
        let dayEnds = f.noon.adding(seconds: 20 * 3_600)
        let request = f.request(2, at: f.noon.adding(seconds: 3_600), zone: "Pacific/Auckland", dayEnds: dayEnds)
        #expect(f.charged.refuses(request)?.code == .quotaExceeded)
        #expect(f.charged.refuses(request)?.resetsAt == f.midnight)
    }

    @Test("after a change of zone does not end before a day is over") func shortDay() {
        // Just after midnight in Berlin the owner says to be where the day ends in an hour.
        let soon = f.midnight.adding(seconds: 3_600)
        let story = f.charged.after([
            f.request(2, at: f.midnight, zone: "America/Noronha", dayEnds: soon), f.end(2, .completed),
        ])
        let refusal = story.refuses(
            f.request(3, at: soon, zone: "America/Noronha", dayEnds: soon.adding(seconds: 86_400)))
        #expect(refusal?.resetsAt == soon.adding(seconds: 86_400))
    }

    @Test("cannot be had more often than once a day by changing zones all the time") func zoneHopping() {
        var story = f.fresh
        var number: UInt64 = 0
        for hour in Int64(0)..<(24 * 30) {
            // Each request comes from the zone whose day ends half an hour later.
            let moment = f.noon.adding(seconds: hour * 3_600)
            number += 1
            story = story.after([
                f.request(number, at: moment, zone: "Zone/\(hour)", dayEnds: moment.adding(seconds: 1_800)),
                f.end(number, .completed),
            ])
        }
        let charged = story.history.count { if case .committed = $0 { true } else { false } }
        #expect(charged <= 31)
        #expect(charged >= 28)
    }

    @Test("is a local day also when clocks change", arguments: [Int64(23), 24, 25])
    func daylightSaving(hours: Int64) {
        let dayEnds = f.midnight.adding(seconds: hours * 3_600)
        let story = f.charged.after([f.request(2, at: f.midnight, dayEnds: dayEnds), f.end(2, .completed)])
        #expect(story.refuses(f.request(3, at: dayEnds - .microseconds(1), dayEnds: dayEnds))?.resetsAt == dayEnds)
        #expect(story.admits(f.request(3, at: dayEnds, dayEnds: dayEnds.adding(seconds: 86_400))))
    }

    @Test("stays the current one for a request that says to be a little older") func skew() {
        let story = f.charged.after([f.request(2, at: f.midnight, dayEnds: tomorrow)])
        #expect(story.refuses(f.request(3, at: f.midnight - .milliseconds(5)))?.code == .sessionOpen)
    }

    @Test("with no day's end that makes sense still ends after the request") func brokenDayEnd() {
        #expect(f.fresh.admits(f.request(1, dayEnds: f.noon.adding(seconds: -5))))
    }

    @Test("is forgotten once nothing is held in it") func pruned() {
        var story = f.fresh
        for day in Int64(0)..<50 {
            let number = UInt64(day) + 1
            let ends = f.midnight.adding(seconds: day * 86_400)
            story = story.after([
                f.request(number, at: ends.adding(seconds: -60), dayEnds: ends), f.end(number, .completed),
            ])
        }
        #expect(story.state.kinds[.mirrormate]?.windows.count == 1)
    }
}
