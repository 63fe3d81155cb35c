import Primitives
import Testing

struct EncodingTests {
    /// RFC 4648, section 10.
    static let published = [
        ("", "", ""), ("f", "Zg==", "66"), ("fo", "Zm8=", "666f"), ("foo", "Zm9v", "666f6f"),
        ("foob", "Zm9vYg==", "666f6f62"), ("fooba", "Zm9vYmE=", "666f6f6261"), ("foobar", "Zm9vYmFy", "666f6f626172"),
    ]

    @Test(arguments: published)
    func `the vectors of RFC 4648 hold in both directions`(plain: String, base64: String, hex: String) {
        let bytes = Array(plain.utf8)
        let unpadded = String(base64.prefix { $0 != "=" })
        #expect(Base64.encode(bytes) == base64)
        #expect(Base64.decode(base64) == bytes)
        #expect(Base64URL.encode(bytes) == unpadded)
        #expect(Base64URL.decode(unpadded) == bytes)
        #expect(Hex.encode(bytes) == hex)
        #expect(Hex.decode(hex.uppercased()) == bytes)
    }

    @Test func `every byte value comes back from every encoding`() {
        for count in 0..<5 {
            let bytes = Array((0...255).map { UInt8($0) }.dropLast(count))
            #expect(Base64.decode(Base64.encode(bytes)) == bytes)
            #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
            #expect(Hex.decode(Hex.encode(bytes)) == bytes)
        }
    }

    @Test func `the two alphabets differ in their last two characters`() {
        #expect(Base64.encode([0xFB, 0xFF]) == "+/8=")
        #expect(Base64URL.encode([0xFB, 0xFF]) == "-_8")
        #expect(Base64.decode("-_8=") == nil)
        #expect(Base64URL.decode("+/8") == nil)
    }

    @Test(arguments: [
        "Zg", "Zg=", "Zg===", "=", "====", "Z===", "Zm9v====", "Zg==Zg==", "Zh==", "Zm9=", "Zm 9v", "Zm9v\n",
    ])
    func `padded base 64 is strict`(text: String) {
        #expect(Base64.decode(text) == nil)
    }

    @Test(arguments: ["Zg==", "Z", "Zm9vY", "Zh", "Zm9", "Zm9v ", "Zm9\u{E9}"])
    func `unpadded base 64 is strict`(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test(arguments: ["0", "0g", "0x00", " 00", "000"])
    func `base 16 is strict`(text: String) {
        #expect(Hex.decode(text) == nil)
    }

    /// The vectors of draft-eastlake-fnv, appendix C, and one key as this system uses them.
    @Test(arguments: [
        ("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8 as UInt64),
    ])
    func `the stable hash has its published values`(text: String, hash: UInt64) {
        #expect(StableHash.fnv1a64(text) == hash)
        #expect(StableHash.fnv1a64(Array(text.utf8)) == hash)
    }
}
