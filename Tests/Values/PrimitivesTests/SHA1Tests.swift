import Primitives
import Testing

struct SHA1Tests {
    /// The four tests of RFC 3174, section 7.3, and the empty message.
    @Test(arguments: [
        ("abc", 1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
        ("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1, "84983e441c3bd26ebaae4aa1f95129e5e54670f1"),
        ("a", 1_000_000, "34aa973cd4c4daa4f61eeb2bdbad27316534016f"),
        (
            "0123456701234567012345670123456701234567012345670123456701234567", 10,
            "dea356a2cddd90c7a7ecedc5ebb563934f460452"
        ),
        ("", 1, "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
    ])
    func `a repeated text has its published hash`(text: String, count: Int, hash: String) {
        let message = Array(repeatElement(Array(text.utf8), count: count).joined())
        #expect(Hex.encode(SHA1.digest(message)) == hash)
    }

    @Test func `lengths around the padding's edge give different hashes of twenty bytes`() {
        let hashes = (50...130).map { SHA1.digest([UInt8](repeating: 0, count: $0)) }
        #expect(hashes.allSatisfy { $0.count == 20 })
        #expect(Set(hashes).count == hashes.count)
    }
}
