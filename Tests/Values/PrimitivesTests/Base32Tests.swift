import Primitives
import Testing

@Suite struct `Base 32` {
    /// RFC 4648, section 10, without padding.
    @Test(arguments: [
        ("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"), ("fooba", "MZXW6YTB"),
        ("foobar", "MZXW6YTBOI"),
    ])
    func `is that of the standard, in either case`(text: String, digits: String) {
        #expect(Base32.encode(Array(text.utf8)) == digits)
        #expect(Base32.decode(digits) == Array(text.utf8))
        #expect(Base32.decode(digits.lowercased()) == Array(text.utf8))
    }

    @Test(arguments: ["M", "MZ1Q", "MZ=", "MR", "MZXW6YTBO", "ÄÄ"]) func `refuses what no bytes have`(text: String) {
        #expect(Base32.decode(text) == nil)
    }
}
