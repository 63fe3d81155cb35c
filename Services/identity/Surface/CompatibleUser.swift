import Access
import Crypto
import JSON
import Postgres
import Primitives
import Runtime

/// A user as clients of the compatible surface see it, in answers and in access tokens.
@Loop struct CompatibleUser {
    /// The user's row of ``CompatibleUser/columns``, read.
    private struct Row {
        let id: UUID
        let hasAccount: Bool
        /// In small letters; empty without one.
        let email: String
        let verifiedAt: Timestamp?
        let createdAt: Timestamp
        let updatedAt: Timestamp
        let lastSignInAt: Timestamp?
        /// Another address that waits.
        let newEmail: String?
        let metadata: JSONObject
        /// The ways of signing in, `email` first.
        let providers: [String]
    }

    /// What the initializers read of `profiles p`.
    private static let columns = """
        p.user_id, has_account(p.user_id), coalesce(c.email_key, ''), c.verified_at, p.created_at,
        greatest(p.created_at, c.verified_at, c.changed_at),
        (select max(auth_time) from logins l where l.user_id = p.user_id),
        (select new_email from email_changes e where e.user_id = p.user_id and e.changed_at is null
            and (e.due_at is not null or e.expires_at > clock_timestamp()) order by id desc limit 1),
        p.metadata::text, p.display_name, coalesce(c.has_password, false),
        (select coalesce(string_agg(provider, ' ' order by linked_at), '')
            from linked_identities i where i.user_id = p.user_id)
        """

    private let row: Row

    /// Reads a user.
    ///
    /// - Returns: nil when there is none.
    /// - Throws: `PostgresError`.
    init?(_ user: UUID, _ pool: PostgresPool) async throws {
        let row = try await pool.query(
            "select \(Self.columns) from profiles p left join credentials c using (user_id) where p.user_id = $1",
            [.uuid(user)]
        ).first
        guard let row else { return nil }
        self.row = Self.read(row)
    }

    private init(_ row: Row) { self.row = row }

    /// All users, anonymous ones too, the newest first.
    ///
    /// - Parameters:
    ///   - count: how many at most.
    ///   - skipped: how many newer ones are left out.
    /// - Returns: them, and how many there are in all.
    /// - Throws: `PostgresError`.
    static func list(_ count: Int64, after skipped: Int64, _ pool: PostgresPool) async throws -> (
        users: [CompatibleUser], total: Int64
    ) {
        let rows = try await pool.query(
            """
            select \(columns) from profiles p left join credentials c using (user_id)
            order by p.created_at desc, p.user_id limit $1 offset $2
            """, [.int(count), .int(skipped)]
        ).rows
        let total = try await pool.query("select count(*) from profiles").rows[0].int(0)
        return (rows.map { CompatibleUser(read($0)) }, total)
    }

    private static func read(_ row: PostgresRow) -> Row {
        var metadata = (try? JSONObject.parse(Array(row.text(8).utf8), limits: .foreign)) ?? [:]
        // The name that the user was given last is the same name everywhere; what is no name there stays here alone.
        let name = row.optional(9, PostgresRow.text)
        let told = CompatibleAuth.displayName(metadata)
        if told != name, told != nil || metadata["display_name"] == nil {
            metadata["display_name"] = name.map(JSONValue.string)
        }
        let others = row.text(11).split(separator: " ").map(String.init)
        let verifiedAt = row.optional(3, PostgresRow.time)
        if !row.text(2).isEmpty { metadata["email_verified"] = .bool(verifiedAt != nil) }
        return Row(
            id: row.uuid(0), hasAccount: row.bool(1), email: row.text(2), verifiedAt: verifiedAt,
            createdAt: row.time(4), updatedAt: row.optional(5, PostgresRow.time) ?? row.time(4),
            lastSignInAt: row.optional(6, PostgresRow.time), newEmail: row.optional(7, PostgresRow.text),
            metadata: metadata, providers: (row.bool(10) ? ["email"] : []) + others)
    }

    /// Whether the user is more than an anonymous device.
    var hasAccount: Bool { row.hasAccount }

    private var appMetadata: JSONObject {
        guard let first = row.providers.first else { return [:] }
        return ["provider": .string(first), "providers": .array(row.providers.map(JSONValue.string))]
    }

    /// The user in an answer; times have a fraction.
    var json: JSONValue {
        var user: JSONObject = [
            "id": .uuid(row.id), "aud": .string(CompatibleAccessToken.audience),
            "role": .string(CompatibleAccessToken.audience), "email": .string(row.email), "phone": "",
            "app_metadata": .object(appMetadata), "user_metadata": .object(row.metadata),
            "identities": .array(row.providers.map(identity)), "is_anonymous": .bool(!row.hasAccount),
            "created_at": .time(row.createdAt), "updated_at": .time(row.updatedAt),
        ]
        if let moment = row.verifiedAt {
            user["email_confirmed_at"] = .time(moment)
        }
        // Whoever was let in is confirmed, whatever is known of the address: older clients keep no login session without it.
        if row.hasAccount, let moment = row.verifiedAt ?? row.lastSignInAt.map({ _ in row.createdAt }) {
            user["confirmed_at"] = .time(moment)
        }
        if let moment = row.lastSignInAt { user["last_sign_in_at"] = .time(moment) }
        if let address = row.newEmail { user["new_email"] = .string(address) }
        return .object(user)
    }

    /// A way of signing in. The subject at Google or Apple is not kept, so an id that follows from the user stands for it.
    private func identity(_ provider: String) -> JSONValue {
        let id = provider == "email" ? row.id : UUID.v5(namespace: row.id, name: "identity \(provider)")
        return [
            "id": .uuid(id), "identity_id": .uuid(.v5(namespace: row.id, name: "identity row \(provider)")),
            "user_id": .uuid(row.id), "provider": .string(provider), "email": .string(row.email),
            "identity_data": [
                "sub": .uuid(id), "email": .string(row.email), "email_verified": .bool(row.verifiedAt != nil),
                "phone_verified": false,
            ],
            "created_at": .time(row.createdAt), "updated_at": .time(row.updatedAt),
            "last_sign_in_at": .time(row.lastSignInAt ?? row.createdAt),
        ]
    }

    /// The claims of an access token.
    ///
    /// - Parameters:
    ///   - shown: when its bearer last showed who they are.
    ///   - proofs: how, as the row of the login session has it.
    func claims(
        issuer: String, from issuedAt: Timestamp, until expiresAt: Timestamp, session: UUID, shown: Timestamp,
        by proofs: String, timeZone: String
    ) -> CompatibleTokenClaims {
        CompatibleTokenClaims(
            subject: row.id, issuer: issuer, issuedAt: issuedAt, expiresAt: expiresAt, session: session,
            isAnonymous: !row.hasAccount, email: row.email, appMetadata: appMetadata, userMetadata: row.metadata,
            hasSecondFactor: Proof.hasSecondFactor(proofs),
            // What was shown last stands last in the row.
            methods: proofs.split(separator: " ").reversed().map {
                CompatibleTokenClaims.Method(Self.method(String($0)), at: shown)
            }, timeZone: timeZone, isEmailVerified: row.email.isEmpty ? nil : row.verifiedAt != nil)
    }

    /// How a proof is called there.
    private static func method(_ proof: String) -> String {
        switch Proof(rawValue: proof) {
        case .password: "password"
        case .mail: "otp"
        case .device: "anonymous"
        case .otp, .recovery: "totp"
        case .google, .apple: "oauth"
        case nil: proof
        }
    }
}
