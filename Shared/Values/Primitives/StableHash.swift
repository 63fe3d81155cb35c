/// Hashes that are the same in every process, on every machine and in every release, unlike `Hasher`.
///
/// They spread keys over partitions and advisory locks; they do not resist attacks.
package enum StableHash {
    /// The 64-bit FNV-1a hash of some bytes (draft-eastlake-fnv).
    package static func fnv1a64(_ bytes: some Sequence<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes {
            hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        }
        return hash
    }

    /// The 64-bit FNV-1a hash of a string's UTF-8 bytes.
    package static func fnv1a64(_ text: String) -> UInt64 {
        fnv1a64(text.utf8)
    }
}
