import Configuration
import Contracts
import Crypto
import Primitives
import ServiceKit
import Testing

@Suite("A key that is known by its hash") struct KeyHashTests {
    private let hash = Hex.encode(SHA256.digest("the key".utf8))

    @Test("fits what it was made of, and nothing else")
    func fits() throws {
        let key = try #require(KeyHash(hash))
        #expect(key.fits("the key"))
        for other in ["", "the Key", "the key ", hash] { #expect(!key.fits(other)) }
    }

    @Test("is no hash that cannot be one", arguments: ["", "the key", String(repeating: "0", count: 63), "é"])
    func noHash(_ text: String) { #expect(KeyHash(text) == nil) }

    @Test("is nobody's without a setting, and a wrong setting is named")
    func settings() throws {
        let name = "GATEWAY_KEY_HASH"
        #expect(KeyHash.read(name, of: "the gateway's key", Environment([:])) == nil)
        let right = Environment([name: hash])
        #expect(KeyHash.read(name, of: "the gateway's key", right) != nil)
        try right.finish()
        let wrong = Environment([name: String(repeating: "key-", count: 16)])
        #expect(KeyHash.read(name, of: "the gateway's key", wrong) == nil)
        #expect(throws: (any Error).self) { try wrong.finish() }
    }

    @Test("stands in the settings of a service, which refuse the operators' key itself")
    func operatorKey() throws {
        let settings = [
            "DATABASE_HOST": "localhost", "DATABASE_PASSWORD": "0123456789abcdef",
            "KAFKA_BOOTSTRAP_SERVERS": "localhost:1",
        ]
        func problems(_ more: [String: String]) -> (settings: ServiceSettings, problems: [String]) {
            let environment = Environment(settings.merging(more) { $1 })
            let read = ServiceSettings(.quota, environment)
            do throws(ConfigurationError) {
                try environment.finish()
                return (read, [])
            } catch {
                return (read, error.problems)
            }
        }
        let known = problems(["OPERATOR_KEY_HASH": hash])
        #expect(known.problems == [] && known.settings.operatorKey?.fits("the key") == true)
        #expect(problems([:]).settings.operatorKey == nil)
        for name in ["OPERATOR_KEY", "OPERATOR_KEY_FILE"] {
            let old = problems([name: "0123456789abcdef"])
            #expect(old.problems.count == 1 && old.settings.operatorKey == nil)
            #expect(old.problems.first?.contains("set OPERATOR_KEY_HASH") == true)
        }
    }
}
