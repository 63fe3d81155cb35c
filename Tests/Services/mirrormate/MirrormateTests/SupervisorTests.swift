import Primitives
import Testing

@testable import mirrormate

@Suite struct `What watches over a stack` {
    private static func time(_ second: Int64) -> Timestamp { Timestamp.epoch + .seconds(second) }

    @Test func `starts a part anew again and again, but not more than five times within a minute`() {
        var patience = RestartPatience()
        func isStarted(_ part: String, at second: Int64) -> Bool {
            patience.died(part, at: Self.time(second))
            return !patience.isGivenUp(part)
        }
        let starts = (0...5).map { isStarted("quota", at: $0) }
        #expect(starts == [true, true, true, true, true, false])
        let told = [patience.isGivenUpNow("quota"), patience.isGivenUpNow("quota"), patience.isGivenUpNow("sessions")]
        #expect(told == [true, false, false], "That is said once.")
        #expect(
            [isStarted("quota", at: 500), isStarted("sessions", at: 5)] == [false, true],
            "Whoever is left alone stays so; others are not concerned.")
    }

    @Test func `has patience with one that dies now and then`() {
        var patience = RestartPatience()
        for number in 0..<20 { patience.died("kafka", at: Self.time(Int64(number) * 20)) }
        #expect(!patience.isGivenUp("kafka"))
    }

    @Test(arguments: [
        (
            PartTrouble(part: "quota", kind: .gone, id: 812),
            "quota does not run: its process 812 has ended, killed or by itself"
        ),
        (
            PartTrouble(part: "postgres", kind: .stopped, id: 7),
            "postgres stands still: its process 7 is stopped (SIGSTOP, or a debugger)"
        ),
        (PartTrouble(part: "kafka", kind: .notStarted, id: nil), "kafka does not run: it is not started"),
    ])
    func `says what became of a part in a sentence`(trouble: PartTrouble, sentence: String) {
        #expect(trouble.sentence == sentence && trouble.advice.hasSuffix("."))
    }

    @Test func `is missed in the first line of the status where all else runs, and never before a cause`() {
        let plain = Style(isColoured: false)
        let gone = PartTrouble(part: "supervisor", kind: .gone, id: 9)
        let dead = PartTrouble(part: "quota", kind: .gone, id: 812)
        func line(_ troubles: [PartTrouble], _ unwatched: PartTrouble?, late: [String] = []) -> String {
            let isUp = troubles.isEmpty && late.isEmpty
            return StackStatus.verdict(isUp: isUp, troubles, unwatched: unwatched, late: late, plain)
        }
        #expect(line([], nil) == "✓ everything runs")
        #expect(line([], gone) == "… everything runs, and nobody starts anew what dies: \(gone.sentence)")
        #expect(line([dead], gone) == "✗ \(dead.sentence)")
        #expect(line([dead, gone], nil) == "✗ \(dead.sentence); 1 more part of the stack with it")
        #expect(line([], gone, late: ["quota"]) == "… not ready: quota; the log says what it waits for")
        #expect(
            StackStatus.verdict(isUp: false, [], unwatched: nil, late: [], plain) == "✗ this stack was never started")
    }
}
