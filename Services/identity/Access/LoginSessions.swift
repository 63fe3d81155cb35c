package import Contracts
package import EventSourcing
package import EventStore
package import HTTPServer
import Postgres
package import Primitives
package import Runtime
package import ServiceKit

/// Login sessions and their refresh tokens, in the table `logins`, which hangs on the service's table `profiles`.
///
/// Using a refresh token gives the one with the next number; using it again within the grace gives the same next one,
/// because the first answer may have been lost; using an older one ends the session (RFC 9700, section 4.14.2). Ending one
/// before its time is an event that every service hears of.
@Loop package struct LoginSessions {
    /// What a refresh token was rotated to (RFC 9700, section 4.14.2).
    package struct Rotation {
        package let session: UUID
        package let user: UUID
        /// Whether the user has an account, so is more than an anonymous device.
        package let hasAccount: Bool
        /// The next refresh token.
        package let refreshToken: String
        /// Whether it had been given out before.
        package let isRepeat: Bool
    }

    /// A session as its owner sees it.
    package struct Entry {
        package let session: UUID
        /// What its client said of the device; nil if nothing.
        package let device: String?
        package let begunAt: Timestamp
        /// When it began or was last refreshed.
        package let usedAt: Timestamp
        /// When it is over, if it is not used again.
        package let expiresAt: Timestamp
    }

    /// An app whose client cannot refresh, and the IANA time zone that its requests count in.
    package struct App: Sendable {
        package let surface: AppSurface
        package let timeZone: String

        package init(_ surface: AppSurface, timeZone: String) {
            self.surface = surface
            self.timeZone = timeZone
        }
    }

    /// A new session, for the append that lets somebody in: its rows stand or fall with its events.
    package struct New {
        package let session: UUID
        /// An app's only token, which ends with the session; nil for clients that refresh.
        package let appToken: AppToken?
        package let write: StreamWrite
        /// After what makes the user, on which they hang.
        package let rows: [RowCall]
    }

    /// What else stands or falls with the beginning of a session.
    package struct Company {
        package let rows: [RowCall]
        /// Asked again when another append was quicker.
        package let decisions: @Loop () async throws -> [Decision]

        package init(rows: [RowCall] = [], decisions: @escaping @Loop () async throws -> [Decision] = { [] }) {
            self.rows = rows
            self.decisions = decisions
        }
    }

    private let store: EventStore
    private let keys: AuthenticationKeys
    private let lifetime: Duration
    private let idleLimit: Duration
    private let grace: Duration
    private let tokenLifetime: Duration
    /// No access token of a session that began on the compatible surface lasts longer.
    private let compatibleTokenLifetime: Duration

    /// How many login sessions a user may have; one more ends the one that was unused for longest. Nobody hears when an app's token
    /// is used, so of those the one that began first counts as unused for longest, and neither sort displaces the other: one goes
    /// of the sort of which there are more.
    private static let most: Int64 = 100

    package init(_ store: EventStore, _ settings: AccessSettings) {
        self.store = store
        keys = settings.secrets.refresh
        lifetime = settings.loginLifetime
        idleLimit = settings.loginIdleLimit
        grace = settings.refreshGrace
        tokenLifetime = settings.accessTokenLifetime
        compatibleTokenLifetime = AccessSettings.compatibleTokenLifetime
    }

    /// The row of a new session, for the append that lets somebody in.
    ///
    /// - Parameter device: what the client says of its device.
    package func beginning(_ session: UUID, of user: UUID, by proofs: [Proof], on device: String?) -> RowCall {
        AccessRows.beginLogin(session, user, .now() + lifetime, proofs.text, device)
    }

    /// Notes that the bearer of a session has shown anew who they are; refused with `login-ended` when it is over.
    package func confirming(_ session: UUID, of user: UUID, by proofs: [Proof]) -> RowCall {
        AccessRows.confirmLogin(session, user, proofs.text)
    }

    /// A new session, of an app or of a client that refreshes.
    ///
    /// - Parameter isCompatible: whether it begins on the compatible surface.
    package func new(
        of user: UUID, by proofs: [Proof], on device: String?, for app: App?, isCompatible: Bool = false
    ) -> New {
        let session = UUID.v4()
        let expiresAt = Timestamp.now() + lifetime
        let row = AccessRows.beginLogin(session, user, expiresAt, proofs.text, device)
        let stream = LoginSession.stream(session)
        guard let app else {
            return New(
                session: session, appToken: nil, write: StreamWrite(stream, expectedVersion: 0, events: []),
                rows: [row] + (isCompatible ? [AccessRows.makeCompatibleLogin(session)] : []))
        }
        let token = AppToken.make()
        let command = LoginSessionCommand.issue(
            AppTokenIssued(
                userId: user, loginSessionId: session, tokenSHA256: Hex.encode(token.hash), surface: app.surface,
                timeZone: app.timeZone, expiresAt: expiresAt))
        let events = LoginSession.decide(command, .initial)
        return New(
            session: session, appToken: token, write: StreamWrite(stream, after: 0, events),
            rows: [row] + LoginSession.rowCalls(for: command, .initial, events))
    }

    /// Begins a session of somebody who has shown who they are.
    ///
    /// - Parameters:
    ///   - proven: the rows that hold that to be so when the session begins, whatever was done since it was checked.
    ///   - company: what else goes with it.
    /// - Throws: a problem 401 when the user is erased or has chosen another password meanwhile, what `company` throws,
    ///   `AppendError` or `PostgresError`.
    package func begin(
        _ user: UUID, by proofs: [Proof], on device: String?, for app: App? = nil, isCompatible: Bool = false,
        _ metadata: EventMetadata, if proven: [RowCall], with company: Company = Company()
    ) async throws -> New {
        let new = self.new(of: user, by: proofs, on: device, for: app, isCompatible: isCompatible)
        do {
            try await endUnused(of: user, beyond: Self.most - 1, metadata)
            try await store.append {
                Append(
                    id: .v7(), requestHash: [], metadata: metadata, decisions: try await company.decisions(),
                    writes: [new.write], calls: proven + company.rows + new.rows)
            }
        } catch AppendError.erased, AppendError.data("logins_user_id_fkey"), AppendError.guarded(.passwordChanged),
            AppendError.guarded(.identityUnlinked)
        {
            throw Problem(.credentialsInvalid)
        }
        return new
    }

    /// The first refresh token of a session.
    package func firstToken(_ session: UUID, in place: RefreshToken.Place) -> String {
        RefreshToken(session: session, number: 1).text(key: place.key(from: keys.present))
    }

    /// The token of a text; nil when it was made with none of the keys.
    private func token(_ text: String, in place: RefreshToken.Place) -> RefreshToken? {
        keys.firstThat { RefreshToken(text, key: place.key(from: $0)) }
    }

    /// Rotates a refresh token. One that was used before ends its session: somebody else may have it.
    ///
    /// - Parameters:
    ///   - place: where the client keeps it; one that is kept elsewhere is none.
    ///   - reused: ends the session of a user, by ``end(_:because:with:)``.
    /// - Throws: a problem 401 when the session is over, what `reused` throws, or `PostgresError`.
    package func rotate(
        _ token: String, in place: RefreshToken.Place,
        reused: @Loop (_ session: UUID, _ user: UUID) async throws -> Void
    ) async throws -> Rotation {
        guard let token = self.token(token, in: place) else { throw Problem(.refreshTokenInvalid) }
        let result = try await store.pool.query(
            """
            select verdict, owner, number, is_account
            from refresh_login($1, $2, $3 * interval '1 microsecond', $4 * interval '1 microsecond')
            """,
            [
                .uuid(token.session), .int(token.number), .double(Double(grace(in: place).microseconds)),
                .double(Double(idleLimit.microseconds)),
            ])
        let row = result.rows[0]
        switch row.text(0) {
        case "turned", "repeated":
            let next = RefreshToken(session: token.session, number: row.int(2)).text(
                key: place.key(from: keys.present))
            return Rotation(
                session: token.session, user: row.uuid(1), hasAccount: row.bool(3), refreshToken: next,
                isRepeat: row.text(0) == "repeated")
        case "reused":
            try await reused(token.session, row.uuid(1))
            throw Problem(.refreshTokenReused)
        default: throw Problem(.refreshTokenInvalid)
        }
    }

    /// How long the token before the newest gives the newest again: natively a moment, on the compatible surface for as long as the
    /// newest is unused, because that is what its clients rely on after a dead connection (`docs/decisions/tokens.md`).
    private func grace(in place: RefreshToken.Place) -> Duration {
        switch place {
        case .body, .cookie: grace
        case .compatible: lifetime
        }
    }

    /// A user's sessions, the one that was used last first.
    ///
    /// - Throws: `PostgresError`.
    package func list(of user: UUID) async throws -> [Entry] {
        // The beginning of older ones follows from their end.
        try await store.pool.query(
            """
            select session, device, coalesce(begun_at, expires_at - $2 * interval '1 microsecond'), turned_at,
                case when surface is null then least(expires_at, turned_at + $3 * interval '1 microsecond')
                    else expires_at end
            from logins where user_id = $1 and expires_at > clock_timestamp()
                and (surface is not null or turned_at > clock_timestamp() - $3 * interval '1 microsecond')
            order by turned_at desc, session
            """,
            [
                .uuid(user), .double(Double(lifetime.microseconds)), .double(Double(idleLimit.microseconds)),
            ]
        ).rows.map { row in
            Entry(
                session: row.uuid(0), device: row.optional(1, PostgresRow.text), begunAt: row.time(2),
                usedAt: row.time(3), expiresAt: row.time(4))
        }
    }

    /// What the session of an app is called whose client gives its device no name.
    package static let namelessApp = "Meditation Tracker"

    /// Whether a user is signed in to an app on a device of a name. One without a name of its own is never known by it.
    ///
    /// - Throws: `PostgresError`.
    package func hasApp(of user: UUID, on device: String) async throws -> Bool {
        if device == Self.namelessApp { return false }
        return try await store.pool.query(
            """
            select exists (select from logins where user_id = $1 and surface is not null and device = $2
                and expires_at > clock_timestamp())
            """, [.uuid(user), .text(device)]
        ).rows[0].bool(0)
    }

    // MARK: Ending

    /// Ends another session of the caller together with what it began.
    ///
    /// - Parameter append: gets the end, or none when it is over meanwhile; asked again while it is refused with `login-begun`.
    /// - Returns: false if the caller has no such session.
    /// - Throws: what `append` throws, `AppendError` or `PostgresError`.
    package func end(
        _ session: UUID, by caller: Caller, with append: @Loop (_ ends: [Decision]) async throws -> Append
    ) async throws -> Bool {
        guard try await list(of: caller.user).contains(where: { $0.session == session }) else { return false }
        try await end(session, because: .signedOut, with: append)
        return true
    }

    /// Ends a session together with what it began.
    ///
    /// - Parameter append: gets the end, or none when it is over; asked again while it is refused with `login-begun`.
    /// - Throws: what `append` throws, `AppendError` or `PostgresError`.
    package func end(
        _ session: UUID, because reason: LoginEnding, with append: @Loop (_ ends: [Decision]) async throws -> Append
    ) async throws {
        _ = try await appending {
            let rows = try await self.store.pool.query(
                "select \(Self.columns) from logins where session = $1", [.uuid(session)]
            ).rows
            return try await append(try await self.ends(rows, because: reason))
        }
    }

    /// Ends the session of a refresh token; nothing happens when the token is not one of ours or its session is over.
    ///
    /// - Throws: `AppendError` or `PostgresError`.
    package func signOut(_ token: String, in place: RefreshToken.Place, _ request: Request) async throws {
        guard let token = self.token(token, in: place) else { return }
        try await end(token.session, because: .signedOut, request)
    }

    /// Ends the session of an access token; nothing happens when it is over.
    ///
    /// - Throws: `AppendError` or `PostgresError`.
    package func signOut(_ caller: Caller, _ request: Request) async throws {
        try await end(caller.session, because: .signedOut, request)
    }

    private func end(_ session: UUID, because reason: LoginEnding, _ request: Request) async throws {
        let row = try await store.pool.query(
            "select \(Self.columns) from logins where session = $1", [.uuid(session)]
        ).first
        guard let row else { return }
        let end = end(row, because: reason)
        do {
            _ = try await CommandHandler<LoginSession>(store).handle(
                .end(end), on: LoginSession.stream(session), id: .v7(), requestHash: session.bytes,
                metadata: request.metadata(owner: end.user)
            ) { _, _ in [] }
        } catch AppendError.erased {
            // It went with its user.
        }
    }

    /// Ends all of a user's sessions but one together with something that makes them worthless.
    ///
    /// - Parameters:
    ///   - proof: the only one with which those that end were begun; nil for any.
    ///   - append: gets the ends, and a guard that refuses the append when another such session has begun meanwhile;
    ///     then it is asked again.
    /// - Returns: where it was recorded.
    /// - Throws: what `append` throws, `AppendError` or `PostgresError`.
    @discardableResult
    package func end(
        of user: UUID, by proof: Proof? = nil, but session: UUID?, because reason: LoginEnding,
        _ metadata: EventMetadata,
        with append: @Loop (_ ends: [Decision], _ noOther: RowCall) async throws -> Append
    ) async throws -> AppendReceipt {
        let kept = session ?? .zero
        try await endUnused(of: user, beyond: Self.most, keeping: kept, metadata)
        return try await appending {
            let rows = try await self.store.pool.query(
                """
                select \(Self.columns) from logins
                where user_id = $1 and session <> $2 and ($3::text is null or amr = $3)
                """, [.uuid(user), .uuid(kept), .optional(proof?.rawValue, PostgresValue.text)]
            ).rows
            return try await append(
                try await self.ends(rows, because: reason), AccessRows.noOtherLogins(user, kept, proof?.rawValue))
        }
    }

    /// What ends all of a user's sessions together with the beginning of another one, which is refused with `login-begun` while there
    /// are others still.
    package func replacingAll(
        of user: UUID, because reason: LoginEnding, rows: [RowCall],
        decisions: @escaping @Loop () async throws -> [Decision]
    ) -> Company {
        Company(rows: [AccessRows.noOtherLogins(user, .zero, nil)] + rows) {
            let logins = try await store.pool.query(
                "select \(Self.columns) from logins where user_id = $1", [.uuid(user)]
            ).rows
            return try await decisions() + ends(logins, because: reason)
        }
    }

    /// Appends what is asked again while something that it ends begins meanwhile.
    private func appending(_ make: @Loop () async throws -> Append) async throws -> AppendReceipt {
        for round in 1... {
            do {
                return try await store.append(deciding: make)
            } catch AppendError.guarded(.loginBegun) where round < 8 {
                continue
            }
        }
        preconditionFailure("The loop above ends by returning or throwing.")
    }

    /// Ends those of a user's sessions that were unused for longest, until no more than so many are left.
    private func endUnused(
        of user: UUID, beyond count: Int64, keeping kept: UUID = .zero, _ metadata: EventMetadata
    ) async throws {
        while true {
            // Numbered within their sort, so that those with the highest numbers are of the sort of which there are more.
            let rows = try await store.pool.query(
                """
                select \(Self.columns) from logins where user_id = $1
                order by session = $4 desc,
                    row_number() over (partition by surface is null order by turned_at desc, session), surface is null
                offset $2 limit $3
                """, [.uuid(user), .int(count), .int(Self.most), .uuid(kept)]
            ).rows
            if rows.isEmpty { return }
            try await store.append {
                Append(
                    id: .v7(), requestHash: [], metadata: metadata,
                    decisions: try await self.ends(rows, because: .tooMany))
            }
        }
    }

    /// Ends the sessions of apps whose users are not let in any more: nobody asks again when such a token is used. One that cannot
    /// be ended or asked about does not keep the others from it.
    ///
    /// - Throws: ``NotEnded`` after all were tried, `PostgresError` when they cannot be read, or `CancellationError`.
    package func endAppLogins(unless isLetIn: @Loop (UUID) async throws -> Bool) async throws {
        let rows = try await store.pool.query(
            "select \(Self.columns) from logins where surface is not null order by user_id"
        ).rows
        var notEnded: NotEnded?
        for row in rows {
            do {
                if try await isLetIn(row.uuid(1)) { continue }
                let metadata = EventMetadata(
                    owner: row.uuid(1), correlation: .v7(), actor: ServiceName.identity.rawValue)
                try await endEach(of: [row], because: .notAdmitted, metadata)
            } catch {
                if Task.isCancelled { throw CancellationError() }
                notEnded = NotEnded(count: (notEnded?.count ?? 0) + 1, first: notEnded?.first ?? error)
            }
        }
        if let notEnded { throw notEnded }
    }

    /// Some login sessions of apps could not be looked at or ended.
    package struct NotEnded: Error, CustomStringConvertible {
        package let count: Int
        /// Why the first of them could not.
        package let first: any Error

        package var description: String { "\(count) login sessions of apps; the first: \(first)" }
    }

    private func endEach(of rows: [PostgresRow], because reason: LoginEnding, _ metadata: EventMetadata) async throws {
        guard !rows.isEmpty else { return }
        do {
            try await store.append {
                Append(
                    id: .v7(), requestHash: [], metadata: metadata,
                    decisions: try await self.ends(rows, because: reason))
            }
        } catch AppendError.erased {
            // They went with their user.
        }
    }

    private func ends(_ rows: [PostgresRow], because reason: LoginEnding) async throws -> [Decision] {
        var ends: [Decision] = []
        for row in rows {
            let end = end(row, because: reason)
            let login = try await CommandHandler<LoginSession>(store).load(LoginSession.stream(end.session))
            ends.append(login.decide(.end(end)))
        }
        return ends
    }

    /// What ``end(_:because:)`` reads.
    private static let columns = "session, user_id, expires_at, compatible"

    /// The end of the session of a row of ``columns``; that an app's token lasts longer, its stream knows.
    private func end(_ row: PostgresRow, because reason: LoginEnding) -> LoginSessionEnd {
        LoginSessionEnd(
            session: row.uuid(0), user: row.uuid(1), reason: reason,
            tokensUntil: min(.now() + (row.bool(3) ? compatibleTokenLifetime : tokenLifetime), row.time(2)))
    }

    /// Removes the sessions that are over.
    ///
    /// - Throws: `PostgresError`.
    package func sweep() async throws {
        _ = try await store.pool.query(
            """
            delete from logins where expires_at < now()
                or (surface is null and turned_at < now() - $1 * interval '1 microsecond')
            """, [.double(Double(idleLimit.microseconds))])
    }
}

extension Caller {
    /// For the append that the caller's login session allows: refuses it with `login-ended` when the session ended meanwhile,
    /// however good the access token still is.
    package var stands: RowCall { AccessRows.loginStands(session, user) }
}
