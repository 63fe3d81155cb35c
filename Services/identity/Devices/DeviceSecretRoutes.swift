import Access
import Contracts
import EventStore
import HTTPServer
import JSON
import Primitives
import Runtime
import ServiceKit

/// Another secret for an anonymous device, when somebody else may know the one that it has.
@Loop struct DeviceSecretRoutes {
    private let users: CommandHandler<User>
    private let security: SecurityLog
    private let credentials: Credentials
    private let devices: Devices
    private let logins: LoginSessions
    private let limits: RateLimits
    private let changeLimit: RateLimit
    private let fresh: FreshSignIn

    init(
        _ context: ServiceContext, _ settings: AccessSettings, _ credentials: Credentials, _ limits: RateLimits
    ) {
        users = CommandHandler(context.store)
        security = context.security
        self.credentials = credentials
        devices = Devices(context.store.pool, settings)
        logins = LoginSessions(context.store, settings)
        self.limits = limits
        changeLimit = settings.limits.accountChanges
        fresh = FreshSignIn(context.settings)
    }

    /// Gives a new secret. The old one opens nothing any more, and the login sessions that somebody may have begun with it
    /// end: all but the one that asks.
    func change(_ request: Request, _ caller: Caller) async throws -> Response {
        let user = caller.user
        guard try await !credentials.hasAccount(user) else { throw Problem(.deviceHasAccount) }
        try await fresh.require(caller) { try await credentials.proofs(of: user).map(\.rawValue) }
        return try await limits.counting(changeLimit, provenBy: caller) { try await changed(request, caller) }
    }

    private func changed(_ request: Request, _ caller: Caller) async throws -> Response {
        let user = caller.user
        let metadata = request.metadata(owner: user)
        do {
            try await logins.end(of: user, but: caller.session, because: .signedOut, metadata) { ends, noOther in
                // Before the number, so that another change in between is a conflict and not a wrong number.
                let decision = try await users.load(User.stream(user)).decide(.changeDeviceSecret)
                let number = (try await devices.secretNumber(of: user) ?? 0) + 1
                return Append(
                    id: .v7(), requestHash: [], metadata: metadata, decisions: [decision] + ends,
                    calls: [caller.stands, devices.changingSecret(of: user, to: number), noOther])
            }
        } catch AppendError.erased {
            throw Problem.userGone
        }
        security.note(.deviceSecretChanged, of: user, request)
        guard let number = try await devices.secretNumber(of: user) else { throw Problem.userGone }
        return .personal(["deviceSecret": .string(devices.secret(of: user, number: number))])
    }
}
