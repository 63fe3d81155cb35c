import Crypto
import Primitives
import Testing

@Suite struct `An RSA key for RS256` {
    /// RFC 7515, appendix A.2.
    private static let modulus =
        "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMs"
        + "D1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xs"
        + "mtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXp"
        + "oQ"
    private static let signed =
        "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
    private static let signature =
        "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZ"
        + "cAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwu"
        + "sC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77"
        + "Rw"

    @Test func `verifies the example of RFC 7515, and nothing beside it`() throws {
        let key = try RS256PublicKey(jwkN: Self.modulus, jwkE: "AQAB")
        let signature = try #require(Base64URL.decode(Self.signature))
        let message = Array(Self.signed.utf8)
        #expect(key.verify(signature, of: message))
        #expect(key.jwkN == Self.modulus && key.jwkE == "AQAB")
        for place in [0, 100, 255] {
            var other = signature
            other[place] ^= 1
            #expect(!key.verify(other, of: message))
        }
        #expect(!key.verify(signature, of: message.dropLast()))
        #expect(!key.verify([0] + signature, of: message))
        #expect(!key.verify(Array(signature.dropLast()), of: message))
        #expect(!key.verify([], of: message))
    }

    @Test func `signs what its public half verifies, and no other`() throws {
        let (one, other) = (try RS256PrivateKey.generate(), try RS256PrivateKey.generate())
        let signature = try one.sign(Array("hello".utf8))
        #expect(signature.count == 256)
        #expect(one.publicKey.verify(signature, of: Array("hello".utf8)))
        #expect(!other.publicKey.verify(signature, of: Array("hello".utf8)))
        let again = try RS256PublicKey(jwkN: one.publicKey.jwkN, jwkE: one.publicKey.jwkE)
        #expect(again == one.publicKey && again != other.publicKey)
    }

    @Test func `is refused when it is short, long, or none`() throws {
        let good = try #require(Base64URL.decode(Self.modulus))
        let cases: [(modulus: [UInt8], exponent: [UInt8])] = [
            ([], [1, 0, 1]), (good, []), (good, [1]), (good, [2]), (good, [1, 0, 0, 0, 1]), (good, [0, 1, 0, 1]),
            ([0] + good, [1, 0, 1]), (Array(good.dropFirst(128)), [1, 0, 1]), (good.dropLast() + [0xA0], [1, 0, 1]),
            ([0xFF] + [UInt8](repeating: 0xFF, count: 512), [1, 0, 1]),
        ]
        for (index, key) in cases.enumerated() {
            #expect(throws: CryptoError.malformedKey, "\(index)") {
                try RS256PublicKey(modulus: key.modulus, exponent: key.exponent)
            }
        }
        #expect(throws: CryptoError.malformedKey) { try RS256PublicKey(jwkN: "?", jwkE: "AQAB") }
    }
}
