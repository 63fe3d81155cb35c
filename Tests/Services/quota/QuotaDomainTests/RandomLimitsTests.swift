import Contracts
import EventSourcingTesting
import Primitives
import Testing
import TestingSupport

@testable import quota

/// What holds of every history, however requests, endings and changes of plans fall.
@Suite("Over random histories") struct RandomLimitsTests {
    /// One unit that was given, until it comes back.
    private struct Unit {
        let at: Timestamp
        let held: HeldUnit
        var isOpen = true
    }

    @Test("no limit is ever exceeded, and what did not complete comes back to every window", arguments: UInt64(1)...80)
    func limits(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let f = Fixture.self
        let terms = KindTerms(
            windows: [.init(.hour, Int64(1 + random.below(4))), .init(.localDay, Int64(2 + random.below(6)))],
            atOnce: random.below(2) == 0 ? nil : Int64(1 + random.below(3)),
            burst: random.below(2) == 0
                ? nil : .init(units: Int64(1 + random.below(3)), seconds: Int64(60 + random.below(1_200))),
            lateCancellations: Int64(random.below(2)))
        let plans = Plans([PlanDefinition(.free, [f.dance: terms])])
        var state = Allowance.initial
        var units: [UUID: Unit] = [:]
        var now = f.noon
        var number: UInt64 = 0
        for _ in 0..<200 {
            now = now.adding(seconds: Int64(random.below(6) == 0 ? random.below(20_000) : random.below(300)))
            let before = state.standing(of: f.dance, in: plans, at: now)
            let command: AllowanceCommand
            if random.below(5) < 2, number > 0 {
                let endings: [Settlement] = [.completed, .failed, .unusable, .expired, .deleted, f.late, f.early]
                command = f.danced(1 + UInt64(random.below(Int(number))), endings[random.below(endings.count)])
            } else {
                number += 1
                let day = (now - f.midnight).components.seconds
                let ends = f.midnight.adding(seconds: day < 0 ? 0 : (day / 86_400 + 1) * 86_400)
                command = f.request(number, at: now, dayEnds: ends, kind: f.dance, in: plans)
            }
            guard let events = try? Allowance.decide(command, state) else {
                Issue.record("\(command) was refused.")
                return
            }
            for event in events {
                state = Allowance.evolve(state, event)
                switch event {
                case .reserved(let session, let held, _, _, _): units[session.sessionId] = Unit(at: now, held: held)
                case .committed(let session, _): units[session.sessionId]?.isOpen = false
                case .released(let session, _, _, _): units[session.sessionId] = nil
                default: break
                }
            }
            let after = state.standing(of: f.dance, in: plans, at: now)
            expect(units, keep: terms, at: now, "seed \(seed)")
            if case .reserve = command {
                var isAdmitted = false
                if case .reserved = events.first { isAdmitted = true }
                #expect(isAdmitted == (before.remaining! > 0), "seed \(seed), session \(number)")
            }
            // What the state counts is what was given and has not come back.
            for window in after.windows {
                let inIt = units.values.filter { unit in
                    unit.held.windows.contains { $0.span == window.span && $0.endsAt == window.resetsAt }
                }
                #expect(window.used + window.reserved == Int64(inIt.count), "seed \(seed)")
                #expect(window.reserved == Int64(inIt.count { $0.isOpen }), "seed \(seed)")
            }
        }
    }

    private func expect(_ units: [UUID: Unit], keep terms: KindTerms, at now: Timestamp, _ place: String) {
        for limit in terms.windows {
            let counts = Dictionary(
                grouping: units.values.flatMap(\.held.windows).filter { $0.span == limit.span }, by: \.endsAt)
            for (end, units) in counts {
                #expect(Int64(units.count) <= limit.units!, "\(place): \(limit.span) until \(end)")
            }
        }
        if let atOnce = terms.atOnce {
            #expect(Int64(units.values.count { $0.isOpen }) <= atOnce, "\(place): at once")
        }
        if let burst = terms.burst {
            let recent = units.values.count { $0.at > now.adding(seconds: -burst.seconds) }
            #expect(Int64(recent) <= burst.units, "\(place): burst")
        }
    }

    @Test("parallel requests for the last unit grant exactly one", arguments: UInt64(1)...20)
    func last(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let f = Fixture.self
        let units = Int64(2 + random.below(4))
        let limits: [Plans] = [
            f.dancing(.init(.hour, units), .init(.localDay, 100)),
            f.dancing(.init(.hour, 100), .init(.localDay, units)),
            f.dancing(.init(.localDay, 100), atOnce: units),
            f.dancing(.init(.localDay, nil), burst: .init(units: units, seconds: 900)),
        ]
        for plans in limits {
            // All but one are gone; a hundred ask for that one at moments close to each other, in any order.
            let taken = f.fresh.after((1..<UInt64(units)).map { f.dance($0, 0, in: plans) })
            let race = taken.after((100..<200).map { f.dance($0, Int64(random.below(5)), in: plans) })
            let granted = race.history.count { if case .reserved = $0 { true } else { false } }
            #expect(granted == Int(units))
        }
    }
}
