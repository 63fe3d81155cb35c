/// Lengths of streaks that are worth telling.
package enum Milestones {
    /// In days, the smallest first.
    package static let all: [Int64] = [7, 14, 21, 28, 30, 60, 90, 180, 365]

    /// Those that a streak of so many days has reached.
    package static func reached(by days: Int64) -> [Int64] { all.filter { $0 <= days } }

    /// The next one for somebody whose longest streak has so many days; nil behind the last.
    package static func next(after days: Int64) -> Int64? { all.first { $0 > days } }
}
