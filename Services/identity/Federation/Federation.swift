package import Access
import Crypto
package import EventStore
import HTTPServer
package import JSON
import Observability
import Postgres
package import Primitives
package import Runtime

/// What another provider says about somebody who signs in, checked: the only way from an identity token, or a code for one, to
/// somebody of ours. It makes no rule about accounts.
@Loop package final class Federation {
    /// What somebody shows.
    package enum Given: Sendable {
        /// The provider's identity token, and the nonce that the sign-in was given.
        case token(String, nonce: String?)
        /// What is exchanged for one.
        case code(AuthorizationCode, nonce: String?)

        var nonce: String? {
            switch self {
            case .token(_, let nonce), .code(_, let nonce): nonce
            }
        }

        /// The members of a body.
        ///
        /// - Throws: a problem 400 for none or both, or `JSONError`.
        package init(_ body: JSONObject) throws {
            let nonce = try body.optionalString("nonce")
            switch (try body.optionalString("identityToken"), try AuthorizationCode(body)) {
            case (let token?, nil): self = .token(token, nonce: nonce)
            case (nil, let code?): self = .code(code, nonce: nonce)
            default: throw Problem.invalidRequest("Send one of identityToken and code.")
            }
        }
    }

    /// Somebody as a provider knows them.
    package struct Identity: Sendable {
        package let provider: IdentityProvider
        package let subject: String
        /// The address that the provider says is confirmed; nil without one, or with one that is no address here.
        package let address: EmailAddress?
        /// For the append that it allows: uses up a nonce of ours, else the identity token itself.
        package let use: [RowCall]
        fileprivate let refreshToken: (text: String, clientID: String)?
    }

    private let store: EventStore
    private let settings: FederationSettings
    private let sets: [IdentityProvider: PublishedKeys]
    private let client: ProviderClient
    private let nonces: SignInNonces
    /// What is revoked when a user goes.
    package let tokens: ProviderTokens

    package init(_ store: EventStore, _ settings: FederationSettings, _ secrets: AccessSecrets) {
        self.store = store
        self.settings = settings
        var sets: [IdentityProvider: PublishedKeys] = [:]
        for provider in IdentityProvider.allCases {
            guard let rules = settings.provider(provider) else { continue }
            sets[provider] = PublishedKeys(
                rules.keysURL, settings.keys, Logger(label: "keys-of-\(provider.rawValue)"))
        }
        self.sets = sets
        let log = Logger(label: "providers")
        client = ProviderClient(settings, log)
        nonces = SignInNonces(secrets)
        tokens = ProviderTokens(store, settings, secrets, log)
    }

    /// Removes what says of nonces that they were used, once they are over.
    ///
    /// - Throws: `PostgresError`.
    package func sweepNonces() async throws {
        _ = try await store.pool.query("delete from used_nonces where expires_at < now()")
    }

    /// A provider whose codes a web page may bring, and where it gets them.
    package struct PageProvider: Sendable {
        package let provider: IdentityProvider
        package let clientID: String
        package let authorizationURL: String
    }

    /// Those that a web page can offer.
    package var ofPages: [PageProvider] {
        IdentityProvider.allCases.compactMap { provider in
            guard let rules = settings.provider(provider), settings.takesCodesOfPages(provider),
                let clientID = rules.clientIDs.first
            else { return nil }
            return PageProvider(
                provider: provider, clientID: clientID, authorizationURL: rules.authorizationURL)
        }
    }

    /// Whether somebody can sign in with a provider.
    package func isOn(_ provider: IdentityProvider) -> Bool { settings.provider(provider) != nil }

    /// A nonce.
    package func nonce(for purpose: SignInNonces.Purpose) -> String { nonces.make(for: purpose, at: .now()) }

    /// Who signs in. A nonce that was given here, else the identity token itself, is used up by the append that it leads to.
    ///
    /// - Throws: a problem 401 for what is not accepted, 404 for a provider that is off, 503 while it does not answer.
    package func identity(of provider: IdentityProvider, _ given: Given) async throws -> Identity {
        try await identity(of: provider, given, for: .signIn)
    }

    /// Who is to be linked by the bearer of a login session: with a nonce that was given to it, so that nobody slips in an
    /// identity of their own.
    ///
    /// - Throws: as ``identity(of:_:)``, and the problem `nonce-invalid` (401) without such a nonce.
    package func identity(
        of provider: IdentityProvider, linkedBy session: UUID, _ given: Given
    ) async throws -> Identity {
        _ = try rules(provider)
        guard try given.nonce.flatMap({ try nonces.read($0, for: .session(session), at: .now()) }) != nil else {
            throw Problem(.nonceInvalid)
        }
        return try await identity(of: provider, given, for: .session(session))
    }

    private func identity(
        of provider: IdentityProvider, _ given: Given, for purpose: SignInNonces.Purpose
    ) async throws -> Identity {
        let rules = try rules(provider)
        switch given {
        case .token(let text, let nonce): return try await identity(provider, rules, text, nonce, purpose)
        case .code(let code, let nonce):
            let tokens = try await client.exchange(code, of: provider, rules)
            return try await identity(
                provider, rules, tokens.identityToken, nonce, purpose,
                refreshToken: tokens.refreshToken.map { ($0, tokens.clientID) })
        }
    }

    /// Who signs in with a client that sends the token alone, whatever nonce is in it. A nonce that was given here binds as always;
    /// without one the token itself is used up by the append that it leads to.
    ///
    /// - Throws: as ``identity(of:_:)``.
    package func identity(of provider: IdentityProvider, unbound text: String) async throws -> Identity {
        let claims = try await claims(provider, rules(provider), text, .untold)
        let own = try claims.nonce.flatMap { try nonces.read($0, for: .signIn, at: .now()) }
        return Identity(
            provider: provider, subject: claims.subject, address: claims.confirmedAddress(of: provider),
            use: [Self.use(of: text, claims, own)], refreshToken: nil)
    }

    /// Nothing opens two sign-ins: whoever reads a token in a log or a proxy comes too late.
    private static func use(of text: String, _ claims: IdentityTokenClaims, _ own: SignInNonces.Nonce?) -> RowCall {
        own?.use ?? IdentityToken.use(of: text, issuedAt: claims.issuedAt)
    }

    /// Has the provider take back what it gave with a code, when nobody is let in and no account has the identity: else the
    /// provider would end what it gave for that account too.
    package func giveBack(_ identity: Identity) async {
        if let token = identity.refreshToken { await tokens.giveBack(token.text, of: token.clientID) }
    }

    /// Who shows anew that it is them: with a nonce that was given to this login session, after which the token was issued.
    ///
    /// - Throws: as ``identity(of:_:)``.
    package func identity(
        of provider: IdentityProvider, confirming session: UUID, _ text: String
    ) async throws -> Identity {
        let claims = try await claims(provider, rules(provider), text, .any)
        guard let nonce = try nonces.read(claims.nonce ?? "", for: .session(session), at: .now()),
            claims.issuedAt + IdentityToken.clockTolerance >= nonce.givenAt
        else { throw Problem(.nonceInvalid) }
        return Identity(
            provider: provider, subject: claims.subject, address: nil, use: [nonce.use], refreshToken: nil)
    }

    /// The rows that go with letting somebody in.
    ///
    /// - Throws: `CryptoError`.
    package func rows(of identity: Identity, for user: UUID) throws -> [RowCall] {
        guard let token = identity.refreshToken else { return identity.use }
        return identity.use + [try tokens.keeping(token.text, of: token.clientID, for: user)]
    }

    private func rules(_ provider: IdentityProvider) throws(Problem) -> FederationSettings.Provider {
        guard let rules = settings.provider(provider) else { throw Problem(.providerOff) }
        return rules
    }

    private func identity(
        _ provider: IdentityProvider, _ rules: FederationSettings.Provider, _ text: String, _ nonce: String?,
        _ purpose: SignInNonces.Purpose, refreshToken: (text: String, clientID: String)? = nil
    ) async throws -> Identity {
        let claims = try await claims(provider, rules, text, .exactly(nonce))
        let own = try nonce.flatMap { try nonces.read($0, for: purpose, at: .now()) }
        if let own, claims.issuedAt + IdentityToken.clockTolerance < own.givenAt { throw Problem(.nonceInvalid) }
        return Identity(
            provider: provider, subject: claims.subject,
            address: claims.confirmedAddress(of: provider),
            use: [Self.use(of: text, claims, own)], refreshToken: refreshToken)
    }

    private func claims(
        _ provider: IdentityProvider, _ rules: FederationSettings.Provider, _ text: String, _ nonce: IdentityToken.Nonce
    ) async throws -> IdentityTokenClaims {
        guard let set = sets[provider] else { throw Problem(.providerOff) }
        let expected = IdentityToken.Expectation(
            issuers: rules.issuers, audience: Set(rules.clientIDs), nonce: nonce)
        do {
            let token = try IdentityToken(text)
            let key = try await set.key(token.keyID)
            return try token.claims(signedWith: key, expecting: expected, now: .now())
        } catch let error as IdentityTokenError {
            throw Problem.refused(error)
        } catch is PublishedKeys.Unavailable {
            throw Problem.providerUnavailable
        }
    }
}
