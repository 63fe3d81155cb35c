/// Whether values go one way over time: the Mann-Kendall test with its exact distribution.
///
/// The test counts for how many pairs the later value is higher and for how many it is lower. It asks nothing of the values but
/// their order, so a single odd recording weighs little. The chance is exact also with equal values: every order of these
/// values is taken as equally likely.
package struct RankTrend: Sendable, Equatable {
    /// Pairs of which the later is higher, less those of which it is lower.
    package let score: Int
    /// How likely so high a score is where nothing changes, and how likely so low a one: 0 to 1.
    package let chanceOfRise: Double
    package let chanceOfFall: Double

    /// - Parameter values: the oldest first.
    package init(_ values: [Double]) {
        var score = 0
        var untied = 0
        for later in values.indices {
            for earlier in 0..<later {
                let change = values[later] - values[earlier]
                if change != 0 { untied += 1 }
                score += change > 0 ? 1 : change < 0 ? -1 : 0
            }
        }
        self.score = score
        // Of the untied pairs so many are in the wrong order for a rise: score = untied - 2 × inversions.
        let chances = Self.inversions(ofTies: Self.ties(values))
        let inversions = (untied - score) / 2
        chanceOfRise = chances.prefix(inversions + 1).reduce(0, +)
        chanceOfFall = chances.dropFirst(inversions).reduce(0, +)
    }

    /// How many values are equal, for each value.
    private static func ties(_ values: [Double]) -> [Int] {
        var counts: [Int] = []
        var last: Double?
        for value in values.sorted() {
            if value == last { counts[counts.count - 1] += 1 } else { counts.append(1) }
            last = value
        }
        return counts
    }

    /// How likely each number of inversions is in a random order of values that come so often each. Values join one group after another:
    /// where a group of t lies among m others, its inversions have the chances of a q-binomial.
    private static func inversions(ofTies ties: [Int]) -> [Double] {
        var chances = [1.0]
        var placed = 0
        for size in ties {
            chances = size == 1 ? spread(chances, over: placed + 1) : product(chances, group(of: size, among: placed))
            placed += size
        }
        return chances
    }

    /// With a single value that takes any of so many places: each number of further inversions is equally likely.
    private static func spread(_ chances: [Double], over count: Int) -> [Double] {
        var sum = 0.0
        return (0..<(chances.count + count - 1)).map { index in
            if index < chances.count { sum += chances[index] }
            if index >= count { sum -= chances[index - count] }
            return max(sum, 0) / Double(count)
        }
    }

    /// The chances of the inversions between a group of equal values and so many others, by Pascal's rule: the last place is one of the
    /// group's, or one of the others', before which the whole group lies.
    private static func group(of size: Int, among others: Int) -> [Double] {
        // rows[m]: the group has the size of the step, among m others.
        var rows = Array(repeating: [1.0], count: others + 1)
        for step in 1...max(size, 1) where size > 0 {
            for m in 0...others where m > 0 {
                let share = Double(step) / Double(step + m)
                var next = Array(repeating: 0.0, count: step * m + 1)
                for index in rows[m].indices { next[index] += share * rows[m][index] }
                for index in rows[m - 1].indices { next[index + step] += (1 - share) * rows[m - 1][index] }
                rows[m] = next
            }
        }
        return rows[others]
    }

    private static func product(_ left: [Double], _ right: [Double]) -> [Double] {
        var sums = Array(repeating: 0.0, count: left.count + right.count - 1)
        for i in left.indices { for j in right.indices { sums[i + j] += left[i] * right[j] } }
        return sums
    }

    /// The Theil-Sen slope: the median of the slopes of all pairs, from one value to the next; 0 of fewer than two values.
    package static func slope(_ values: [Double]) -> Double {
        var slopes: [Double] = []
        slopes.reserveCapacity(values.count * max(values.count - 1, 0) / 2)
        for later in values.indices {
            for earlier in 0..<later { slopes.append((values[later] - values[earlier]) / Double(later - earlier)) }
        }
        return median(slopes)
    }

    /// The middle value, or the mean of the two; 0 of none.
    package static func median(_ values: [Double]) -> Double {
        guard !values.isEmpty else { return 0 }
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}
