import Progress
import Testing
import TestingSupport
import TestingTools

/// Trends of 2,000 simulated histories against what SciPy makes of the same ones (`Reference/histories.py`).
@Suite("Trends and an independent implementation") struct ReferenceTests {
    private struct Expected {
        let verdict: String
        let rise: Double
        let fall: Double
        let slope: Double

        init(_ line: Substring) throws {
            let parts = line.split(separator: " ")
            try #require(parts.count == 4)
            verdict = String(parts[0])
            rise = try #require(Double(parts[1]))
            fall = try #require(Double(parts[2]))
            slope = try #require(Double(parts[3]))
        }
    }

    /// The history of a seed, made of whole numbers as the script makes it.
    private static func history(_ seed: UInt64) -> [Double] {
        var random = SeededRandom(seed: seed)
        let isCoarse = seed % 4 == 0
        let count = 5 + random.below(26)
        let rise = [0, 0, 1_200, 2_400, -2_400][random.below(5)]
        let spread = [200, 400, 600][random.below(3)]
        return (0..<count).map { index in
            let noise = (0..<4).reduce(0) { sum, _ in sum + random.below(2 * spread + 1) - spread } / 2
            let value = 6_000 + rise * index / (count - 1) + noise
            return isCoarse ? Double(value / 1_000 * 10) : Double(value) / 100
        }
    }

    @Test("agree in chance, slope and verdict on 2,000 simulated histories, with equal values and without")
    func agree() throws {
        let text = try Checkout.text(of: "Tests/Services/reporting/ProgressTests/Reference/histories.txt")
        let lines = text.split(separator: "\n")
        #expect(lines.count == 2_000)
        let score = try #require(TrackedMeasure.all(pace: 120...180).first { $0.name == "confidenceScore" })
        var faults: [String] = []
        for (seed, line) in lines.enumerated() {
            let expected = try Expected(line)
            let values = Self.history(UInt64(seed))
            let trend = RankTrend(values)
            let told = Trend(score, all: values, seen: values)
            // Twelve digits are written.
            let isSame =
                Self.isNear(trend.chanceOfRise, expected.rise) && Self.isNear(trend.chanceOfFall, expected.fall)
                && Self.isNear(RankTrend.slope(values), expected.slope) && told.verdict.rawValue == expected.verdict
            if !isSame { faults.append("seed \(seed): \(trend), \(told), not \(expected)") }
            if faults.count > 5 { break }
        }
        #expect(faults == [])
    }

    private static func isNear(_ left: Double, _ right: Double) -> Bool { (left - right).magnitude < 1e-9 }
}
