import Primitives

/// A short name for a state folder, for things that cannot lie inside it.
enum StateName {
    /// Eight digits that depend on the path.
    static func short(_ path: String) -> String {
        let digits = String(StableHash.fnv1a64(path), radix: 16)
        return String((String(repeating: "0", count: 16 - digits.count) + digits).prefix(8))
    }
}
