import Access
import EventStore
import HTTPServer
import Mail
import Primitives
import Runtime
import ServiceKit

/// What is told of a sign-in from a device that had not signed in to the account before: a line of the security log, and a
/// mail to the owner.
@Loop struct NewDevices {
    /// Somebody who is about to be let in.
    struct Arrival {
        fileprivate let user: UUID
        fileprivate let isNew: Bool
        /// The mail, for the append that lets them in; none from a known device.
        let mail: [RowCall]
    }

    private let security: SecurityLog
    private let devices: KnownDevices
    private let warnings: OwnerWarnings
    private let outbox: MailOutbox
    private let appLogins: LoginSessions?

    /// - Parameter appLogins: where a client without a cookie jar is known by the name that it gives its device.
    init(
        _ context: ServiceContext, _ devices: KnownDevices, _ warnings: OwnerWarnings, _ outbox: MailOutbox,
        appLogins: LoginSessions? = nil
    ) {
        security = context.security
        self.devices = devices
        self.warnings = warnings
        self.outbox = outbox
        self.appLogins = appLogins
    }

    /// Looks at the device of somebody who is about to be let in.
    ///
    /// - Parameter name: what the client says of its device.
    /// - Throws: `PostgresError`.
    func arrival(of user: UUID, on name: String?, _ request: Request) async throws -> Arrival {
        if devices.knows(request, for: user) { return Arrival(user: user, isNew: false, mail: []) }
        if let appLogins, let name, try await appLogins.hasApp(of: user, on: name) {
            return Arrival(user: user, isNew: false, mail: [])
        }
        return Arrival(user: user, isNew: true, mail: try await warnings.mail(.newDevice, to: user))
    }

    /// Notes what was committed, and sends the mail.
    func note(_ arrival: Arrival, _ request: Request) {
        guard arrival.isNew else { return }
        security.note(.newDevice, of: arrival.user, request)
        outbox.wake()
    }
}
