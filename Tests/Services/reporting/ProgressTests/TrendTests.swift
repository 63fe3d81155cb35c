import Progress
import Testing
import TestingSupport
import TestingTools

@Suite("The trend of a measure") struct TrendTests {
    private static let all = TrackedMeasure.all(pace: 120...180)

    private func measure(_ name: String) throws -> TrackedMeasure {
        try #require(Self.all.first { $0.name == name })
    }

    private func trend(_ name: String, _ values: [Double]) throws -> Trend {
        Trend(try measure(name), all: values, seen: Array(values.suffix(Trend.window)))
    }

    @Test("is not told of fewer than five reports, however clear they are")
    func few() throws {
        let four = try trend("confidenceScore", [10, 30, 50, 90])
        #expect(four.verdict == .notEnoughYet && four.change == nil && four.chance == nil && four.reports == 4)
        #expect(try trend("confidenceScore", []).verdict == .notEnoughYet)
        let five = try trend("confidenceScore", [10, 30, 50, 70, 90])
        #expect(five.verdict == .improved && five.change == 80 && five.firstMedian == nil)
        #expect(try trend("confidenceScore", [90, 70, 50, 30, 10]).verdict == .declined)
        // One of five out of order can be chance: 5 of 120 orders are as clear.
        #expect(try trend("confidenceScore", [10, 50, 30, 70, 90]).verdict == .steady)
    }

    @Test("is steady where the change is within the repeatability, however clear the order is")
    func small() throws {
        let slow = (0..<12).map { 70 + Double($0) * 0.15 }
        #expect(try trend("confidenceScore", slow).verdict == .steady)
        #expect(try trend("confidenceScore", slow.map { 70 + ($0 - 70) * 2 }).verdict == .improved)
    }

    @Test("knows for each measure which way is better")
    func directions() throws {
        let rising = (0..<8).map { Double($0) }
        #expect(try trend("fillersPer100Words", rising).verdict == .declined)
        #expect(try trend("fillersPer100Words", rising.reversed()).verdict == .improved)
        #expect(try trend("tonalVariety", rising.map { $0 / 8 }).verdict == .improved)
        // Pace: nearer to what is right is better, from either side; inside nothing is.
        #expect(try trend("paceWordsPerMin", rising.map { 60 + $0 * 8 }).verdict == .improved)
        #expect(try trend("paceWordsPerMin", rising.map { 260 - $0 * 8 }).verdict == .improved)
        #expect(try trend("paceWordsPerMin", rising.map { 185 + $0 * 8 }).verdict == .declined)
        #expect(try trend("paceWordsPerMin", rising.map { 122 + $0 * 8 }).verdict == .steady)
        #expect(try trend("paceWordsPerMin", rising.map { 60 + $0 * 8 }).change == 56)
    }

    @Test("sets the first five against the last five once they share none")
    func halves() throws {
        #expect(try trend("confidenceScore", Array(repeating: 50, count: 9)).firstMedian == nil)
        let ten = try trend("confidenceScore", [40, 42, 41, 43, 90, 60, 61, 62, 63, 10])
        #expect(ten.firstMedian == 42 && ten.lastMedian == 61)
    }

    // MARK: Histories with known truth

    /// Normal noise from uniform numbers, and what goes over from one value to the next.
    private struct Noise {
        var random: SeededRandom
        let memory: Double
        var last = 0.0

        init(seed: UInt64, memory: Double) {
            random = SeededRandom(seed: seed)
            self.memory = memory
        }

        mutating func next() -> Double {
            let sum = (0..<12).reduce(0.0) { sum, _ in sum + Double(random.next() >> 11) / Double(1 << 53) }
            last = memory * last + (1 - memory * memory).squareRoot() * (sum - 6)
            return last
        }
    }

    /// Of 2,000 histories the share with a verdict.
    private func shares(
        _ measure: TrackedMeasure, reports: Int, spread: Double, rise: Double,
        memory: Double = 0, digits: Double = 1
    ) -> (improved: Double, declined: Double) {
        var (improved, declined) = (0.0, 0.0)
        for seed in 0..<2_000 {
            var noise = Noise(seed: UInt64(seed) &* 7_919 &+ UInt64(reports), memory: memory)
            let values = (0..<reports).map { index in
                let value = 60 + rise * Double(index) / Double(reports - 1) + spread * noise.next()
                return (value * digits).rounded() / digits
            }
            let trend = Trend(measure, all: values, seen: Array(values.suffix(Trend.window)))
            if trend.verdict == .improved { improved += 1 }
            if trend.verdict == .declined { declined += 1 }
        }
        return (improved / 2_000, declined / 2_000)
    }

    @Test("is called improved in less than 5 % of 2,000 histories without change", arguments: [5, 8, 12, 20])
    func falseAlarms(reports: Int) throws {
        let score = try measure("confidenceScore")
        for memory in [0, 0.3] {
            let told = shares(score, reports: reports, spread: 6, rise: 0, memory: memory)
            print("no change, \(reports) reports, memory \(memory): \(told)")
            #expect(told.improved < 0.05 && told.declined < 0.05, "\(reports) reports, memory \(memory)")
        }
        // Values of which many are equal.
        let coarse = shares(score, reports: reports, spread: 6, rise: 0, digits: 0.1)
        #expect(coarse.improved < 0.05 && coarse.declined < 0.05)
    }

    @Test("is seen where there is one")
    func power() throws {
        let score = try measure("confidenceScore")
        for (reports, rise, least) in [(8, 24.0, 0.45), (12, 24, 0.8), (20, 24, 0.9)] {
            let told = shares(score, reports: reports, spread: 6, rise: rise)
            print("a rise of \(rise) at a spread of 6, \(reports) reports: \(told)")
            #expect(told.improved > least && told.declined < 0.01, "\(reports) reports, a rise of \(rise)")
        }
    }

    // MARK: What is said of them

    /// The cells of a table of docs/progress.md, those of its head first.
    private static func cells(_ title: String) throws -> [[Substring]] {
        let lines = try Checkout.text(of: "docs/progress.md").split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex { $0.hasPrefix("| \(title)") })
        var rows = lines[start...].prefix { $0.hasPrefix("|") }.map { $0.split(separator: "|") }
        rows.remove(at: 1)
        return rows
    }

    /// The first number of a cell; nil where it has none.
    private static func number(_ cell: Substring) -> Double? {
        Double(cell.drop { !$0.isNumber }.prefix { $0.isNumber || $0 == "." })
    }

    /// The percents of each row, by the numbers of reports that the head has.
    private static func percents(_ title: String) throws -> [[(reports: Int, percent: Double)]] {
        let rows = try cells(title).map { $0.dropFirst().compactMap(number) }
        return rows.dropFirst().map { row in zip(rows[0], row).map { (reports: Int($0), percent: $1) } }
    }

    @Test("counts from the changes on that docs/progress.md says")
    func repeatability() throws {
        let rows = try Self.cells("Measure | Counts when larger than").dropFirst()
        for measure in Self.all {
            let row = try #require(rows.first { $0[0].contains("`\(measure.name)`") }, "\(measure.name)")
            #expect(Self.number(row[1]) == measure.repeatability, "\(measure.name)")
            #expect((Self.number(row[2]) ?? measure.repeatability) == measure.twoPoints, "\(measure.name)")
        }
    }

    @Test("is as often wrong, and as often seen, as docs/progress.md says", .stress)
    func tables() throws {
        let score = try measure("confidenceScore")
        let (errors, power) = (try Self.percents("Where nothing changes"), try Self.percents("A rise over the history"))
        #expect(errors.map(\.count) == [4, 4] && power.map(\.count) == [5, 5, 5])
        for (row, memory) in zip(errors, [0, 0.3]) {
            for (reports, percent) in row {
                let told = 100 * shares(score, reports: reports, spread: 6, rise: 0, memory: memory).improved
                #expect((told - percent).magnitude < 0.06, "\(told) % of \(reports) reports, memory \(memory)")
            }
        }
        for (row, rise) in zip(power, [24.0, 12, 6]) {
            for (reports, percent) in row {
                let told = 100 * shares(score, reports: reports, spread: 6, rise: rise).improved
                #expect((told - percent).magnitude < 0.51, "\(told) % of \(reports) reports, a rise of \(rise)")
            }
        }
    }
}

@Suite("What can be compared") struct CircumstancesTests {
    private let base = Circumstances(
        rulesVersion: 4, kind: "mirrormate", tag: nil, scenario: nil,
        engines: ["asr": "moonshine", "model": "tiny", "face": "dlib", "thresholds": "3", "ffmpeg": "5"])

    private func changed(_ change: (inout Circumstances) -> Void) -> Circumstances {
        var other = base
        change(&other)
        return other
    }

    @Test("is what the same rules made of the same kind and language")
    func reports() {
        #expect(base.obstacles(to: base) == [])
        #expect(base.obstacles(to: changed { $0.rulesVersion = 3 }) == [.rulesDiffer])
        #expect(base.obstacles(to: changed { $0.rulesVersion = nil }) == [.rulesUnknown])
        let unknown = changed { $0.rulesVersion = nil }
        #expect(unknown.obstacles(to: unknown) == [.rulesUnknown])
        #expect(base.obstacles(to: changed { $0.kind = "skinlab" }) == [.kindsDiffer])
        #expect(base.obstacles(to: changed { $0.language = "de" }) == [.languagesDiffer])
        #expect(base.obstacles(to: changed { $0.scenario = "pitch" }) == [])
    }

    @Test("takes what was not named for English, and every English for one")
    func languages() {
        for tag in ["en", "en-GB", "EN-us", "eng", "und", nil] {
            #expect(
                Circumstances(rulesVersion: 4, kind: "mirrormate", tag: tag, scenario: nil, engines: [:]).language
                    == "en")
        }
        #expect(Circumstances(rulesVersion: 4, kind: "a", tag: "pt-BR", scenario: nil, engines: [:]).language == "pt")
    }

    @Test("asks of a measure who measured it, and of the score what was spoken for")
    func measures() throws {
        let all = TrackedMeasure.all(pace: 120...180)
        func obstacles(_ name: String, _ other: Circumstances) -> [Obstacle]? {
            all.first { $0.name == name }.map { base.obstacles(to: other, for: $0) }
        }
        let recognizer = changed { $0.engines["asr"] = "pocketsphinx" }
        #expect(obstacles("paceWordsPerMin", recognizer) == [.enginesDiffer])
        #expect(obstacles("confidenceScore", recognizer) == [.enginesDiffer])
        #expect(obstacles("eyeContactPct", recognizer) == [])
        #expect(obstacles("tonalVariety", recognizer) == [])
        let face = changed { $0.engines["face"] = "other" }
        #expect(obstacles("eyeContactPct", face) == [.enginesDiffer] && obstacles("paceWordsPerMin", face) == [])
        let seen = changed { $0.engines["vision"] = "openai/gpt-4o-mini" }
        #expect(obstacles("confidenceScore", seen) == [.enginesDiffer] && obstacles("eyeContactPct", seen) == [])
        for measure in all {
            #expect(base.obstacles(to: changed { $0.engines["thresholds"] = "4" }, for: measure) == [.enginesDiffer])
            #expect(base.obstacles(to: changed { $0.engines["ffmpeg"] = "6" }, for: measure) == [])
        }
        #expect(obstacles("confidenceScore", changed { $0.scenario = "pitch" }) == [.scenariosDiffer])
        #expect(obstacles("fillersPer100Words", changed { $0.scenario = "pitch" }) == [])
        #expect(base.obstacles(to: recognizer, for: nil) == [.enginesDiffer])
    }
}
