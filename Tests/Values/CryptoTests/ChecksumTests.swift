import Crypto
import Primitives
import Testing

@Suite struct `A checksum` {
    /// FIPS 180-4's own example.
    @Test(arguments: [
        (Checksum.Algorithm.sha1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
        (.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ])
    func `is the same however its message comes`(algorithm: Checksum.Algorithm, hash: String) {
        for pieces in [["abc"], ["a", "bc"], ["", "ab", "", "c"]] {
            let checksum = Checksum(algorithm)
            for piece in pieces { checksum.update(Array(piece.utf8)) }
            let bytes = checksum.finish()
            #expect(Hex.encode(bytes) == hash && bytes.count == algorithm.length)
        }
    }
}
