import Crypto
import Testing

@Suite struct `Keys as text` {
    @Test func `come back, several in their order, with comments between them`() throws {
        let (one, two) = (try ES256PrivateKey.generate(), try ES256PrivateKey.generate())
        let text = "one\n" + (try one.pem()) + "\ntwo\n" + (try two.pem())
        #expect(try ES256PrivateKey.keys(pem: text).map(\.publicKey) == [one.publicKey, two.publicKey])
        let open = one.publicKey.pem + two.publicKey.pem
        #expect(try ES256PublicKey.keys(pem: open) == [one.publicKey, two.publicKey])
        #expect(try ES256PublicKey.keys(pem: open.replacing("\n", with: "\r\n")) == [one.publicKey, two.publicKey])
        #expect(try ES256PublicKey.keys(pem: text).isEmpty)
        #expect(try ES256PrivateKey.keys(pem: "").isEmpty)
    }

    @Test(arguments: [
        "-----BEGIN PUBLIC KEY-----\nAAAA\n", "-----BEGIN PUBLIC KEY-----\n!\n-----END PUBLIC KEY-----\n",
        "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n", "-----END PUBLIC KEY-----\n",
        "-----BEGIN PUBLIC KEY-----\n-----BEGIN PUBLIC KEY-----\n",
    ])
    func `are refused when they are cut short or no keys`(text: String) {
        #expect(throws: CryptoError.malformedKey) { try ES256PublicKey.keys(pem: text) }
    }
}
