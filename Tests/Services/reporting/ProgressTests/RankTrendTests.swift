import Progress
import Testing

/// By definition: every order of the values is tried.
private func counted(_ values: [Double]) -> (rise: Double, fall: Double) {
    func score(_ values: [Double]) -> Int {
        values.indices.reduce(0) { sum, later in
            (0..<later).reduce(sum) {
                $0 + (values[later] > values[$1] ? 1 : 0) - (values[later] < values[$1] ? 1 : 0)
            }
        }
    }
    let own = score(values)
    var (orders, high, low) = (0, 0, 0)
    func visit(_ taken: [Double], _ left: [Double]) {
        guard !left.isEmpty else {
            let other = score(taken)
            orders += 1
            if other >= own { high += 1 }
            if other <= own { low += 1 }
            return
        }
        for index in left.indices {
            var rest = left
            let value = rest.remove(at: index)
            visit(taken + [value], rest)
        }
    }
    visit([], values)
    return (Double(high) / Double(orders), Double(low) / Double(orders))
}

@Suite("Whether values go one way") struct RankTrendTests {
    @Test(
        "has the chance that trying every order has, also of equal values",
        arguments: [
            [1, 2], [2, 2], [1, 2, 3], [3, 1, 2], [1, 1, 2], [2, 1, 1], [5, 5, 5, 5], [1, 2, 3, 4, 5], [5, 4, 3, 2, 1],
            [1, 2, 2, 3, 3, 3], [3, 1, 4, 1, 5, 9, 2], [2, 7, 1, 8, 2, 8, 1], [0, 0, 0, 1, 0, 0, 2],
            [1, 1, 2, 2, 2, 1, 2],
        ] as [[Double]])
    func exact(values: [Double]) {
        let trend = RankTrend(values)
        let expected = counted(values)
        #expect((trend.chanceOfRise - expected.rise).magnitude < 1e-12)
        #expect((trend.chanceOfFall - expected.fall).magnitude < 1e-12)
    }

    @Test("agrees with what is known of ten values")
    func known() {
        let values: [Double] = [2, 1, 4, 3, 6, 5, 8, 7, 10, 9]
        let trend = RankTrend(values)
        #expect(trend.score == 35)
        // Five pairs are in the wrong order; 1 + 9 + 44 + 155 + 440 + 1,068 of 10! orders have at most so many.
        #expect((trend.chanceOfRise - 1_717 / 3_628_800).magnitude < 1e-12)
        #expect(RankTrend.slope(values) == 1)
    }

    @Test("agrees with an independent implementation, SciPy 1.17.1", arguments: Self.reference)
    func independent(values: [Double], rise: Double, fall: Double, slope: Double) {
        let trend = RankTrend(values)
        #expect((trend.chanceOfRise - rise).magnitude < 1e-12 && (trend.chanceOfFall - fall).magnitude < 1e-12)
        #expect((RankTrend.slope(values) - slope).magnitude < 1e-9)
    }

    /// Of `kendalltau(range(n), values, method="exact")` with each alternative, and of `theilslopes(values, range(n))`.
    private static let reference: [([Double], Double, Double, Double)] = [
        (
            [52.9269, 53.411, 64.6168, 47.1365, 60.3397], 0.4083333333333333, 0.7583333333333333, 1.1686499999999986
        ),
        (
            [46.4635, 66.9058, 61.8174, 69.0379, 58.1749, 63.8892, 60.0847, 57.67], 0.7257936507936508,
            0.3597718253968254, -0.5936624999999998
        ),
        (
            [
                60.8719, 52.7568, 58.472, 65.0796, 61.5452, 59.0383, 74.9368, 62.449, 58.879, 63.6574, 59.8632, 60.9894,
                61.4988,
            ], 0.2176902241919603, 0.8162978581988999, 0.20703333333333315
        ),
        (
            [
                57.4132, 68.0359, 69.6299, 61.092, 58.4885, 65.9, 64.6668, 55.8576, 59.6386, 68.9949, 62.4224, 61.3272,
                64.8748, 63.6989, 64.1851, 52.9166, 75.2959, 66.2967, 60.1403, 71.5772, 67.8532, 66.4058, 72.8881,
                80.4657, 70.5217, 77.0106, 80.7438, 61.9748, 65.2609, 73.3578,
            ], 0.001848747094080835, 0.9983653246862647, 0.4630791666666661
        ),
    ]

    @Test("is a chance of one in 120 for five values that only rise")
    func five() {
        #expect((RankTrend([1, 2, 3, 4, 5]).chanceOfRise - 1 / 120).magnitude < 1e-12)
        #expect((RankTrend([1, 2, 3, 4, 5]).chanceOfFall - 1).magnitude < 1e-12)
    }

    @Test("stays a chance with as many values as are looked at")
    func many() {
        for ties in [1, 2, 3, 7, 15, 30] {
            let values = (0..<Trend.window).map { Double(($0 * 17 % Trend.window) / ties) }
            let trend = RankTrend(values)
            #expect((0...1.000_001).contains(trend.chanceOfRise) && (0...1.000_001).contains(trend.chanceOfFall))
            #expect(trend.chanceOfRise + trend.chanceOfFall >= 0.999_999)
        }
    }

    @Test("has a slope that one odd value does not turn")
    func slope() {
        #expect(RankTrend.slope([1, 2, 3, 4, 5, 6, 100]) == 1)
        #expect(RankTrend.slope([1, 2, 3, -400, 5, 6, 7]) == 1)
        #expect(RankTrend.slope([4]) == 0 && RankTrend.slope([]) == 0)
        #expect(RankTrend.median([3, 1, 2]) == 2 && RankTrend.median([4, 1, 2, 3]) == 2.5)
    }
}
