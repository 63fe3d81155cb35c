import Testing

@testable import mirrormate

@Suite struct `Texts of the commands that look at history` {
    @Test func `a table is as wide as its cells, numbers to the right`() {
        var table = Columns(["pos", "event"], right: [0])
        table.add(["7", "SessionCreated"])
        table.add(["1234", ""])
        #expect(table.text(Style(isColoured: false)) == " pos  event\n   7  SessionCreated\n1234")
    }

    @Test func `lengths of time have a unit that fits`() {
        #expect(Format.length(.milliseconds(17)) == "17 ms")
        #expect(Format.length(.milliseconds(20_150)) == "20.1 s")
        #expect(Format.length(.seconds(600)) == "10 min")
    }

    @Test func `a progress line has the rate and the time that is left at that rate`() {
        func text(_ share: Double, _ done: Int64, width: Int) -> String {
            ProgressBar.text("rebuilding sessions/session_list", share, done, "events", seconds: 2, width: width)
        }
        let figures = "25 %, 25000 events/s, 6 s left"
        #expect(text(0.25, 50_000, width: 99) == "rebuilding sessions/session_list ██████░░░░░░░░░░░░░░░░░░ \(figures)")
        #expect(text(0.25, 50_000, width: 79).count == 79 && text(0.25, 50_000, width: 79).hasSuffix(" \(figures)"))
        #expect(text(0.25, 50_000, width: 60) == "rebuilding sessions/session_list \(figures)")
        #expect(text(0.01, 10, width: 99).hasSuffix("░ 1 %, 5 events/s"))
    }
}
