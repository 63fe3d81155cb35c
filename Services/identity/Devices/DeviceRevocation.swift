import Access
import Contracts
import EventSourcing
import EventStore
import JSON
import Primitives
import Runtime

/// The end of an anonymous device's secret, for a device that is lost: nobody is let in with it any more, and the login sessions that
/// were begun with it end.
@Loop struct DeviceRevocation {
    let devices: Devices
    private let users: CommandHandler<User>
    private let logins: LoginSessions

    init(_ store: EventStore, _ settings: AccessSettings) {
        devices = Devices(store.pool, settings)
        users = CommandHandler(store)
        logins = LoginSessions(store, settings)
    }

    /// Ends the secret of a device; one that has ended already stays so.
    ///
    /// - Parameters:
    ///   - device: its anonymous user.
    ///   - guards: what else must hold when it is committed.
    /// - Throws: `UserRefusal` for what is no anonymous device, `AppendError` or `PostgresError`.
    func revoke(_ device: UUID, _ metadata: EventMetadata, if guards: [RowCall] = []) async throws {
        try await logins.end(of: device, but: nil, because: .signedOut, metadata) { ends, noOther in
            let decision = try await users.load(User.stream(device)).decide(.revokeDeviceSecret)
            // Before the rows of the ends, with which the login session of a device that asks goes, too.
            return Append(
                id: .v7(), requestHash: [], metadata: metadata, decisions: [decision] + ends, calls: [noOther]
            ).adding(first: guards)
        }
    }
}

extension Devices.Entry {
    /// As clients see it.
    var json: JSONValue {
        [
            "id": .uuid(user), "createdAt": .time(createdAt), "secretChangedAt": .optional(changedAt),
            "lastUsedAt": .optional(usedAt), "handedOverAt": .optional(handedOverAt), "revokedAt": .optional(revokedAt),
        ]
    }
}
