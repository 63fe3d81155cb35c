import Crypto
import Primitives
import Testing

struct SignatureTests {
    /// RFC 7515, appendix A.3.
    static let publishedX = "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"
    static let publishedY = "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"
    static let publishedInput =
        "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQog"
        + "Imh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
    static let publishedSignature =
        "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"

    @Test func `the signature of RFC 7515 verifies, and no changed bit of it or of its message does`() throws {
        let key = try ES256PublicKey(jwkX: Self.publishedX, jwkY: Self.publishedY)
        let message = Array(Self.publishedInput.utf8)
        let signature = try #require(Base64URL.decode(Self.publishedSignature))
        #expect(key.verify(signature, of: message))
        #expect(key.jwkX == Self.publishedX && key.jwkY == Self.publishedY)
        for index in signature.indices {
            var changed = signature
            changed[index] ^= 0x10
            #expect(!key.verify(changed, of: message))
        }
        #expect(!key.verify(signature, of: message + [0]))
        #expect(!key.verify(Array(signature.dropLast()), of: message))
        #expect(!key.verify([], of: message))
        #expect(!key.verify([UInt8](repeating: 0, count: 64), of: message))
        #expect(!key.verify([UInt8](repeating: 0xFF, count: 64), of: message))
    }

    /// The key of RFC 9449, section 4.1, with its thumbprint of section 6.1.
    @Test func `the thumbprint of a key is the published one`() throws {
        let key = try ES256PublicKey(
            jwkX: "l8tFrhx-34tV3hRICRDY9zCkDlpBhF42UQUfWVAWBFs", jwkY: "9VE4jf_Ok_o64zbTTlcuNJajHmt6v9TDVrU0CdvGRDA")
        #expect(key.thumbprint == "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I")
    }

    @Test func `a new key signs what its public half verifies, differently each time`() throws {
        let key = try ES256PrivateKey.generate()
        let other = try ES256PrivateKey.generate()
        let message = Array("message".utf8)
        let signatures = try (0..<50).map { _ in try key.sign(message) }
        #expect(signatures.allSatisfy { $0.count == 64 && key.publicKey.verify($0, of: message) })
        #expect(signatures.allSatisfy { !other.publicKey.verify($0, of: message) })
        #expect(Set(signatures).count == signatures.count)
        #expect(key.publicKey != other.publicKey)
    }

    @Test func `a key comes back from its PKCS 8 bytes`() throws {
        let key = try ES256PrivateKey.generate()
        let bytes = try key.pkcs8()
        let copy = try ES256PrivateKey(pkcs8: bytes)
        #expect(copy.publicKey == key.publicKey)
        #expect(key.publicKey.verify(try copy.sign([1, 2, 3]), of: [1, 2, 3]))
        #expect(throws: CryptoError.malformedKey) { try ES256PrivateKey(pkcs8: bytes + [0]) }
        #expect(throws: CryptoError.malformedKey) { try ES256PrivateKey(pkcs8: Array(bytes.dropLast())) }
        #expect(throws: CryptoError.malformedKey) { try ES256PrivateKey(pkcs8: []) }
    }

    /// PKCS 8 structures of the private key 1, whose public point is the curve's generator: one on P-256, one on P-384.
    @Test func `a private key is read on its own curve and refused on another`() throws {
        let zeros = [UInt8](repeating: 0, count: 47)
        let ours = try #require(Hex.decode("3041020100301306072a8648ce3d020106082a8648ce3d030107042730250201010420"))
        let key = try ES256PrivateKey(pkcs8: ours + zeros.prefix(31) + [1])
        #expect(
            Hex.encode(key.publicKey.x) == "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296")
        let other = try #require(Hex.decode("304e020100301006072a8648ce3d020106052b81040022043730350201010430"))
        #expect(throws: CryptoError.malformedKey) { try ES256PrivateKey(pkcs8: other + zeros + [1]) }
    }

    @Test func `a point that is not on the curve is refused`() {
        let zeros = [UInt8](repeating: 0, count: 32)
        #expect(throws: CryptoError.malformedKey) { try ES256PublicKey(x: zeros, y: zeros) }
        #expect(throws: CryptoError.malformedKey) { try ES256PublicKey(x: [1], y: [2]) }
        #expect(throws: CryptoError.malformedKey) {
            try ES256PublicKey(jwkX: Self.publishedX, jwkY: Self.publishedX)
        }
        #expect(throws: CryptoError.malformedKey) {
            try ES256PublicKey(jwkX: Self.publishedX + "=", jwkY: Self.publishedY)
        }
    }

    @Test func `a private key prints nothing but its public thumbprint`() throws {
        let key = try ES256PrivateKey.generate()
        #expect("\(key)" == "ES256PrivateKey(\(key.publicKey.thumbprint))")
    }
}
