import Access
import Contracts
import EventStore
import Federation
import HTTPServer
import JSON
import Primitives
import Runtime
import ServiceKit

/// How the practice timer's own client signs in and out (`docs/practice.md`, "The app's own routes").
///
/// | Route | Answer |
/// |---|---|
/// | `POST /api/auth/google` | Google's identity token or code → the app's token |
/// | `POST /api/auth/logout` | the token's login session ends |
@Loop struct AppSignInRoutes {
    private let context: ServiceContext
    private let federation: Federation
    private let federated: @Loop (_ timeZone: String?) -> FederatedSignIn
    private let logins: LoginSessions

    /// - Parameter federated: answers with the app's token, for a client that is in a time zone; nil when it does not say.
    init(
        _ context: ServiceContext, _ settings: AccessSettings, _ federation: Federation,
        _ federated: @escaping @Loop (_ timeZone: String?) -> FederatedSignIn
    ) {
        self.context = context
        self.federation = federation
        self.federated = federated
        logins = LoginSessions(context.store, settings)
    }

    func add(to router: Router, limited: (@escaping Handler) -> Handler) {
        let routes = AppRoutes(router, context, .practice, refusals: IdentityService.problem(of:))
        routes.open("POST", "/api/auth/google", orElse: Self.failed, limited(google)) { Self.error($0) }
        routes.on("POST", "/api/auth/logout", orElse: "Failed to sign out", signOut)
    }

    private static let failed = "An unexpected error occurred during authentication."

    /// The texts that the client shows, where it knows some.
    private nonisolated static func error(_ problem: Problem) -> String {
        switch problem.code {
        case .identityTokenInvalid, .nonceInvalid, .authorizationCodeInvalid: "Google Sign-In failed"
        case .addressNotNamed: "Email not available from Google."
        case .signUpClosed: "Sign-ups are not configured."
        case .addressNotAllowed: "This email is not authorized."
        default: problem.detail
        }
    }

    private func google(_ request: Request) async throws -> Response {
        // The client also sends what Google's library told it of the user, which is ignored: only the token is believed.
        let body = try await request.jsonObject()
        // The client's `User-Agent` is that of its network library, by which nobody knows it.
        let isNamed = try body.optionalString("deviceName") != nil
        let deviceName = isNamed ? try DeviceName.of(request, body) : LoginSessions.namelessApp
        let timeZone = try body.optionalString("timeZone")
        if let timeZone { try await context.zones.check(timeZone) }
        let identity = try await context.security.watching(request, of: nil) { try await self.identity(body) }
        let newcomer = FederatedSignIn.Newcomer(
            displayName: nil, timeZone: timeZone ?? "UTC", terms: nil, device: nil, shown: nil)
        return try await federated(timeZone).letInOrGiveBack(identity, newcomer, on: deviceName, request)
    }

    private func identity(_ body: JSONObject) async throws -> Federation.Identity {
        if let token = try body.optionalString("googleToken") {
            guard let nonce = try body.optionalString("nonce") else {
                return try await federation.identity(of: .google, unbound: token)
            }
            return try await federation.identity(of: .google, .token(token, nonce: nonce))
        }
        guard let code = try body.optionalString("googleAuthCode") else {
            throw Problem.invalidRequest("Missing googleToken in request body")
        }
        let exchange = try AuthorizationCode(body.adding(["code": .string(code)]))
        guard let exchange else { throw Problem.invalidRequest("Missing googleToken in request body") }
        return try await federation.identity(
            of: .google, .code(exchange, nonce: body.optionalString("nonce")))
    }

    private func signOut(_ request: Request, _ caller: Caller) async throws -> Response {
        try await logins.signOut(caller, request)
        return .personal(["message": "Signed out"])
    }
}
