import Contracts
import Primitives
import Testing

@testable import quota

/// What `GET /v1/quota` says is what the next creation gets, whatever has happened before.
@Suite struct `What is left` {
    @Test(arguments: UInt64(1)...60) func `agrees with what is admitted next, at every moment`(seed: UInt64) {
        var dice = Dice(state: seed &* 0x9E37_79B9_7F4A_7C15)
        var state = Allowance.initial
        var now = Fixture.noon
        var number: UInt64 = 0
        var known: [UInt64] = []
        for _ in 0..<120 {
            now = now.adding(seconds: Int64(dice.roll(7) == 0 ? dice.roll(90_000) : dice.roll(600)))
            let command: QuotaCommand
            switch dice.roll(10) {
            case 0: command = .changePlan(ownerId: Fixture.owner, dice.roll(2) == 0 ? .premium : .free)
            case 1: command = .grant(ownerId: Fixture.owner, kind: .mirrormate, units: Int64(1 + dice.roll(2)))
            case 2: command = .orphan(sessionId: Fixture.id(known.isEmpty ? 0 : known[dice.roll(known.count)]))
            case 3...5 where !known.isEmpty:
                let endings: [SessionEnding] = [
                    .completed, .failed, .expired, .deleted, Fixture.late, Fixture.early,
                ]
                command = Fixture.end(known[dice.roll(known.count)], endings[dice.roll(endings.count)])
            default:
                number += 1
                known.append(number)
                // Days of 23 to 25 hours in zones that change all the time.
                let dayEnds = now.adding(seconds: Int64(1 + dice.roll(25 * 3_600)))
                command = Fixture.request(number, at: now, zone: "Zone/\(dice.roll(3))", dayEnds: dayEnds)
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

    /// Marsaglia's xorshift: the same throws for the same seed.
    private struct Dice {
        var state: UInt64

        mutating func roll(_ sides: Int) -> Int {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int(state % UInt64(sides))
        }
    }
}
