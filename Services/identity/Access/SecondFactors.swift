import Crypto
package import EventSourcing
package import EventStore
import HTTPServer
package import JSON
import Postgres
package import Primitives
package import Runtime
import ServiceKit

/// The second factor of accounts: codes of an authenticator app (RFC 6238), and recovery codes for when it is lost, in the
/// tables `second_factors` and `recovery_codes`. Secrets are sealed, recovery codes hashed.
@Loop package struct SecondFactors {
    /// What somebody shows of it.
    package enum Given: Sendable {
        case code(String)
        case recoveryCode(String)

        /// The member `code` or `recoveryCode` of a body; nil for neither.
        ///
        /// - Throws: a problem 400 for both, or `JSONError`.
        package init?(_ body: JSONObject) throws {
            switch (try body.optionalString("code"), try body.optionalString("recoveryCode")) {
            case (let code?, nil): self = .code(code)
            case (nil, let code?): self = .recoveryCode(code)
            case (nil, nil): return nil
            default: throw Problem.invalidRequest("Send one of code and recoveryCode.")
            }
        }
    }

    /// A factor that was shown, for what that allows.
    package struct Shown {
        package let proof: Proof
        /// Uses the code up, or refuses the append with `second-factor-invalid` when another was quicker.
        package let use: RowCall
    }

    /// What an authenticator app needs.
    package struct Enrolment {
        /// Base 32.
        package let secret: String
        /// The same as an address for a QR code.
        package let address: String
    }

    private let store: EventStore
    private let limits: RateLimits
    private let failures: AccountLimit
    private let sealing: SealingKeys

    private static let issuer = "MirrorMate"
    /// How long one that was begun may be confirmed.
    private static let enrolmentLifetime = Duration.seconds(900)

    package init(_ store: EventStore, _ limits: RateLimits, _ settings: AccessSettings) {
        self.store = store
        self.limits = limits
        failures = settings.limits.secondFactor
        sealing = settings.secrets.secondFactors
    }

    // MARK: Asking

    /// Whether an account asks for one.
    ///
    /// - Throws: `PostgresError`.
    package func isOn(_ user: UUID) async throws -> Bool { try await standing(of: user) != nil }

    /// Since when an account has one and how many recovery codes are left; nil without one.
    ///
    /// - Throws: `PostgresError`.
    package func standing(of user: UUID) async throws -> (since: Timestamp, recoveryCodes: Int64)? {
        let row = try await store.pool.query(
            """
            select confirmed_at, (select count(*) from recovery_codes c where c.user_id = f.user_id)
            from second_factors f where user_id = $1 and confirmed_at is not null
            """, [.uuid(user)]
        ).first
        return row.map { ($0.time(0), $0.int(1)) }
    }

    /// Checks what somebody shows. Wrong codes count per account, and more narrowly for who is no known device; a new
    /// password begins nothing anew. Recovery codes cannot be guessed, so they are not counted and help when codes are.
    ///
    /// - Throws: a problem 401 when it is wrong or was used, 429 after too many failures, `CryptoError` or `PostgresError`.
    package func check(_ given: Given, of user: UUID, by visitor: Visitor) async throws -> Shown {
        switch given {
        case .code(let code):
            try await limits.take(failures, user.description, by: visitor)
            let row = try await store.pool.query(
                "select sealed, last_step from second_factors where user_id = $1 and confirmed_at is not null",
                [.uuid(user)]
            ).first
            guard let row, let step = try totp(row.bytes(0), of: user).step(of: code, at: .now(), after: row.int(1))
            else { throw Problem(.secondFactorInvalid) }
            try await limits.succeed(failures, user.description, by: visitor)
            return Shown(proof: .otp, use: SecondFactorRows.useTimeStep(user, step))
        case .recoveryCode(let text):
            guard let hash = RecoveryCode.hash(text, of: user),
                try await !store.pool.query(
                    "select from recovery_codes where user_id = $1 and code_hash = $2", [.uuid(user), .bytes(hash)]
                ).rows.isEmpty
            else { throw Problem(.secondFactorInvalid) }
            return Shown(proof: .recovery, use: SecondFactorRows.useRecoveryCode(user, Hex.encode(hash)))
        }
    }

    /// For an append that one proof allows: refuses it with `second-factor-needed` when there is a second factor.
    package func notNeeded(by user: UUID) -> RowCall { SecondFactorRows.oneFactorSuffices(user) }

    // MARK: Adding

    /// Begins a factor, or begins anew one that was not confirmed.
    ///
    /// - Parameters:
    ///   - holder: the login session, or ticket, that alone may confirm it.
    ///   - proven: the rows that hold that the holder may begin one.
    /// - Throws: `AppendError`, with the refusals `email-unverified` and `second-factor-exists` and those of `proven`, or
    ///   `CryptoError`.
    package func begin(
        for user: UUID, named account: String, by holder: UUID, _ metadata: EventMetadata, if proven: [RowCall]
    ) async throws -> Enrolment {
        let secret = SecureRandom.bytes(TOTP.secretLength)
        let sealed = try sealing.seal(secret, associatedData: user.bytes)
        try await store.append(
            Append(
                id: .v7(), requestHash: [], metadata: metadata, writes: [],
                calls: proven + [SecondFactorRows.begin(user, Hex.encode(sealed), holder)]))
        return Enrolment(
            secret: Base32.encode(secret), address: TOTP(secret: secret).address(issuer: Self.issuer, account: account))
    }

    /// Confirms a factor, if the code is one of it: with the append of `commit`, which gets the row that confirms it. That row
    /// refuses it when the sealed secret is another one than was looked at, so it is looked at once more then: it may have been
    /// sealed with another key meanwhile, which makes no right code wrong.
    ///
    /// - Parameter check: runs what looks at the code.
    /// - Throws: a problem 409 when none was begun so, 401 for a wrong code, `CryptoError`, `PostgresError`, or what `commit`
    ///   throws.
    package func confirm(
        _ code: String, of user: UUID, by holder: UUID,
        checking check: @Loop (@Loop () async throws -> RowCall) async throws -> RowCall,
        _ commit: @Loop (RowCall) async throws -> Void
    ) async throws {
        let row = try await check { try await confirming(code, of: user, by: holder) }
        do {
            try await commit(row)
        } catch AppendError.guarded(.secondFactorInvalid) {
            try await commit(try await check { try await confirming(code, of: user, by: holder) })
        }
    }

    private func confirming(_ code: String, of user: UUID, by holder: UUID) async throws -> RowCall {
        let row = try await store.pool.query(
            """
            select sealed, last_step from second_factors where user_id = $1 and begun_by = $2 and confirmed_at is null
                and begun_at > now() - $3 * interval '1 microsecond'
            """, [.uuid(user), .uuid(holder), .double(Double(Self.enrolmentLifetime.microseconds))]
        ).first
        guard let row else { throw Problem(.secondFactorMissing) }
        let sealed = row.bytes(0)
        guard let step = try totp(sealed, of: user).step(of: code, at: .now(), after: row.int(1)) else {
            throw Problem(.secondFactorInvalid)
        }
        return SecondFactorRows.confirm(user, holder, Hex.encode(sealed), step)
    }

    /// New recovery codes and the row that puts them in the place of all earlier ones.
    package func newRecoveryCodes(of user: UUID) -> (texts: [String], row: RowCall) {
        let codes = (0..<RecoveryCode.count).map { _ in RecoveryCode() }
        let hashes = codes.map { JSONValue.string(Hex.encode($0.hash(of: user))) }
        return (codes.map(\.text), SecondFactorRows.putRecoveryCodes(user, .array(hashes)))
    }

    private func totp(_ sealed: [UInt8], of user: UUID) throws -> TOTP {
        TOTP(secret: try sealing.open(sealed, associatedData: user.bytes))
    }
}
