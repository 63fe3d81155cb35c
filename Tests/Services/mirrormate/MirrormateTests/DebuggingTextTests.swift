import Contracts
import EventSourcing
import History
import Primitives
import Replay
import Testing

@testable import mirrormate

@Suite struct `Texts of the commands that look at history` {
    @Test func `a table is as wide as its cells, numbers to the right`() {
        var table = Columns(["pos", "event"], right: [0])
        table.add(["7", "SessionCreated"])
        table.add(["1234", ""])
        #expect(table.text(Style(isColoured: false)) == " pos  event\n   7  SessionCreated\n1234")
    }

    @Test func `a ledger's first line says what is wrong, causes first`() {
        let down = LedgerFault(kind: .down, place: "quota", detail: "no instance has run since then")
        let late = LedgerFault(kind: .late, place: "sessions relay", detail: "31 s behind: nobody holds its lease")
        func lines(_ faults: [LedgerFault]) -> [Substring] {
            LedgerCommand.text(Ledger.Findings(faults: faults), Style(isColoured: false)).split(separator: "\n")
        }
        #expect(lines([])[0] == "0 events, 0 messages in topics: nothing is lost, doubled or late")
        #expect(lines([down])[0] == "✗ down at quota: no instance has run since then")
        let both = lines([down, late])
        #expect(both[0] == "✗ down at quota: no instance has run since then, the first of 2 faults")
        #expect(both[1] == "0 events, 0 messages in topics" && both.contains("✗ late at sessions relay"))
        #expect(lines([]).contains { $0.hasPrefix("head: the last event of the log.") })
    }

    @Test func `a table fits where it is shown: the last column gives way, the ledger's names who lags behind`() {
        var table = Columns(["pos", "event", ""], right: [0])
        table.add(["7", "QuotaReserved", "holds one mirrormate unit (plan) for a session"])
        let plain = Style(isColoured: false)
        #expect(table.text(plain).contains("for a session"))
        let lines = table.text(plain, within: 40).split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 40 } && lines[1].hasSuffix("…") && lines[1].contains("QuotaReserved"))

        var quota = ServiceLedger(service: .quota)
        quota.consumers = [ConsumerLedger(source: .sessions), ConsumerLedger(source: .identity)]
        quota.consumers[0].behind = 3
        quota.consumers[0].late = .seconds(31)
        let findings = Ledger.Findings(services: [quota])
        #expect(LedgerCommand.text(findings, plain).contains("consumed from"))
        let narrow = LedgerCommand.text(findings, plain, within: 60)
        #expect(!narrow.contains("consumed from\n") && narrow.contains("  quota ← sessions 0 (3 behind, 31.0 s)"))
        #expect(!narrow.contains("quota ← identity"))
    }

    @Test func `a list of sessions has shorter ids where there is little room, in a form that commands take`() throws {
        let id = CommandLineText.id
        let at = try #require(Timestamp(rfc3339: "2026-11-21T20:55:25.253Z"))
        let session = ListedSession(
            id: id, kind: "mirrormate", status: "complete", code: "", createdAt: at, updatedAt: at + .seconds(14),
            owner: try #require(UUID(id)))
        func lines(_ room: Int?) -> [Substring] {
            ListedSession.table([session], within: room).text(Style(isColoured: false), within: room).split(
                separator: "\n")
        }
        for room in [nil, 200] { #expect(lines(room)[1].hasPrefix("\(id)  ") && lines(room)[1].hasSuffix("  \(id)")) }
        let narrow = lines(86)
        #expect(
            narrow[1]
                == "\(id.prefix(13))  mirrormate  complete  2026-11-21 20:55  14.0 s  \(id.prefix(13))")
        #expect(narrow.allSatisfy { $0.count <= 86 } && SubjectName(String(id.prefix(13))) != nil)
    }

    @Test func `a table that is too wide to be shortened is told row by row, and nothing of it is cut off`() {
        var table = Columns(["DEVICE", "SINCE", "LAST USED"])
        table.add([CommandLineText.id, "2026-11-21 20:55:25.253", "–"])
        table.add(["b", "", "2026-11-22 20:55:25.253"])
        let plain = Style(isColoured: false)
        for room in [nil, 100] { #expect(table.paragraphs(plain, within: room) == table.text(plain)) }
        #expect(
            table.paragraphs(plain, within: 60) == """
                \(CommandLineText.id)
                  since      2026-11-21 20:55:25.253
                b
                  last used  2026-11-22 20:55:25.253
                """)
    }

    @Test func `webhooks are told by endpoint, with what came of each, and without an address`() throws {
        let id = try #require(UUID(CommandLineText.id))
        let at = try #require(Timestamp(rfc3339: "2026-11-21T20:55:25.253Z"))
        let plain = Style(isColoured: false)
        #expect(WebhooksCommand.text(id, [], plain) == "\(id) has no webhook endpoint.")
        var told = ToldEndpoint(id: id, kinds: ["report.ready"], addedAt: at, ended: nil, failingSince: at)
        told.deliveries = [
            ToldDelivery(
                id: id, kind: "report.ready", queuedAt: at, state: "waiting", attempts: 2, dueAt: at, answer: "503"),
            ToldDelivery(
                id: id, kind: "endpoint.test", queuedAt: at, state: "dropped", attempts: 0, dueAt: nil, answer: nil),
        ]
        let gone = ToldEndpoint(
            id: id, kinds: ["goal.met", "report.ready"], addedAt: at, ended: "gone", failingSince: nil)
        #expect(
            WebhooksCommand.text(id, [told, gone], plain) == """
                endpoint \(id), told, and nothing arrives since 2026-11-21 20:55:25.253
                  report.ready
                    2026-11-21 20:55:25.253  report.ready  waiting, tried 2 times, the last answer 503, next at 2026-11-21 20:55:25.253  \(id)
                    2026-11-21 20:55:25.253  endpoint.test  dropped, not tried yet  \(id)
                endpoint \(id), sent nothing more: its receiver answered that it is gone
                  goal.met, report.ready
                """)
    }

    @Test func `what several services find in the same words is said once`() {
        func finding(_ part: String, _ message: String) -> DoctorFinding {
            DoctorFinding(part, "database", message, "Start it.")
        }
        let joined = DoctorFinding.joined([
            finding("identity", "PostgreSQL does not answer."), finding("quota", "A migration is missing."),
            finding("sessions", "PostgreSQL does not answer."),
        ])
        #expect(joined.map(\.part) == ["identity, sessions", "quota"])
    }

    @Test func `of the keys one signs, earlier ones are believed until they end, and one may come next`() {
        func key(_ from: Int64, _ until: Int64, retired: Int64? = nil) -> ListedKey {
            func time(_ second: Int64) -> Timestamp { .epoch + .seconds(second) }
            return ListedKey(
                id: "\(from)", notBefore: time(from), expiresAt: time(until), retiredAt: retired.map(time))
        }
        let keys = [key(0, 100, retired: 90), key(10, 40), key(20, 200), key(30, 200), key(80, 300)]
        #expect(ListedKey.states(keys, at: .epoch + .seconds(50)) == [.over, .over, .believed, .signs, .next])
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
