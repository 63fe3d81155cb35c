import Access
import EventStore
import HTTPServer
import JSON
import Primitives
import Runtime
import ServiceKit

/// The anonymous device of whoever signs in to an account that there is already: what was practised on it becomes the account's.
///
/// Only the device's secret shows that it is theirs, and it is sent in the very request that begins the login session: who has no more
/// than an access token of the device takes nothing away.
@Loop struct DeviceHandovers {
    /// A device whose secret was shown.
    struct Shown {
        let user: UUID
        let device: Devices.Checked
    }

    /// The members of a body that show a device.
    static let members = ["deviceId", "deviceSecret"]

    private let users: CommandHandler<User>
    private let security: SecurityLog
    private let devices: Devices
    private let limits: RateLimits
    private let limit: RateLimit

    init(_ context: ServiceContext, _ settings: AccessSettings) {
        limits = RateLimits(context.store.pool, settings)
        limit = settings.limits.handover
        users = CommandHandler(context.store)
        security = context.security
        devices = Devices(context.store.pool, settings)
    }

    /// The device that a body shows; nil when it shows none.
    ///
    /// - Throws: a problem 422 for an id that is none, 401 for an unknown device, another secret or half of the proof, `JSONError` or
    ///   `PostgresError`.
    func shown(_ body: JSONObject, _ request: Request) async throws -> Shown? {
        let id = try body.optionalString("deviceId")
        let secret = try body.optionalString("deviceSecret")
        if id == nil, secret == nil { return nil }
        let user: UUID? = if let id { try await devices.user(of: devices.hash(id)) } else { nil }
        return try await security.watching(request, of: user) {
            guard let user else { throw Problem(.deviceSecretInvalid) }
            return Shown(user: user, device: try await devices.check(secret, of: user))
        }
    }

    /// What hands a device over with the append that lets its bearer in to an account; nothing for the device that became the account.
    ///
    /// - Throws: a problem 429 when the device was handed over too often, or `PostgresError`.
    func handing(_ shown: Shown?, to account: UUID) async throws -> LoginSessions.Company {
        guard let shown, shown.user != account else { return LoginSessions.Company() }
        // Each time services look at all that the device has.
        try await limits.take(limit, "handover \(shown.user)")
        return LoginSessions.Company(rows: [shown.device.stands]) {
            do {
                return [try await users.load(User.stream(shown.user)).decide(.handOver(to: account, at: .now()))]
            } catch UserRefusal.exists {
                throw Problem(.deviceHasAccount)
            } catch is UserRefusal {
                throw Problem(.deviceSecretInvalid)
            }
        }
    }
}
