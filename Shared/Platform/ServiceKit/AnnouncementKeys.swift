package import Configuration
package import Contracts
package import Crypto
import Primitives

/// The public halves of identity's announcement keys, as the service was started with them: several while one gives way to
/// the next.
package struct AnnouncementKeys: Sendable {
    /// By their ids, the thumbprints.
    private let keys: [String: ES256PublicKey]

    package init(_ keys: [ES256PublicKey]) {
        self.keys = Dictionary(keys.map { ($0.thumbprint, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Reads `ANNOUNCEMENT_KEYS` or the file of `ANNOUNCEMENT_KEYS_FILE`: blocks `PUBLIC KEY` of PEM. Problems stay in
    /// `environment`.
    ///
    /// - Parameter isNeeded: whether it is a problem that there are none.
    package init(_ environment: Environment, isNeeded: Bool) {
        guard let text = environment.optionalSecret("ANNOUNCEMENT_KEYS")?.reveal() else {
            if isNeeded {
                environment.refuse(
                    "ANNOUNCEMENT_KEYS",
                    "is missing: name the file with the public halves of identity's announcement keys in "
                        + "ANNOUNCEMENT_KEYS_FILE. `infra/announcement-key` makes them (docs/operations.md).")
            }
            self.init([])
            return
        }
        do throws(CryptoError) {
            let keys = try ES256PublicKey.keys(pem: text)
            if keys.isEmpty { throw .malformedKey }
            self.init(keys)
        } catch {
            environment.refuse(
                "ANNOUNCEMENT_KEYS",
                "must hold one or more blocks `PUBLIC KEY` of P-256 keys, as `infra/announcement-key` writes them.")
            self.init([])
        }
    }

    /// Whether there is none, so that nothing signed is believed.
    package var isEmpty: Bool { keys.isEmpty }

    /// Whether a key is one of them.
    package func holds(_ key: ES256PublicKey) -> Bool { keys[key.thumbprint] != nil }

    /// Whether the signature is that of one of the keys over the content.
    ///
    /// - Parameter signature: the header ``MessageHeaders/signature``.
    package func verifies(_ signature: String, of content: AnnouncementContent) -> Bool {
        let parts = signature.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let key = keys[String(parts[0])], let bytes = Base64URL.decode(parts[1]) else {
            return false
        }
        return key.verify(bytes, of: content.bytes)
    }
}

/// The private half of the announcement key, which identity alone holds.
///
/// | Variable | Type | Default | Meaning |
/// |---|---|---|---|
/// | `ANNOUNCEMENT_KEY` | secret | none | identity alone, and needed there: the private announcement key, PEM |
package struct AnnouncementSigner: Sendable {
    private let key: ES256PrivateKey

    package init(_ key: ES256PrivateKey) { self.key = key }

    /// Reads `ANNOUNCEMENT_KEY` or the file of `ANNOUNCEMENT_KEY_FILE`: blocks `PRIVATE KEY` of PEM, of which the first signs
    /// and a second one is the next. Problems stay in `environment`; nil then.
    ///
    /// - Parameter keys: the public halves that all services have, where they are known: a key that is not among them would be
    ///   believed by nobody.
    package init?(_ environment: Environment, among keys: AnnouncementKeys? = nil) {
        guard let text = environment.optionalSecret("ANNOUNCEMENT_KEY")?.reveal() else {
            environment.refuse(
                "ANNOUNCEMENT_KEY",
                "is missing: name the file with the private announcement key in ANNOUNCEMENT_KEY_FILE. "
                    + "`infra/announcement-key` makes it (docs/operations.md).")
            return nil
        }
        do throws(CryptoError) {
            let own = try ES256PrivateKey.keys(pem: text)
            guard let first = own.first, own.count <= 2 else { throw .malformedKey }
            if let keys, !own.allSatisfy({ keys.holds($0.publicKey) }) {
                environment.refuse(
                    "ANNOUNCEMENT_KEY",
                    "has a public half that is not in ANNOUNCEMENT_KEYS; every service must have it before it signs.")
                return nil
            }
            key = first
        } catch {
            environment.refuse(
                "ANNOUNCEMENT_KEY",
                "must hold one block `PRIVATE KEY` of a P-256 key, or two: the one that signs, then the next.")
            return nil
        }
    }

    /// The key's id: its thumbprint (RFC 7638).
    package var id: String { key.publicKey.thumbprint }

    /// Signs announcements.
    package var seal: AnnouncementSeal {
        { [key] content in
            (try? key.sign(content.bytes)).map { key.publicKey.thumbprint + "." + Base64URL.encode($0) }
        }
    }
}
