/// Under which circumstances a report came about, as far as they decide what it can be compared with.
package struct Circumstances: Sendable, Hashable {
    /// Nil of a report that does not say.
    package var rulesVersion: Int64?
    /// What kind of session it reports on.
    package var kind: String
    /// The primary language subtag of what was spoken; English when nothing was said, as it was judged then.
    package var language: String
    /// What was spoken for.
    package var scenario: String
    /// Names and versions of what measured.
    package var engines: [String: String]

    /// - Parameter tag: the BCP 47 tag of what was spoken; nil when nothing was said.
    package init(rulesVersion: Int64?, kind: String, tag: String?, scenario: String?, engines: [String: String]) {
        self.rulesVersion = rulesVersion
        self.kind = kind
        let primary = tag?.split(separator: "-").first.map { $0.lowercased() } ?? "en"
        language = ["eng", "und"].contains(primary) ? "en" : primary
        self.scenario = scenario ?? "general"
        self.engines = engines
    }

    /// Why nothing of two reports can be compared; empty when something can.
    package func obstacles(to other: Circumstances) -> [Obstacle] {
        var found: [Obstacle] = []
        switch (rulesVersion, other.rulesVersion) {
        case (let mine?, let its?): if mine != its { found.append(.rulesDiffer) }
        case (nil, _), (_, nil): found.append(.rulesUnknown)
        }
        if kind != other.kind { found.append(.kindsDiffer) }
        if language != other.language { found.append(.languagesDiffer) }
        return found
    }

    /// Why a measure of two reports cannot be compared; empty when it can.
    ///
    /// - Parameter measure: nil for one that progress is not told of, which may come from any engine.
    package func obstacles(to other: Circumstances, for measure: TrackedMeasure?) -> [Obstacle] {
        var found = obstacles(to: other)
        if measure?.isOfScenario == true, scenario != other.scenario { found.append(.scenariosDiffer) }
        if (measure?.engines ?? TrackedMeasure.everyEngine).contains(where: { engines[$0] != other.engines[$0] }) {
            found.append(.enginesDiffer)
        }
        return found
    }
}

/// Why two reports, or a measure of them, cannot be compared. The raw values are what clients see.
package enum Obstacle: String, Sendable, CaseIterable {
    /// One of them does not say which rules judged it, because it was written before reports kept that.
    case rulesUnknown = "rules-unknown"
    case rulesDiffer = "rules-differ"
    case kindsDiffer = "kinds-differ"
    case languagesDiffer = "languages-differ"
    /// The score judges pace by what was spoken for.
    case scenariosDiffer = "scenarios-differ"
    /// Another recognizer, or another version of one, measured.
    case enginesDiffer = "engines-differ"
    /// The measure has another definition.
    case definitionsDiffer = "definitions-differ"
    /// It has no valid value in one of them.
    case notValid = "not-valid"
    /// Nothing of it is better or worse.
    case noDirection = "no-direction"
}
