/// How much one JSON document may hold.
package struct JSONLimits: Sendable {
    /// How deep arrays and objects may lie in each other.
    package var depth: Int
    /// How many values there may be in all: members, elements and what holds them.
    package var values: Int

    /// What this system writes itself: deep enough for all of it, and as many values as there are.
    package static let own = JSONLimits(depth: 64, values: .max)

    /// What strangers send: reading it takes a few milliseconds at most, whatever they make of their bytes.
    package static let foreign = JSONLimits(depth: 16, values: 1_000)

    package init(depth: Int, values: Int) {
        self.depth = depth
        self.values = values
    }
}
