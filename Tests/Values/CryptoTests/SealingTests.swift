import Crypto
import Primitives
import Testing

struct SealingTests {
    private let key = [UInt8](repeating: 7, count: 32)

    @Test(arguments: [0, 1, 15, 16, 17, 1_000])
    func `sealed bytes open to what they were`(count: Int) throws {
        let plaintext = SecureRandom.bytes(count)
        let sealed = try AESGCM.seal(plaintext, key: key, associatedData: [1, 2])
        #expect(sealed.count == count + 28)
        #expect(try AESGCM.open(sealed, key: key, associatedData: [1, 2]) == plaintext)
    }

    @Test func `any changed byte, another key or other associated data is noticed`() throws {
        let sealed = try AESGCM.seal(Array("secret".utf8), key: key, associatedData: [1])
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(throws: CryptoError.notAuthentic) { try AESGCM.open(changed, key: key, associatedData: [1]) }
        }
        let otherKey = [UInt8](repeating: 8, count: 32)
        #expect(throws: CryptoError.notAuthentic) { try AESGCM.open(sealed, key: otherKey, associatedData: [1]) }
        #expect(throws: CryptoError.notAuthentic) { try AESGCM.open(sealed, key: key, associatedData: [2]) }
        #expect(throws: CryptoError.notAuthentic) { try AESGCM.open(sealed, key: key) }
        for count in [0, 27, sealed.count - 1] {
            let cut = Array(sealed.prefix(count))
            #expect(throws: CryptoError.notAuthentic) { try AESGCM.open(cut, key: key, associatedData: [1]) }
        }
    }

    @Test func `the same bytes are never sealed twice the same way`() throws {
        let sealed = try (0..<100).map { _ in try AESGCM.seal([1, 2, 3], key: key) }
        #expect(Set(sealed).count == 100)
    }

    /// Test case 16 of the GCM specification (McGrew and Viega): 256-bit key, associated data, partial last block.
    @Test func `the published cipher text opens to the published plain text`() throws {
        let key = try #require(Hex.decode("feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308"))
        let sealed = try #require(
            Hex.decode(
                "cafebabefacedbaddecaf888"
                    + "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
                    + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662"
                    + "76fc6ece0f4e1768cddf8853bb2d551b"))
        let associated = try #require(Hex.decode("feedfacedeadbeeffeedfacedeadbeefabaddad2"))
        let plaintext = try AESGCM.open(sealed, key: key, associatedData: associated)
        #expect(
            Hex.encode(plaintext) == "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39")
    }

    @Test func `a key of another length is refused`() {
        #expect(throws: CryptoError.malformedKey) { try AESGCM.seal([1], key: [1, 2, 3]) }
    }
}
