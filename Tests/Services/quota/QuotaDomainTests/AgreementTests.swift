import Contracts
import Primitives
import Testing
import TestingSupport

@testable import quota

/// What `GET /v1/quota` says is what the next creation gets, whatever has happened before.
@Suite struct `What is left` {
    @Test(arguments: UInt64(1)...60) func `agrees with what is admitted next, at every moment`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var state = Allowance.initial
        var now = Fixture.noon
        var number: UInt64 = 0
        var known: [UInt64] = []
        for _ in 0..<120 {
            now = now.adding(seconds: Int64(random.below(7) == 0 ? random.below(90_000) : random.below(600)))
            let command: AllowanceCommand
            switch random.below(10) {
            case 0: command = .changePlan(ownerId: Fixture.owner, random.below(2) == 0 ? .premium : .free)
            case 1: command = .grant(ownerId: Fixture.owner, kind: .mirrormate, units: Int64(1 + random.below(2)))
            case 2: command = .orphan(sessionId: Fixture.id(known.isEmpty ? 0 : known[random.below(known.count)]))
            case 3...5 where !known.isEmpty:
                let endings: [Settlement] = [
                    .completed, .failed, .unusable, .expired, .deleted, Fixture.late, Fixture.early,
                ]
                command = Fixture.end(known[random.below(known.count)], endings[random.below(endings.count)])
            default:
                number += 1
                known.append(number)
                // Days of 23 to 25 hours in zones that change all the time.
                let dayEnds = now.adding(seconds: Int64(1 + random.below(25 * 3_600)))
                command = Fixture.request(number, at: now, zone: "Zone/\(random.below(3))", dayEnds: dayEnds)
            }
            let standing = state.standing(of: .mirrormate, at: now)
            guard let events = try? Allowance.decide(command, state) else {
                Issue.record("\(command) was refused")
                return
            }
            if case .reserve = command {
                var isAdmitted = false
                if case .reserved = events.first { isAdmitted = true }
                #expect(isAdmitted == (standing.remaining ?? 1 > 0), "seed \(seed), session \(number)")
            }
            for event in events { state = Allowance.evolve(state, event) }
            let after = state.standing(of: .mirrormate, at: now)
            #expect(after.used >= 0 && after.reserved >= 0 && after.remaining ?? 0 >= 0)
            if case .reserved = events.first, let before = standing.remaining {
                #expect(after.remaining == before - 1)
            }
        }
    }
}
