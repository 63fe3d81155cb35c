import Contracts
import EventSourcing
import EventSourcingTesting
import Primitives
import Testing

@testable import quota

/// The stated outcome of every command about a session in every state of that session.
@Suite("Every state of a session and every command") struct EveryPairTests {
    private static let f = Fixture.self

    /// An allowance with one unit: what allows no second one.
    enum Setting: CaseIterable {
        case oneWindow, severalWindows, caps

        fileprivate var kind: SessionKind { self == .oneWindow ? .mirrormate : f.dance }

        private var plans: Plans {
            switch self {
            case .oneWindow: .builtIn
            case .severalWindows: f.dancing(.init(.hour, 1), .init(.localDay, 1))
            case .caps: f.dancing(.init(.localDay, nil), atOnce: 1, burst: .init(units: 1, seconds: 600))
            }
        }

        fileprivate func request(_ number: UInt64) -> QuotaCommand { f.request(number, kind: kind, in: plans) }
        fileprivate func end(_ ending: SessionEnding) -> QuotaCommand { f.end(1, ending, kind: kind) }

        fileprivate var states: [(name: String, story: Story)] {
            let holding = f.fresh.after(request(1))
            return [
                ("unknown", f.fresh), ("reserved", holding), ("charged", holding.after(end(.completed))),
                ("released", holding.after(end(.failed))), ("refused", f.fresh.after([request(2), request(1)])),
                ("ended before it was created", f.fresh.after(end(.expired))),
                ("orphaned", holding.after(.orphan(sessionId: f.id(1)))), ("erased", holding.after(erasure)),
            ]
        }

        /// `-` for nothing, else names of events; the last word stands for all the rest.
        fileprivate var table: [(name: String, command: QuotaCommand, outcomes: String)] {
            [
                ("created", request(1), "QuotaReserved -"),
                ("completed", end(.completed), "EndingNoted QuotaCommitted -"),
                ("failed", end(.failed), "EndingNoted QuotaReleased -"),
                ("expired", end(.expired), "EndingNoted QuotaReleased -"),
                ("cancelled", end(f.early), "EndingNoted QuotaReleased -"),
                (
                    "cancelled after the start", end(f.late),
                    self == .oneWindow ? "EndingNoted QuotaReleased -" : "EndingNoted QuotaCommitted -"
                ),
                ("deleted", end(.deleted), "EndingNoted QuotaReleased -"),
                ("orphaned", .orphan(sessionId: f.id(1)), "- QuotaReleased -"),
                ("erased", erasure, ErasedRow.outcomes),
                ("plan changed", .changePlan(ownerId: f.owner, .premium), PlanRow.outcomes),
                ("granted", .grant(ownerId: f.owner, kind: kind, units: 1), GrantRow.outcomes),
            ]
        }
    }

    private static let erasure = QuotaCommand.erase(subject: f.owner, removed: .init(rows: 1, objects: 0))

    private enum ErasedRow {
        static let outcomes = Array(repeating: "SubjectErased", count: 7).joined(separator: " ") + " -"
    }
    private enum PlanRow {
        static let outcomes = Array(repeating: "PlanChanged", count: 7).joined(separator: " ") + " !owner-erased"
    }
    private enum GrantRow {
        static let outcomes = Array(repeating: "ExtraGranted", count: 7).joined(separator: " ") + " !owner-erased"
    }

    @Test("has the stated outcome", arguments: Setting.allCases, 0..<11)
    func outcome(setting: Setting, row: Int) {
        let (name, command, text) = setting.table[row]
        let outcomes = text.split(separator: " ").map(String.init)
        for (column, state) in setting.states.enumerated() {
            let expected = column < outcomes.count ? outcomes[column] : outcomes[outcomes.count - 1]
            #expect(describe(state.story.when(command)) == expected, "\(setting): \(name) when \(state.name)")
        }
    }

    @Test(
        "settles a session at most once and holds nothing after an ending, in any order of three messages",
        arguments: Setting.allCases)
    func anyOrder(setting: Setting) {
        let commands = setting.table.prefix(8).map(\.command)
        for first in commands {
            for second in commands {
                for third in commands {
                    let story = Self.f.fresh.after([first, second, third])
                    let names = story.history.map(\.type.name)
                    let settled = names.count { $0 == "QuotaCommitted" || $0 == "QuotaReleased" }
                    #expect(settled <= 1)
                    #expect(names.count { $0 == "QuotaReserved" } <= 1)
                    let ended = [first, second, third].contains { if case .settle = $0 { true } else { false } }
                    if ended {
                        #expect(story.state.kinds[setting.kind]?.windows.contains { $0.usage.reserved > 0 } != true)
                    }
                }
            }
        }
    }

    @Test("forgets everything when the owner is erased")
    func erased() {
        let story = Self.f.holding.after(.erase(subject: Self.f.owner, removed: .init(rows: 1, objects: 0)))
        #expect(story.state.sessions.isEmpty)
        #expect(story.state.kinds.isEmpty)
    }

    private func describe(_ outcome: Outcome<QuotaEvent, QuotaRefusal>) -> String {
        switch outcome {
        case .events([]): "-"
        case .events(let events): events.map(\.type.name).joined(separator: "+")
        case .refusal(let refusal): "!\(refusal.rawValue)"
        }
    }
}
