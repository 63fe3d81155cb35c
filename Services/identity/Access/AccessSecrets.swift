package import Configuration
package import Crypto
import Primitives

/// The keys that follow from `KEY_ENCRYPTION_KEY`, one for each purpose: those that seal, and those that are sealed.
///
/// What authenticates tokens, codes and devices must outlive a change of `KEY_ENCRYPTION_KEY`. So these keys are rows,
/// sealed like the signing keys (``KeptKeys``). They begin as the values that follow from the key with which everything was
/// sealed before there were such rows.
package struct AccessSecrets: Sendable {
    /// Seals private signing keys.
    package let sealing: SealingKeys
    /// Seals the secrets of second factors.
    package let secondFactors: SealingKeys
    /// Seals tokens that providers of identities gave for a user.
    package let providerTokens: SealingKeys
    /// Seals the keys below.
    let kept: SealingKeys
    private let keys: [[UInt8]]
    /// Authenticate refresh tokens.
    package let refresh: AuthenticationKeys
    /// Authenticate mailed codes.
    package let codes: AuthenticationKeys
    /// Hashes device ids and makes device secrets.
    package let device: [UInt8]
    /// Authenticate the marks of devices that signed in before.
    package let knownDevices: AuthenticationKeys
    /// Authenticate tickets of sign-ins.
    package let tickets: AuthenticationKeys
    /// Sign the addresses of erasure receipts.
    package let receipts: AuthenticationKeys
    /// Hashes the subjects that providers know people by.
    package let identities: [UInt8]
    /// Authenticate nonces of sign-ins with another provider.
    package let nonces: AuthenticationKeys
    /// Hash what may not be read back: addresses in rate limits and in ids of commands. Only the present one counts.
    package let blind: AuthenticationKeys

    /// What is made with keys that can be changed, because it ends by itself. The raw values are durable: rows have these names, and
    /// the command `change-secret` takes them.
    package enum Changeable: String, Sendable, CaseIterable {
        case refresh = "refresh-tokens"
        case codes = "mailed-codes"
        case knownDevices = "known-devices"
        case tickets = "sign-in-tickets"
        case receipts = "erasure-receipts"
        case nonces = "sign-in-nonces"
        case blind = "blind-hashes"
    }

    /// The names of the keys that are rows.
    enum Name: Hashable, Sendable {
        case changeable(Changeable)
        /// Those by which rows are found.
        case device, identities

        static let all = Changeable.allCases.map(Name.changeable) + [.device, .identities]

        /// As in the table; durable.
        var text: String {
            switch self {
            case .changeable(let name): name.rawValue
            case .device: "devices"
            case .identities: "linked-identities"
            }
        }
    }

    /// Reads `KEY_ENCRYPTION_KEY` or the file of `KEY_ENCRYPTION_KEY_FILE`: keys of 64 hexadecimal characters, in lines of
    /// their own or with commas between them, the present one first. Problems stay in `environment` until it is finished.
    package init(_ environment: Environment) {
        let secret = environment.secret("KEY_ENCRYPTION_KEY").reveal()
        let texts = secret.split { $0.isWhitespace || $0 == "," }
        let keys = texts.compactMap { Hex.decode(String($0)) }.filter { $0.count == AESGCM.keyLength }
        if !secret.isEmpty && (keys.isEmpty || keys.count != texts.count) {
            environment.refuse(
                "KEY_ENCRYPTION_KEY",
                "must be 64 hexadecimal characters, as `openssl rand -hex 32` gives, or several such keys in lines.")
        } else if Set(keys).count != keys.count {
            environment.refuse("KEY_ENCRYPTION_KEY", "names a key twice; leave one of them out.")
        }
        self.init(keys) { [Self.derive($0.text, from: keys.first ?? [])] }
    }

    /// The same with the keys that are rows, of each name the present one first.
    func with(_ rows: [Name: [[UInt8]]]) -> AccessSecrets { AccessSecrets(keys) { rows[$0] ?? [[]] } }

    /// The same with the keys below as they follow from the given key at this place.
    func following(from place: Int) -> AccessSecrets {
        AccessSecrets(keys) { [Self.derive($0.text, from: keys.indices.contains(place) ? keys[place] : [])] }
    }

    /// Lets whatever holds these secrets use the keys that the rows have by now. Of a name without any, nothing is believed.
    func adopt(_ rows: [Name: [[UInt8]]]) {
        for name in Changeable.allCases { authenticating(name).replace(by: rows[.changeable(name)] ?? []) }
    }

    private init(_ keys: [[UInt8]], _ values: (Name) -> [[UInt8]]) {
        func value(_ name: Name) -> [UInt8] { values(name).first ?? [] }
        func authenticating(_ name: Changeable) -> AuthenticationKeys { AuthenticationKeys(values(.changeable(name))) }
        let sealing = { (purpose: String) in SealingKeys(keys.map { Self.derive(purpose, from: $0) }) }
        self.keys = keys
        self.sealing = sealing("signing-keys")
        secondFactors = sealing("second-factors")
        providerTokens = sealing("provider-tokens")
        kept = sealing("kept-keys")
        refresh = authenticating(.refresh)
        codes = authenticating(.codes)
        device = value(.device)
        knownDevices = authenticating(.knownDevices)
        tickets = authenticating(.tickets)
        receipts = authenticating(.receipts)
        identities = value(.identities)
        nonces = authenticating(.nonces)
        blind = authenticating(.blind)
    }

    private static func derive(_ purpose: String, from key: [UInt8]) -> [UInt8] {
        HMACSHA256.authenticate(Array("mirrormate/\(purpose)".utf8), key: key)
    }

    /// The present key of a name.
    func value(_ name: Name) -> [UInt8] {
        switch name {
        case .changeable(let name): authenticating(name).present
        case .device: device
        case .identities: identities
        }
    }

    /// The keys of a name.
    func authenticating(_ name: Changeable) -> AuthenticationKeys {
        switch name {
        case .refresh: refresh
        case .codes: codes
        case .knownDevices: knownDevices
        case .tickets: tickets
        case .receipts: receipts
        case .nonces: nonces
        case .blind: blind
        }
    }

    /// A hash from which the text cannot be guessed without the key.
    package func blinded(_ text: String) -> [UInt8] { HMACSHA256.authenticate(Array(text.utf8), key: blind.present) }
}
