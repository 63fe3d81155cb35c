import Progress
import Testing

@Suite("The next goal") struct GoalProposalTests {
    private func proposal(_ name: String, _ values: [Double]) -> GoalProposal? {
        TrackedMeasure.all(pace: 120...180).first { $0.name == name }.flatMap { GoalProposal($0, values) }
    }

    @Test("leads half of the way to where the score gains nothing more")
    func half() throws {
        let contact = try #require(proposal("eyeContactPct", [0.1, 0.5, 0.9]))
        #expect(contact.target.atLeast == 0.75 && contact.target.atMost == nil && contact.from == 0.5)
        #expect(contact.target.recordings == 5 && contact.target.days == 7 && contact.target.isPossible)
        let fillers = try #require(proposal("fillersPer100Words", [8]))
        #expect(fillers.target.atMost == 4.5 && fillers.target.atLeast == nil && fillers.points == 10)
        // The last step is no smaller than the repeatability, and leads no further than what counts.
        #expect(proposal("eyeContactPct", [0.9])?.target.atLeast == 0.95)
        #expect(proposal("fillersPer100Words", [3])?.target.atMost == 1.5)
    }

    @Test("of the pace leads into the range from either side")
    func pace() {
        #expect(proposal("paceWordsPerMin", [260])?.target.atMost == 220)
        #expect(proposal("paceWordsPerMin", [260])?.target.atLeast == 120)
        #expect(proposal("paceWordsPerMin", [100])?.target.atLeast == 110)
        #expect(proposal("paceWordsPerMin", [115])?.target.atLeast == 120)
        #expect(proposal("paceWordsPerMin", [150]) == nil)
    }

    @Test("is none of what is as good as counts, of the score itself, and without a value")
    func none() {
        #expect(proposal("eyeContactPct", [0.93]) == nil && proposal("fillersPer100Words", [2]) == nil)
        #expect(proposal("confidenceScore", [10]) == nil && proposal("tonalVariety", []) == nil)
    }

    @Test("is possible for every measure, wherever one stands")
    func possible() {
        for measure in TrackedMeasure.all(pace: 120...180) {
            for step in 0...100 {
                let value = Double(step) * (measure.unit == "0-1" ? 0.01 : 1)
                guard let proposal = GoalProposal(measure, [value]) else { continue }
                #expect(proposal.target.isPossible && !proposal.target.isMet(by: value), "\(measure.name) at \(value)")
            }
        }
    }
}
