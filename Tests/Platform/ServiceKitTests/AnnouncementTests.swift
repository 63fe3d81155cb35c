import Configuration
import Contracts
import Crypto
import Primitives
import ServiceKit
import Testing

@Suite struct `An announcement` {
    private static let content = AnnouncementContent(
        type: UserErasedV2.type, key: "af2de4ad-5abe-56f0-967c-43cce854a633",
        id: UUID("565863a3-1222-59bf-84ff-b3cfaf188e22")!, incarnation: UUID("e6433c19-878b-5486-8247-e9340eafebb4")!,
        position: 1207, value: Array(#"{"userId":"af2de4ad-5abe-56f0-967c-43cce854a633"}"#.utf8))

    private func keys(_ text: String?) throws(ConfigurationError) -> AnnouncementKeys {
        let environment = Environment(text.map { ["ANNOUNCEMENT_KEYS": $0] } ?? [:])
        let keys = AnnouncementKeys(environment, isNeeded: true)
        try environment.finish()
        return keys
    }

    @Test func `has one canonical form`() {
        #expect(
            String(decoding: Self.content.bytes, as: UTF8.self) == """
                mirrormate announcement 1
                mirrormate.identity.UserErased.v2
                /mirrormate/identity
                af2de4ad-5abe-56f0-967c-43cce854a633
                565863a3-1222-59bf-84ff-b3cfaf188e22
                e6433c19-878b-5486-8247-e9340eafebb4
                1207
                {"userId":"af2de4ad-5abe-56f0-967c-43cce854a633"}
                """)
    }

    /// Made with `openssl dgst -sha256 -sign` over the form above.
    @Test func `is verified as other programs sign it`() throws {
        let keys = try keys(Self.publicKey)
        #expect(keys.verifies(Self.signature, of: Self.content))
    }

    @Test func `is bound to its type, key, event, store, position and value`() throws {
        let key = try ES256PrivateKey.generate()
        let keys = AnnouncementKeys([key.publicKey])
        let content = Self.content
        let signature = try #require(AnnouncementSigner(key).seal(content))
        #expect(keys.verifies(signature, of: content))
        let others = [
            AnnouncementContent(
                type: SigningKeyRetiredV2.type, key: content.key, id: content.id, incarnation: content.incarnation,
                position: content.position, value: content.value),
            AnnouncementContent(
                type: content.type, key: "system", id: content.id, incarnation: content.incarnation,
                position: content.position, value: content.value),
            AnnouncementContent(
                type: content.type, key: content.key, id: .v4(), incarnation: content.incarnation,
                position: content.position, value: content.value),
            AnnouncementContent(
                type: content.type, key: content.key, id: content.id, incarnation: .v4(), position: content.position,
                value: content.value),
            AnnouncementContent(
                type: content.type, key: content.key, id: content.id, incarnation: content.incarnation,
                position: content.position + 1, value: content.value),
            AnnouncementContent(
                type: content.type, key: content.key, id: content.id, incarnation: content.incarnation,
                position: content.position, value: Array(#"{"userId":"other"}"#.utf8)),
        ]
        for other in others { #expect(!keys.verifies(signature, of: other)) }
        for nonsense in ["", ".", "a.b", signature + ".", "." + signature, String(signature.dropLast(4))] {
            #expect(!keys.verifies(nonsense, of: content))
        }
    }

    @Test func `is believed with any of several keys, as when one gives way to the next`() throws {
        let (old, next, stranger) = (
            try ES256PrivateKey.generate(), try ES256PrivateKey.generate(), try ES256PrivateKey.generate()
        )
        let both = try keys("the old one\n\(old.publicKey.pem)\nthe next one\n\(next.publicKey.pem)")
        let after = try keys(next.publicKey.pem)
        let ofOld = try #require(AnnouncementSigner(old).seal(Self.content))
        let ofNext = try #require(AnnouncementSigner(next).seal(Self.content))
        let ofStranger = try #require(AnnouncementSigner(stranger).seal(Self.content))
        #expect(both.verifies(ofOld, of: Self.content) && both.verifies(ofNext, of: Self.content))
        #expect(!after.verifies(ofOld, of: Self.content) && after.verifies(ofNext, of: Self.content))
        #expect(!both.verifies(ofStranger, of: Self.content))
    }

    @Test func `needs public keys, and a service without them says where they come from`() throws {
        let missing = #expect(throws: ConfigurationError.self) { try keys(nil) }
        #expect(missing?.problems.count == 1)
        #expect(missing?.description.contains("infra/announcement-key") == true)
        for wrong in try ["not a key, though it is long enough", "-----BEGIN PUBLIC KEY-----\nAAAA", Self.privateKey()]
        {
            let error = #expect(throws: ConfigurationError.self) { try keys(wrong) }
            #expect(error?.problems.allSatisfy { $0.hasPrefix("ANNOUNCEMENT_KEYS ") } == true)
        }
    }

    @Test func `is signed by the first of two keys, and by none that services do not know`() throws {
        let (first, next) = (try ES256PrivateKey.generate(), try ES256PrivateKey.generate())
        func signer(_ own: [ES256PrivateKey], known: [ES256PrivateKey]) throws -> AnnouncementSigner? {
            let environment = Environment(["ANNOUNCEMENT_KEY": try own.map { try $0.pem() }.joined()])
            let signer = AnnouncementSigner(environment, among: AnnouncementKeys(known.map(\.publicKey)))
            try environment.finish()
            return signer
        }
        #expect(try signer([first, next], known: [next, first])?.id == first.publicKey.thumbprint)
        #expect(throws: ConfigurationError.self) { try signer([first, next], known: [first]) }
        #expect(throws: ConfigurationError.self) { try signer([first], known: []) }
        #expect(throws: ConfigurationError.self) { try signer([first, next, first], known: [first, next]) }
        #expect(throws: ConfigurationError.self) { try signer([], known: [first]) }
    }

    private static func privateKey() throws -> String { try ES256PrivateKey.generate().pem() }

    private static let publicKey = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE8D8F8tEgnqvk1JLyMUy8f1HdbhV8
        lZfSxJ/rwdPuO4lCW237A9L7K7kbberF1ow+LqmnpT+JImjJFt9tyB8ejA==
        -----END PUBLIC KEY-----
        """
    private static let signature =
        "2JYakR7MmykSdfMeShtL1SL5i_Zjt9mguY64oSY7N9I."
        + "v9OVixzPk6loJRfQ-0ogKREN0_rw7oUFsLWCMSIsyVl6W55KqdPdwB0kn5a-YpZOmuyic77pbFzthrt00YXxog"
}
