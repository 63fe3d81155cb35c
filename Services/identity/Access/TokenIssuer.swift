package import Crypto
package import JSON
package import Primitives
package import Runtime
import ServiceKit
package import SigningKeys

/// Makes the access tokens that answers carry, in the form of either surface.
@Loop package struct TokenIssuer {
    private let keyring: SigningKeyring
    private let lifetime: Duration

    package init(_ keyring: SigningKeyring, _ settings: AccessSettings) {
        self.keyring = keyring
        lifetime = settings.accessTokenLifetime
    }

    /// The members of the answer that name an access token; `expiresIn` is in seconds.
    ///
    /// - Parameters:
    ///   - end: when the login session ends, which no access token outlasts.
    ///   - shown: when the bearer last showed who they are; nil if that is not known.
    ///   - methods: how they did, for `amr`.
    ///   - isEmailVerified: whether they have confirmed their address; nil without one.
    /// - Throws: a problem 503 while there is no key to sign with, or `CryptoError`.
    package func members(
        of user: UUID, _ kind: AccessTokenClaims.Kind, session: UUID, until end: Timestamp, shown: Timestamp?,
        by methods: [String], timeZone: String?, isEmailVerified: Bool?
    ) throws -> JSONObject {
        let now = Timestamp.now()
        let expiresAt = max(now, min(now + lifetime, end))
        let claims = AccessTokenClaims(
            subject: user, issuer: TokenVerifier.issuer, audience: [TokenVerifier.audience], issuedAt: now,
            expiresAt: expiresAt, id: .v7(), session: session, kind: kind, timeZone: timeZone,
            authenticatedAt: shown, methods: methods, isEmailVerified: isEmailVerified)
        return [
            "accessToken": .string(try keyring.sign(claims, at: now)),
            "expiresIn": .int((expiresAt - now).milliseconds / 1_000), "tokenType": "Bearer",
        ]
    }

    /// An access token of the compatible surface.
    ///
    /// - Parameters:
    ///   - end: when the login session ends, which no access token outlasts.
    ///   - claims: the claims of a token that is made and ends at these moments.
    /// - Throws: a problem 503 while there is no key to sign with, or `CryptoError`.
    package func compatible(
        until end: Timestamp, _ claims: (_ issuedAt: Timestamp, _ expiresAt: Timestamp) -> CompatibleTokenClaims
    ) throws -> (text: String, expiresAt: Timestamp) {
        let now = Timestamp.now()
        let claims = claims(now, max(now, min(now + AccessSettings.compatibleTokenLifetime, end)))
        return (try keyring.sign(claims, at: now), claims.expiresAt)
    }
}
