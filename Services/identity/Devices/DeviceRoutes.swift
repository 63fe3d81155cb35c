import Access
import Crypto
import EventStore
import HTTPServer
import JSON
import Primitives
import Runtime
import ServiceKit

/// Anonymous devices.
@Loop struct DeviceRoutes {
    private let users: CommandHandler<User>
    private let zones: TimeZones
    private let security: SecurityLog
    private let credentials: Credentials
    private let devices: Devices
    private let limits: RateLimits
    private let rate: AccessLimits
    private let signUpRule: SignUpRule
    private let answers: LoginAnswers

    init(
        _ context: ServiceContext, _ settings: AccessSettings, _ credentials: Credentials, _ limits: RateLimits,
        _ answers: LoginAnswers
    ) {
        users = CommandHandler(context.store)
        zones = context.zones
        security = context.security
        self.credentials = credentials
        devices = Devices(context.store.pool, settings)
        self.limits = limits
        rate = settings.limits
        signUpRule = settings.signUpRule
        self.answers = answers
    }

    /// Lets an anonymous device in. The first call makes a user and answers a secret that all later calls need.
    func enter(_ request: Request) async throws -> Response {
        let body = try await request.jsonObject()
        try body.allow("deviceId", "deviceSecret", "timeZone", "deviceName")
        let hash = try devices.hash(body.string("deviceId"))
        let name = try DeviceName.of(request, body)
        if let user = try await devices.user(of: hash) {
            return try await enter(known: user, body.optionalString("deviceSecret"), named: name, request)
        }
        try signUpRule.requireOpen(to: nil)
        let timeZone = try body.optionalString("timeZone") ?? "UTC"
        let user = UUID.v7()
        let session = try await begin(
            user, timeZone: timeZone, named: name, request, requestHash: hash, with: [devices.adding(hash, of: user)])
        return try await answers.welcome(
            user, .device, session, request, status: 201, adding: ["deviceSecret": .string(devices.secret(of: user))])
    }

    /// Lets in an anonymous device of a client that keeps no secret: it lasts as long as its login session, or until it becomes an
    /// account.
    ///
    /// - Parameter metadata: what the client keeps with it.
    /// - Throws: a problem 403 where nobody signs up, 429; as `LoginAnswers.welcome`.
    func enterWithoutSecret(metadata: JSONObject, on name: String?, _ request: Request) async throws -> Response {
        try signUpRule.requireOpen(to: nil)
        let user = UUID.v7()
        let session = try await begin(
            user, timeZone: "UTC", named: name, request, requestHash: user.bytes,
            with: metadata.isEmpty ? [] : [IdentityRows.mergeMetadata(of: user, metadata)])
        return try await answers.welcome(user, .device, session, request, status: 201)
    }

    /// Registers a device and begins its first login session.
    private func begin(
        _ user: UUID, timeZone: String, named name: String?, _ request: Request, requestHash: [UInt8],
        with rows: [RowCall]
    ) async throws -> UUID {
        try await limits.take(rate.device, from: request.clientNetworks)
        try await zones.check(timeZone)
        let login = answers.login(of: user, by: [.device], on: name, in: timeZone)
        try await users.put(
            .registerDevice(user, timeZone: timeZone), to: user, request, requestHash: requestHash,
            rows: [IdentityRows.putProfile(of: user, timeZone: timeZone)] + rows + login.rows)
        return login.session
    }

    private func enter(known user: UUID, _ secret: String?, named name: String?, _ request: Request) async throws
        -> Response
    {
        try await limits.take(rate.signIn, from: request.clientNetworks)
        let device = try await security.watching(request, of: user) {
            try await devices.check(secret, of: user)
        }
        if try await credentials.hasAccount(user) { throw Problem(.deviceHasAccount) }
        return try await answers.begin(
            user, .device, by: [.device], on: name, request, status: 200, if: [device.stands])
    }
}
