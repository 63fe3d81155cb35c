import JSON
import Testing

@testable import Coaching

private typealias Document = MeasuredDocument

@Suite("An impression tag") struct TagRuleTests {
    /// Only what a tag asks for, each figure at the beginning of its range.
    private func figures(_ row: TagRules.Row, but changed: Figure? = nil, _ value: Double = 0) throws -> Figures {
        var figures = Figures(try Findings(Document.json([:], words: 0)))
        for case .within(let figure, let range) in row.conditions { figures.set(figure, range.lowerBound) }
        if let changed { figures.set(changed, value) }
        return figures
    }

    private func isGiven(_ row: TagRules.Row, _ figures: Figures, _ scenario: Scenario) -> Bool {
        TagRules.chosen(figures, scenario, 100, without: []).contains { $0.tag == row.tag }
    }

    @Test("can be given, and only within each of its bounds", arguments: Scenario.allCases)
    func bounds(scenario: Scenario) throws {
        for row in TagRules.table(scenario) {
            #expect(try isGiven(row, figures(row), scenario), "\(row.tag)")
            #expect(row.figures.count == row.conditions.count, "\(row.tag)")
            for case .within(let figure, let range) in row.conditions {
                for (value, isIn) in [
                    (range.lowerBound - 0.001, false), (range.upperBound, true), (range.upperBound + 0.001, false),
                ] {
                    #expect(
                        try isGiven(row, figures(row, but: figure, value), scenario) == isIn,
                        "\(row.tag) \(figure) \(value)")
                }
            }
        }
    }

    @Test("is one of sixteen, each with one rule", arguments: Scenario.allCases)
    func vocabulary(scenario: Scenario) {
        let given = TagRules.table(scenario).map(\.tag)
        #expect(given.count == 16)
        #expect(Set(given) == Set(Coaching.Tag.allCases))
    }

    @Test(
        "is one of five from 80 points on, of three from 60, of one from 40",
        arguments: [
            (80, 5), (79, 3), (60, 3), (59, 1), (40, 1), (39, 0),
        ] as [(Int64, Int)])
    func limits(score: Int64, count: Int) throws {
        var figures = Figures(try Findings(Document.json(Document.without(["tonalVariety": 0.8]))))
        figures.set(.confidenceScore, 80)
        #expect(TagRules.chosen(figures, .general, score, without: []).count == count)
        #expect(TagRules.chosen(figures, .general, nil, without: []).isEmpty)
    }

    @Test("does not rest on what is to be improved, but for the one that says as much")
    func areas() throws {
        let figures = Figures(try Findings(Document.json(Document.without(["tonalVariety": 0.8]))))
        for row in TagRules.chosen(figures, .general, 100, without: [.pauses]) {
            #expect(!row.figures.contains(.pauseEffectiveness), "\(row.tag)")
        }
        let nervous = try #require(TagRules.table(.general).first { $0.tag == .nervous })
        let given = TagRules.chosen(try self.figures(nervous), .general, 40, without: [.head, .fillers])
        #expect(given.map(\.tag) == [.nervous])
    }

    @Test("of what is heard is not given through noise, crackling or from far away")
    func sound() throws {
        let figures = Figures(try Findings(Document.json(Document.without(["tonalVariety": 0.8]))))
        #expect(!TagRules.chosen(figures, .general, 100, without: []).isEmpty)
        for row in TagRules.chosen(figures, .general, 100, without: [.sound]) {
            #expect(row.figures.allSatisfy { $0.topic != .melody && $0.topic != .volume && $0.topic != .pace })
        }
    }

    @Test("for how somebody persuades is not given to haste, nor to silences")
    func hurried() throws {
        func tags(_ values: [String: JSONValue]) throws -> [Coaching.Tag] {
            let all = Document.without(["tonalVariety": 0.8, "pauseEffectiveness": 0.9]).merging(values) { $1 }
            let figures = Figures(try Findings(Document.json(all)))
            return TagRules.table(.general).filter { $0.conditions.allSatisfy { $0.holds(figures) } }.map(\.tag)
        }
        for tag in [.persuasive, .dynamic, .credible] as [Coaching.Tag] {
            #expect(try tags([:]).contains(tag), "\(tag)")
            #expect(try !tags(["paceWordsPerMin": 248]).contains(tag), "\(tag)")
            #expect(try !tags(["paceWordsPerMin": 79]).contains(tag), "\(tag)")
            #expect(try !tags(["pauseEffectiveness": 0.39]).contains(tag), "\(tag)")
        }
    }

    @Test("is not given to a voice on one note for its confidence, nor to a still portrait for being professional")
    func flattery() throws {
        func tags(_ values: [String: JSONValue]) throws -> [Coaching.Tag] {
            var figures = Figures(try Findings(Document.json(Document.without(values))))
            figures.set(.confidenceScore, 84)
            return TagRules.table(.general).filter { $0.conditions.allSatisfy { $0.holds(figures) } }.map(\.tag)
        }
        #expect(try Set(tags([:])).isSuperset(of: [.confident, .professional]))
        #expect(try Set(tags(["tonalVariety": 0.23])).isDisjoint(with: [.confident, .professional]))
        #expect(try !tags(["faceLiveliness": 0]).contains(.professional))
    }

    @Test("that praises how somebody speaks needs fillers that were counted")
    func uncounted() throws {
        var figures = Figures(try Findings(Document.json(Document.without(["tonalVariety": 0.8]))))
        figures.set(.fillersPer100Words, nil)
        let tags = TagRules.chosen(figures, .general, 100, without: []).map(\.tag)
        #expect(!tags.contains(.polished) && tags.contains(.engaging))
    }
}
