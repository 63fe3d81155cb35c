package import Primitives

/// What an access token says (RFC 9068). Times have whole seconds; a finer part is dropped when a token is issued.
package struct AccessTokenClaims: Sendable, Equatable {
    /// What the bearer of a token is.
    package enum Kind: String, Sendable, CaseIterable {
        /// A person who has signed in.
        case user
        /// An installation without an account.
        case device
    }

    /// Whom the token speaks for, `sub`.
    package let subject: UUID
    /// Who issued it, `iss`.
    package let issuer: String
    /// The services that may accept it, `aud`.
    package let audience: [String]
    /// When it was issued, `iat`.
    package let issuedAt: Timestamp
    /// The first moment at which it is no longer accepted, `exp`.
    package let expiresAt: Timestamp
    /// The identifier of this token, `jti`.
    package let id: UUID
    /// The login session it belongs to, `sid`.
    package let session: UUID
    /// What the bearer is, `kind`.
    package let kind: Kind
    /// The bearer's IANA time zone, `zoneinfo` (OpenID Connect Core, section 5.1); nothing when it is not known.
    package let timeZone: String?

    /// Claims of one token.
    package init(
        subject: UUID, issuer: String, audience: [String], issuedAt: Timestamp, expiresAt: Timestamp, id: UUID,
        session: UUID, kind: Kind, timeZone: String? = nil
    ) {
        self.subject = subject
        self.issuer = issuer
        self.audience = audience
        self.issuedAt = Timestamp(seconds: issuedAt.seconds)
        self.expiresAt = Timestamp(seconds: expiresAt.seconds)
        self.id = id
        self.session = session
        self.kind = kind
        self.timeZone = timeZone
    }
}
