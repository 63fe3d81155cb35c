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
    private let security: SecurityLog
    private let devices: KnownDevices
    private let warnings: OwnerWarnings
    private let outbox: MailOutbox

    init(_ context: ServiceContext, _ devices: KnownDevices, _ warnings: OwnerWarnings, _ outbox: MailOutbox) {
        security = context.security
        self.devices = devices
        self.warnings = warnings
        self.outbox = outbox
    }

    /// The mail, for the append that lets somebody in; none for a known device.
    ///
    /// - Throws: `PostgresError`.
    func mail(to user: UUID, _ request: Request) async throws -> [RowCall] {
        if devices.knows(request, for: user) { return [] }
        return try await warnings.mail(.newDevice, to: user)
    }

    /// Notes what was committed, and sends the mail.
    func note(_ user: UUID, _ request: Request) {
        guard !devices.knows(request, for: user) else { return }
        security.note(.newDevice, of: user, request)
        outbox.wake()
    }
}
