/// A random number generator that always produces the same numbers for a seed (SplitMix64 by Steele, Lea and Flood).
package struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// A generator for a seed.
    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// True with a probability of `percent` in a hundred.
    package mutating func chance(_ percent: UInt64) -> Bool { next() % 100 < percent }

    /// A random element; nil if there are none.
    package mutating func pick<Element>(_ elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[Int(next() % UInt64(elements.count))]
    }

    /// A number from 0 up to, but not including, `bound`.
    package mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}
