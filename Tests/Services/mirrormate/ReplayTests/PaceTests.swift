import Replay
import Testing

@Suite struct `The pace of a rebuild` {
    @Test(arguments: [
        // It costs nothing while it works, but still rests half of the time.
        (working: 1_000.0, resting: 1_000.0, rest: 1.0), (working: 1_200, resting: 1_000, rest: 1),
        // It costs half while it works, so working a fifth of the time costs a tenth.
        (working: 500, resting: 1_000, rest: 4), (working: 0, resting: 1_000, rest: 9),
        // Nothing is known yet.
        (working: 1_000, resting: 0, rest: 4),
    ]) func `costs what is allowed`(_ known: (working: Double, resting: Double, rest: Double)) {
        let rest = Pace.rest(working: known.working, resting: known.resting, cost: 0.1)
        #expect(abs(rest - known.rest) < 0.001)
    }

    @Test func `never comes to a stand`() {
        #expect(Pace.rest(working: 0, resting: 1_000, cost: 0.001) == 30)
    }
}
