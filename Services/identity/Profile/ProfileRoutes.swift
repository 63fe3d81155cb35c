import Access
import EventStore
import HTTPServer
import JSON
import Primitives
import Runtime
import ServiceKit

/// The caller's own profile.
@Loop struct ProfileRoutes {
    private let store: EventStore
    private let owners: OwnerReads
    private let zones: TimeZones

    init(_ context: ServiceContext) {
        store = context.store
        owners = context.owners
        zones = context.zones
    }

    func read(_ request: Request, _ caller: Caller) async throws -> Response { try await answer(caller.user) }

    func change(_ request: Request, _ caller: Caller) async throws -> Response {
        let user = caller.user
        let body = try await request.jsonObject()
        try body.allow("displayName", "timeZone")
        var displayName: String??
        if body["displayName"] != nil {
            displayName = .some(try DisplayName.checked(body.optionalString("displayName")))
        }
        let timeZone = try body.optionalString("timeZone")
        if let timeZone { try await zones.check(timeZone) }
        let row = IdentityRows.changeProfile(of: user, displayName: displayName, timeZone: timeZone)
        do {
            if let timeZone {
                try await CommandHandler<User>(store).put(
                    .changeTimeZone(timeZone), by: caller, request, requestHash: user.bytes, rows: [row])
            } else {
                try await store.append(
                    Append(
                        id: .v7(), requestHash: [], metadata: request.metadata(owner: user), writes: [],
                        calls: [caller.stands, row]))
            }
        } catch AppendError.erased {
            throw Problem.userGone
        }
        return try await answer(user)
    }

    private func answer(_ user: UUID) async throws -> Response {
        .personal(["user": try await UserView(user, owners).json])
    }
}
