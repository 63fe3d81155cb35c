import Access
import CompatibleSurface
import Contracts
import EventStore
import HTTPServer
import JSON
import Postgres
import Primitives
import Runtime
import ServiceKit

/// `/auth/v1/admin`: users, for the operator's own server, which has the service key. What is done is what people do themselves, by the
/// same rules, but that nobody is asked who they are.
@Loop struct CompatibleAdmin {
    /// Who acts, in events and in the security log.
    private static let actor = "service-key"
    private static let mostOfPage: Int64 = 1_000

    private let pool: PostgresPool
    private let settings: AccessSettings
    private let security: SecurityLog
    private let native: CompatibleAuth.Routes

    init(_ context: ServiceContext, _ settings: AccessSettings, _ native: CompatibleAuth.Routes) {
        pool = context.store.pool
        self.settings = settings
        security = context.security
        self.native = native
    }

    func add(to routes: CompatibleRoutes) {
        on("GET", "", routes, list)
        on("POST", "", routes, create)
        on("GET", "/{id}", routes) { try await answer(try Self.id($0)) }
        on("DELETE", "/{id}", routes, delete)
    }

    /// Adds a route for the service key alone.
    private func on(_ method: String, _ path: String, _ routes: CompatibleRoutes, _ answer: @escaping Handler) {
        routes.on(method, "/admin/users\(path)") { [security] request, caller in
            guard caller == .service else {
                guard request.bearerToken != nil else {
                    throw CompatibleError(
                        401, "no_authorization", "This endpoint requires a Bearer token: send the service key.")
                }
                throw CompatibleError(403, "not_admin", "User not allowed: send the service key as bearer.")
            }
            security.note(.operatorAction, of: nil, request)
            return try await answer(request)
        }
    }

    private func list(_ request: Request) async throws -> Response {
        let page = max(1, request.query("page").flatMap { Int64($0) } ?? 1)
        let size = min(Self.mostOfPage, max(1, request.query("per_page").flatMap { Int64($0) } ?? 50))
        // Beyond this nobody is.
        let skipped = min(page - 1, Int64(Int32.max)) * size
        let (users, total) = try await CompatibleUser.list(size, after: skipped, pool)
        var response = Response.personal([
            "users": .array(users.map(\.json)), "aud": "authenticated",
        ])
        response.headers["X-Total-Count"] = String(total)
        let last = max(1, (total + size - 1) / size)
        let next = page < last ? "<\(request.path)?page=\(page + 1)&per_page=\(size)>; rel=\"next\", " : ""
        response.headers["Link"] = next + "<\(request.path)?page=\(last)&per_page=\(size)>; rel=\"last\""
        return response
    }

    private func create(_ request: Request) async throws -> Response {
        let body = try await request.compatibleObject()
        for name in ["phone", "app_metadata", "id", "ban_duration", "password_hash"] where body[name] != nil {
            if body[name]?.objectValue?.isEmpty == true || body[name]?.stringValue?.isEmpty == true { continue }
            throw CompatibleAuth.invalid("Leave \(name) out: it is not kept here.")
        }
        guard let email = try body.optionalString("email"), let password = try body.optionalString("password") else {
            throw CompatibleAuth.invalid("Send email and password.")
        }
        let metadata = try body.optionalObject("user_metadata") ?? [:]
        let application = SignUpRoutes.Application(
            email: try EmailAddress(email), password: password,
            shortestPassword: settings.shortestCompatiblePassword,
            displayName: CompatibleAuth.displayName(metadata), metadata: metadata, beginsSession: false,
            vouched: body["email_confirm"]?.boolValue ?? false)
        do {
            guard case .made(let user, session: _) = try await native.signUp.signUp(application, request) else {
                throw Problem(.userExists)
            }
            return try await answer(user)
        } catch let problem as Problem where problem.code == .emailTaken {
            throw CompatibleError(
                422, "email_exists", "A user with this email address has already been registered.")
        } catch AppendError.guarded(.metadataTooLong) {
            throw CompatibleAuth.metadataTooLong
        }
    }

    /// Erases the user everywhere; what other services have goes within seconds.
    private func delete(_ request: Request) async throws -> Response {
        let user = try Self.id(request)
        guard try await CompatibleUser(user, pool) != nil else { throw Self.unknown }
        do {
            try await native.erasures.erase(user, actor: Self.actor, request)
        } catch UserRefusal.unknown {
            throw Self.unknown
        }
        return .personal([:])
    }

    private func answer(_ user: UUID) async throws -> Response {
        guard let view = try await CompatibleUser(user, pool) else { throw Self.unknown }
        return .personal(view.json.objectValue ?? [:])
    }

    private static func id(_ request: Request) throws(CompatibleError) -> UUID {
        guard let id = request.parameters["id"].flatMap({ CompatibleValue.uuid($0) }) else {
            throw CompatibleError(404, "validation_failed", "user_id must be an UUID")
        }
        return id
    }

    private static let unknown = CompatibleError(
        404, "user_not_found", "User not found: list the users that there are.")
}
