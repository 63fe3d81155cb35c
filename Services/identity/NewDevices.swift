import Access
import EventStore
import HTTPServer
import Mail
import Primitives
import Runtime
import ServiceKit

/// What is told of a sign-in from a device that had not signed in to the account before: a line of the security log, and a
/// mail to the owner. An address that nobody confirmed may be a stranger's, and gets none.
@Loop struct NewDevices {
    private let security: SecurityLog
    private let credentials: Credentials
    private let devices: KnownDevices
    private let limits: RateLimits
    private let mailLimit: RateLimit
    private let outbox: MailOutbox

    init(
        _ context: ServiceContext, _ settings: AccessSettings, _ credentials: Credentials, _ devices: KnownDevices,
        _ limits: RateLimits, _ outbox: MailOutbox
    ) {
        security = context.security
        self.credentials = credentials
        self.devices = devices
        self.limits = limits
        mailLimit = settings.limits.accountMail
        self.outbox = outbox
    }

    /// The mail, for the append that lets somebody in; none for a known device, and none beyond what an account gets of one
    /// kind: whoever signs in again and again has been told of already.
    ///
    /// - Throws: `PostgresError`.
    func mail(to user: UUID, _ request: Request) async throws -> [RowCall] {
        guard !devices.knows(request, for: user), try await credentials.proofs(of: user).contains(.mail) else {
            return []
        }
        do {
            try await limits.take(mailLimit, "\(AccountMails.Kind.newDevice.rawValue) \(user)")
        } catch is Problem {
            return []
        }
        return [AccountMails.Kind.newDevice.queueing(to: user)]
    }

    /// Notes what was committed, and sends the mail.
    func note(_ user: UUID, _ request: Request) {
        guard !devices.knows(request, for: user) else { return }
        security.note(.newDevice, of: user, request)
        outbox.wake()
    }
}
