import Access
import EventStore
import HTTPServer
import JSON
import Primitives
import Runtime
import ServiceKit

/// The anonymous devices whose secrets somebody may end: their own, and those whose practice came to their account. No route tells a
/// secret.
@Loop struct DeviceRevocationRoutes {
    private let security: SecurityLog
    private let credentials: Credentials
    private let revocation: DeviceRevocation
    private let fresh: FreshSignIn

    init(_ context: ServiceContext, _ settings: AccessSettings, _ credentials: Credentials) {
        security = context.security
        self.credentials = credentials
        revocation = DeviceRevocation(context.store, settings)
        fresh = FreshSignIn(context.settings)
    }

    /// All of them, the one that was used last first.
    func list(_ request: Request, _ caller: Caller) async throws -> Response {
        let items = try await revocation.devices.list(of: caller.user).map { device -> JSONValue in
            .object((device.json.objectValue ?? [:]).adding(["current": .bool(device.user == caller.user)]))
        }
        return .personal(["items": .array(items)])
    }

    /// Ends the secret of one. Nothing gives it back, so it asks anew who the caller is.
    func revoke(_ request: Request, _ caller: Caller) async throws -> Response {
        let device = try request.id("id")
        guard try await revocation.devices.list(of: caller.user).contains(where: { $0.user == device }) else {
            throw Problem.notFound
        }
        try await fresh.require(caller) { try await credentials.proofs(of: caller.user).map(\.rawValue) }
        // A device's own login session ends with the append, which holds that it had not ended before.
        let metadata = request.metadata(owner: device, actor: caller.user.description)
        do {
            try await revocation.revoke(device, metadata, if: [caller.stands])
        } catch AppendError.erased {
            throw Problem.notFound
        } catch UserRefusal.exists {
            // It became an account meanwhile.
            throw Problem.notFound
        }
        security.note(.deviceSecretRevoked, of: device, request)
        return .noContent
    }
}
