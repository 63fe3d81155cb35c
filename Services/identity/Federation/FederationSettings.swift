import Access
package import Configuration
import Crypto
import HTTPClient

/// Whom identity tokens are accepted of, and for which apps. A provider without client ids is off.
///
/// | Variable | Type | Default | Meaning |
/// |---|---|---|---|
/// | `GOOGLE_CLIENT_IDS` | text | none | the client ids of the apps at Google, with commas between; the first one asks for tokens by code |
/// | `GOOGLE_CLIENT_SECRET` | secret | none | the secret of the first of them, which a web client has |
/// | `GOOGLE_ISSUERS` | text | `https://accounts.google.com,accounts.google.com` | what Google calls itself |
/// | `GOOGLE_KEYS_URL` | address | `https://www.googleapis.com/oauth2/v3/certs` | where its keys are published |
/// | `GOOGLE_AUTHORIZATION_URL` | address | `https://accounts.google.com/o/oauth2/v2/auth` | where the app page sends whoever signs in with it |
/// | `GOOGLE_TOKEN_URL` | address | `https://oauth2.googleapis.com/token` | where it gives tokens for a code |
/// | `APPLE_CLIENT_IDS` | text | none | the bundle and service ids of the apps at Apple, likewise |
/// | `APPLE_TEAM_ID` | text | none | the team that has the key; needed with the key |
/// | `APPLE_KEY_ID` | text | none | the name of the key; needed with the key |
/// | `APPLE_PRIVATE_KEY` | secret | none | the key for codes and revocations, PEM as Apple gives it (`.p8`) |
/// | `APPLE_ISSUERS` | text | `https://appleid.apple.com` | what Apple calls itself |
/// | `APPLE_KEYS_URL` | address | `https://appleid.apple.com/auth/keys` | where its keys are published |
/// | `APPLE_AUTHORIZATION_URL` | address | `https://appleid.apple.com/auth/authorize` | where the app page sends whoever signs in with it |
/// | `APPLE_TOKEN_URL` | address | `https://appleid.apple.com/auth/token` | where it gives tokens for a code |
/// | `APPLE_REVOKE_URL` | address | `https://appleid.apple.com/auth/revoke` | where it takes them back |
/// | `PROVIDER_DEADLINE` | duration | 5s | how long an answer of a provider may take |
/// | `PROVIDER_KEYS_PAUSE` | duration | 1m | how long after one fetch of a provider's keys the next one may be |
/// | `PROVIDER_KEYS_KEPT` | duration | 1d | how long keys are used that cannot be fetched anew |
///
/// Addresses are `https`; `http://127.0.0.1:PORT` is for an issuer on this machine, and refused where `PUBLIC_URL` is of another one.
package struct FederationSettings: Sendable {
    /// One provider that is on.
    struct Provider: Sendable {
        /// The first one asks for tokens by code.
        let clientIDs: [String]
        let issuers: Set<String>
        let keysURL: String
        let authorizationURL: String
        let tokenURL: String
    }

    /// What Apple knows this server by.
    struct AppleKey: Sendable {
        let team: String
        let keyID: String
        let key: ES256PrivateKey
        /// The only one whom proofs made with the key are for.
        let audience: String
    }

    let google: Provider?
    let apple: Provider?
    let googleSecret: Secret?
    let appleKey: AppleKey?
    let appleRevokeURL: String
    let keys: PublishedKeys.Policy
    let deadline: Duration

    /// Reads the variables; problems stay in `environment` until it is finished.
    package init(_ environment: Environment) {
        let isLocal = ProviderAddress.isLocal(
            publicURL: environment.webAddress("PUBLIC_URL", default: "http://127.0.0.1"))
        func address(_ name: String, _ text: String) -> String {
            if !ProviderAddress.isValid(text) {
                environment.refuse(
                    name, "must be an https address, or http://127.0.0.1:PORT for an issuer on this machine.")
            } else if ProviderAddress.isHere(text), !isLocal {
                environment.refuse(
                    name, "is of this machine, where anybody could make tokens; it needs a PUBLIC_URL of this machine.")
            }
            return text
        }
        let googleIDs = Self.words(environment.optional("GOOGLE_CLIENT_IDS"))
        let googleIssuers = environment.string(
            "GOOGLE_ISSUERS", default: "https://accounts.google.com,accounts.google.com")
        let googleKeys = environment.string(
            "GOOGLE_KEYS_URL", default: "https://www.googleapis.com/oauth2/v3/certs")
        let googlePage = environment.string(
            "GOOGLE_AUTHORIZATION_URL", default: "https://accounts.google.com/o/oauth2/v2/auth")
        let googleTokens = environment.string("GOOGLE_TOKEN_URL", default: "https://oauth2.googleapis.com/token")
        google = Self.provider(
            googleIDs, googleIssuers, keys: address("GOOGLE_KEYS_URL", googleKeys),
            page: address("GOOGLE_AUTHORIZATION_URL", googlePage),
            tokens: address("GOOGLE_TOKEN_URL", googleTokens))
        googleSecret = environment.optionalSecret("GOOGLE_CLIENT_SECRET")
        let appleIDs = Self.words(environment.optional("APPLE_CLIENT_IDS"))
        let appleIssuers = environment.string("APPLE_ISSUERS", default: "https://appleid.apple.com")
        let appleKeys = environment.string("APPLE_KEYS_URL", default: "https://appleid.apple.com/auth/keys")
        let applePage = environment.string(
            "APPLE_AUTHORIZATION_URL", default: "https://appleid.apple.com/auth/authorize")
        let appleTokens = environment.string("APPLE_TOKEN_URL", default: "https://appleid.apple.com/auth/token")
        apple = Self.provider(
            appleIDs, appleIssuers, keys: address("APPLE_KEYS_URL", appleKeys),
            page: address("APPLE_AUTHORIZATION_URL", applePage),
            tokens: address("APPLE_TOKEN_URL", appleTokens))
        let revocations = environment.string("APPLE_REVOKE_URL", default: "https://appleid.apple.com/auth/revoke")
        appleRevokeURL = address("APPLE_REVOKE_URL", revocations)
        appleKey = Self.appleKey(environment, audience: Self.words(appleIssuers).first ?? "")
        deadline = environment.duration("PROVIDER_DEADLINE", default: .seconds(5))
        var policy = PublishedKeys.Policy()
        policy.pause = environment.duration("PROVIDER_KEYS_PAUSE", default: .seconds(60))
        policy.pauseWithoutSet = min(policy.pause, policy.pauseWithoutSet)
        policy.kept = environment.duration("PROVIDER_KEYS_KEPT", default: .seconds(86_400))
        policy.deadline = deadline
        keys = policy
    }

    /// The provider, if it is on.
    func provider(_ provider: IdentityProvider) -> Provider? {
        switch provider {
        case .google: google
        case .apple: apple
        }
    }

    /// Whether it takes codes of a web page: Google's want the secret of the web client, Apple's the key.
    func takesCodesOfPages(_ provider: IdentityProvider) -> Bool {
        switch provider {
        case .google: google != nil && googleSecret != nil
        case .apple: apple != nil && appleKey != nil
        }
    }

    private static func provider(
        _ ids: [String], _ issuers: String, keys: String, page: String, tokens: String
    ) -> Provider? {
        ids.isEmpty
            ? nil
            : Provider(
                clientIDs: ids, issuers: Set(words(issuers)), keysURL: keys, authorizationURL: page, tokenURL: tokens)
    }

    private static func appleKey(_ environment: Environment, audience: String) -> AppleKey? {
        let team = environment.optional("APPLE_TEAM_ID")
        let name = environment.optional("APPLE_KEY_ID")
        guard let secret = environment.optionalSecret("APPLE_PRIVATE_KEY") else { return nil }
        guard let team, let name else {
            environment.refuse("APPLE_PRIVATE_KEY", "needs APPLE_TEAM_ID and APPLE_KEY_ID; set both.")
            return nil
        }
        guard let keys = try? ES256PrivateKey.keys(pem: secret.reveal()), keys.count == 1 else {
            environment.refuse("APPLE_PRIVATE_KEY", "must be one PRIVATE KEY of P-256 in PEM, as Apple gives it.")
            return nil
        }
        return AppleKey(team: team, keyID: name, key: keys[0], audience: audience)
    }

    private static func words(_ text: String?) -> [String] {
        (text ?? "").split { $0 == "," || $0.isWhitespace }.map(String.init)
    }
}
