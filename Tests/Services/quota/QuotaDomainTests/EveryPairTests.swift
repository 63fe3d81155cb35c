import Contracts
import EventSourcing
import EventSourcingTesting
import Primitives
import Testing

@testable import quota

/// The stated outcome of every command about a session in every state of that session.
@Suite("Every state of a session and every command") struct EveryPairTests {
    private static let f = Fixture.self

    static let states: [(name: String, story: Story)] = [
        ("unknown", f.fresh), ("reserved", f.holding), ("charged", f.charged),
        ("released", f.holding.after(f.end(1, .failed))), ("refused", f.fresh.after([f.request(2), f.request(1)])),
        ("ended before it was created", f.fresh.after(f.end(1, .expired))),
        ("orphaned", f.holding.after(.orphan(sessionId: f.id(1)))),
        ("erased", f.holding.after(.erase(subject: f.owner, removed: .init(rows: 1, objects: 0)))),
    ]

    /// `-` for nothing, else names of events; the last word stands for all the rest.
    static let table: [(name: String, command: QuotaCommand, outcomes: String)] = [
        ("created", f.request(1), "QuotaReserved -"),
        ("completed", f.end(1, .completed), "EndingNoted QuotaCommitted -"),
        ("failed", f.end(1, .failed), "EndingNoted QuotaReleased -"),
        ("expired", f.end(1, .expired), "EndingNoted QuotaReleased -"),
        ("cancelled", f.end(1, f.early), "EndingNoted QuotaReleased -"),
        ("cancelled after the start", f.end(1, f.late), "EndingNoted QuotaReleased -"),
        ("deleted", f.end(1, .deleted), "EndingNoted QuotaReleased -"),
        ("orphaned", .orphan(sessionId: f.id(1)), "- QuotaReleased -"),
        ("erased", .erase(subject: f.owner, removed: .init(rows: 1, objects: 0)), ErasedRow.outcomes),
        ("plan changed", .changePlan(ownerId: f.owner, .premium), PlanRow.outcomes),
        ("granted", .grant(ownerId: f.owner, kind: .mirrormate, units: 1), GrantRow.outcomes),
    ]

    private enum ErasedRow {
        static let outcomes = Array(repeating: "SubjectErased", count: 7).joined(separator: " ") + " -"
    }
    private enum PlanRow {
        static let outcomes = Array(repeating: "PlanChanged", count: 7).joined(separator: " ") + " !owner-erased"
    }
    private enum GrantRow {
        static let outcomes = Array(repeating: "ExtraGranted", count: 7).joined(separator: " ") + " !owner-erased"
    }

    @Test("has the stated outcome", arguments: table.indices)
    func outcome(row: Int) {
        let (name, command, text) = Self.table[row]
        let outcomes = text.split(separator: " ").map(String.init)
        for (column, state) in Self.states.enumerated() {
            let expected = column < outcomes.count ? outcomes[column] : outcomes[outcomes.count - 1]
            #expect(describe(state.story.when(command)) == expected, "\(name) when \(state.name)")
        }
    }

    @Test("settles a session at most once and holds nothing after an ending, in any order of three messages")
    func anyOrder() {
        let commands = Self.table.prefix(8).map(\.command)
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
                        #expect(story.state.standing(of: .mirrormate, at: Self.f.noon).reserved == 0)
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
