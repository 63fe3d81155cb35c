import Crypto
import Primitives
import Testing

struct HashTests {
    /// FIPS 180-4 examples: one block, two blocks, a million letters, and the empty message.
    @Test(arguments: [
        ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        ("a", 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
        ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ])
    func `SHA-256 has its published values`(text: String, count: Int, hash: String) {
        let message = Array(repeatElement(Array(text.utf8), count: count).joined())
        #expect(Hex.encode(SHA256.digest(message)) == hash)
    }

    @Test func `SHA-256 piece by piece is the hash of the whole`() {
        let message = (0..<1_000).map { UInt8(truncatingIfNeeded: $0) }
        var hash = SHA256()
        hash.update(message[..<1])
        hash.update([])
        hash.update(message[1..<700])
        hash.update(message[700...].lazy.map { $0 })
        #expect(hash.finalize() == SHA256.digest(message))
    }

    /// RFC 4231, test cases 1, 2, 3, 4, 6 and 7.
    @Test(arguments: [
        (
            String(repeating: "0b", count: 20), Hex.encode("Hi There".utf8),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Hex.encode("Jefe".utf8), Hex.encode("what do ya want for nothing?".utf8),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            String(repeating: "aa", count: 20), String(repeating: "dd", count: 50),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
        ),
        (
            "0102030405060708090a0b0c0d0e0f10111213141516171819", String(repeating: "cd", count: 50),
            "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
        ),
        (
            String(repeating: "aa", count: 131),
            Hex.encode("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
        (
            String(repeating: "aa", count: 131),
            Hex.encode(
                ("This is a test using a larger than block-size key and a larger than block-size data. "
                    + "The key needs to be hashed before being used by the HMAC algorithm.").utf8),
            "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
        ),
    ])
    func `HMAC-SHA-256 has its published values`(key: String, message: String, tag: String) throws {
        let key = try #require(Hex.decode(key))
        let message = try #require(Hex.decode(message))
        var expected = try #require(Hex.decode(tag))
        #expect(HMACSHA256.authenticate(message, key: key) == expected)
        #expect(HMACSHA256.verify(expected, message: message, key: key))
        expected[31] ^= 1
        #expect(!HMACSHA256.verify(expected, message: message, key: key))
        #expect(!HMACSHA256.verify(Array(expected.dropLast()), message: message, key: key))
    }

    @Test func `HMAC takes an empty key and an empty message`() {
        let tag = HMACSHA256.authenticate([], key: [])
        #expect(Hex.encode(tag) == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
    }

    @Test func `random bytes have the length asked for and do not repeat`() {
        #expect(SecureRandom.bytes(0).isEmpty)
        #expect(Set((0..<100).map { _ in SecureRandom.bytes(16) }).count == 100)
    }
}
