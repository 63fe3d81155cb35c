package import Crypto
package import JSON
package import Primitives
package import Runtime
import ServiceKit
package import SigningKeys

/// Makes what an answer that lets somebody in carries: an access token, and the refresh token beside it.
@Loop package struct TokenIssuer {
    private let keyring: SigningKeyring
    private let lifetime: Duration

    package init(_ keyring: SigningKeyring, _ settings: AccessSettings) {
        self.keyring = keyring
        lifetime = settings.accessTokenLifetime
    }

    /// The members of the answer; `expiresIn` is in seconds.
    ///
    /// - Throws: a problem 503 while there is no key to sign with, or `CryptoError`.
    package func members(
        of user: UUID, _ kind: AccessTokenClaims.Kind, session: UUID, refreshToken: String, timeZone: String?
    ) throws -> JSONObject {
        let now = Timestamp.now()
        let claims = AccessTokenClaims(
            subject: user, issuer: TokenVerifier.issuer, audience: [TokenVerifier.audience], issuedAt: now,
            expiresAt: now + lifetime, id: .v7(), session: session, kind: kind, timeZone: timeZone)
        return [
            "accessToken": .string(try keyring.sign(claims, at: now)), "refreshToken": .string(refreshToken),
            "expiresIn": .int(lifetime.milliseconds / 1_000), "tokenType": "Bearer",
        ]
    }
}
