import Access
import Contracts
import EventSourcing
import EventStore
import HTTPServer
import JSON
import Mail
import Postgres
import Primitives
import Runtime
import ServiceKit

/// What operators ask of accounts.
///
/// | Route (admin port) | Answer |
/// |---|---|
/// | `POST /operator/users/find` `{email}` or `{id}` | `{id}` of the account with the address, or of the user if there is one, or 404 |
/// | `POST /operator/users/remove-second-factor` `{id}` | 204; 409 when there is none |
/// | `POST /operator/users/end-login-sessions` `{id}` | 204 when none lasts any more, or 404 |
/// | `POST /operator/users/devices` `{id}` | `{items}`, as the user sees them in `GET /v1/me/devices` |
/// | `POST /operator/users/revoke-device` `{id}` | 204 when no secret of the anonymous device lets anybody in; 404 when there is none, 409 when it is an account |
@Loop struct IdentityOperators {
    let store: EventStore
    let logins: LoginSessions
    let revocation: DeviceRevocation
    let eviction: EmailChangeEviction
    let outbox: MailOutbox
    let security: SecurityLog

    func add(to routes: OperatorRoutes) {
        // The address stands in the body, because paths and queries are logged.
        routes.on("POST", "/operator/users/find") { request in
            let body = try await request.jsonObject()
            try body.allow("email", "id")
            if let user = try body.optionalUUID("id") {
                // As events tell of them: an anonymous device is a user, too.
                guard try await !store.read(StreamName(User.category, user)).isEmpty else {
                    throw Problem(.accountUnknown)
                }
                return .json(["id": .uuid(user)])
            }
            let email = try EmailAddress(body.string("email"))
            let row = try await store.pool.query(
                "select user_id from credentials where email_key = $1", [.text(email.key)]
            ).first
            guard let row else { throw Problem(.accountUnknown) }
            return .json(["id": .uuid(row.uuid(0))])
        }
        onUser("remove-second-factor", routes, removeSecondFactor)
        onUser("end-login-sessions", routes, endLoginSessions)
        onUser("devices", routes) { user, _ in
            .json(["items": .array(try await revocation.devices.list(of: user).map(\.json))])
        }
        onUser("revoke-device", routes, revokeDevice)
    }

    /// Adds a route that is about the user whom the body names.
    private func onUser(
        _ path: String, _ routes: OperatorRoutes, _ work: @escaping @Loop (UUID, Request) async throws -> Response
    ) {
        routes.on("POST", "/operator/users/\(path)") { request in
            let body = try await request.jsonObject()
            try body.allow("id")
            return try await work(body.uuid("id"), request)
        }
    }

    /// For somebody who has lost the device and cannot do so themselves. Nothing gives the device its secret back.
    private func revokeDevice(_ device: UUID, _ request: Request) async throws -> Response {
        do {
            try await revocation.revoke(device, request.metadata(owner: device, actor: "operator"))
        } catch AppendError.erased {
            throw Problem(.deviceUnknown)
        } catch UserRefusal.exists {
            throw Problem(
                .deviceHasAccount,
                detail: "The device has become an account: end its login sessions with users sign-out.")
        } catch is UserRefusal {
            throw Problem(.deviceUnknown)
        }
        security.note(.deviceSecretRevoked, of: device, request, ["actor": "operator"])
        return .noContent
    }

    /// For somebody who cannot do so themselves; who knows the password signs in again. Another address that waits is given up: nobody
    /// knows whose wish it is.
    private func endLoginSessions(_ user: UUID, _ request: Request) async throws -> Response {
        guard try await store.pool.query("select from profiles where user_id = $1", [.uuid(user)]).count > 0 else {
            throw Problem(.accountUnknown)
        }
        let metadata = request.metadata(owner: user, actor: "operator")
        do {
            var isWithdrawn = false
            try await logins.end(of: user, but: nil, because: .signedOut, metadata) { ends, noOther in
                let change = try await eviction.outcome(for: user, but: nil)
                isWithdrawn = change.isWithdrawn
                return Append(
                    id: .v7(), requestHash: [], metadata: metadata, decisions: change.decisions + ends,
                    calls: [noOther] + change.calls)
            }
            if isWithdrawn { noteWithdrawn(user, request) }
        } catch AppendError.erased {
            throw Problem(.accountUnknown)
        } catch is UserRefusal {
            throw Problem(.accountUnknown)
        }
        return .noContent
    }

    private func noteWithdrawn(_ user: UUID, _ request: Request) {
        security.note(.emailChangeWithdrawn, of: user, request, ["actor": "operator"])
        outbox.wake()
    }

    /// For somebody who has lost app and recovery codes; they hear of it by mail, and of another address that waited and is given up.
    private func removeSecondFactor(_ user: UUID, _ request: Request) async throws -> Response {
        do {
            let outcome = try await CommandHandler<User>(store).handle(
                .liftSecondFactor, on: User.stream(user), id: .v7(), requestHash: user.bytes,
                metadata: request.metadata(owner: user, actor: "operator")
            ) { state, _ in
                let change = state.emailChange == nil ? [] : [AccountMails.Kind.changeWithdrawn.queueing(to: user)]
                return [AccountMails.Kind.secondFactorRemoved.queueing(to: user)] + change
            }
            if outcome.events.contains(.emailChangeWithdrawn(user)) { noteWithdrawn(user, request) }
        } catch AppendError.erased {
            throw Problem(.accountUnknown)
        } catch UserRefusal.unknown {
            throw Problem(.accountUnknown)
        }
        security.note(.secondFactorRemoved, of: user, request, ["actor": "operator"])
        outbox.wake()
        return .noContent
    }
}
