import Configuration
import Crypto
import Primitives
import ServiceKit
import Testing

@Suite("The gateway's key") struct GatewayKeyTests {
    private let hash = Hex.encode(SHA256.digest("the key".utf8))

    @Test("is known by its hash alone")
    func fits() throws {
        let key = try #require(GatewayKey(hash: hash))
        #expect(key.fits("the key"))
        for other in ["", "the Key", "the key ", hash] { #expect(!key.fits(other)) }
    }

    @Test("is no hash that cannot be one", arguments: ["", "the key", String(repeating: "0", count: 63), "é"])
    func noHash(_ text: String) { #expect(GatewayKey(hash: text) == nil) }

    @Test("is nobody's without a setting, and a wrong setting is named")
    func settings() throws {
        #expect(GatewayKey.read(Environment([:])) == nil)
        let right = Environment(["GATEWAY_KEY_HASH": hash])
        #expect(GatewayKey.read(right) != nil)
        try right.finish()
        let wrong = Environment(["GATEWAY_KEY_HASH": String(repeating: "key-", count: 16)])
        #expect(GatewayKey.read(wrong) == nil)
        #expect(throws: (any Error).self) { try wrong.finish() }
    }
}
