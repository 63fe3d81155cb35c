import Access
import Contracts
import Federation
import HTTPServer
import JSON
import ServiceKit
import identity
import sessions

/// The practice timer's own routes.
extension Operations {
    private static func query(_ name: String, _ meaning: String, _ schema: JSONValue) -> Operation.Parameter {
        Operation.Parameter(name: name, place: "query", meaning: meaning, isRequired: false, schema: schema)
    }

    private static let telling: [ProblemCode] = [
        .invalidRequest, .timeZoneInvalid, .practiceInFuture, .practiceTooOld, .practiceDayFull,
    ]

    /// What a client that keeps cookies sends by itself.
    private static let knownPhone = Operation.Parameter(
        name: "mirrormate-app-devices", place: "cookie",
        meaning:
            """
            From an earlier answer under /api/auth: the device signed in before, so its owner hears nothing of it. With https \
            its name begins with __Host-.
            """,
        isRequired: false, schema: ["type": "string"])

    static let app = [
        Operation(
            .identity, "POST", "/api/auth/google", "appSignInWithGoogle",
            "Signs in the practice timer with Google's identity token or code, and up whoever comes for the first time.",
            .anybody, parameters: [knownPhone], body: "AppSignIn",
            [ok("AppWelcome", "Signed in: the token lasts until it is ended, 90 days at most.")],
            [
                .tooManyAttempts, .invalidRequest, .deviceNameInvalid, .timeZoneInvalid, .identityTokenInvalid,
                .nonceInvalid,
                .authorizationCodeInvalid, .providerUnavailable, .providerOff, .identityAddressTaken,
                .secondFactorNeeded,
                .secondFactorRequired, .signUpClosed, .addressNotAllowed, .addressNotNamed, .emailUnverified,
            ], errors: .app),
        Operation(
            .identity, "POST", "/api/auth/logout", "appSignOut", "Ends the token's login session.", .app,
            [ok("AppMessage", "The token opens nothing any more.")]),
        Operation(
            .sessions, "POST", "/api/sessions", "appSaveSession",
            "Logs a session that is over, or up to 500 with a verdict for each. Told again, it is the same session.",
            .app,
            body: "AppSession",
            [ok("AppVerdicts", "Many were sent: a verdict for each, in order."), ok("AppSaved", "It is logged.", 201)],
            telling + [.practiceExists, .practiceDeleted]),
        Operation(
            .sessions, "GET", "/api/sessions", "appSessions", "The caller's sessions, newest first.", .app,
            parameters: page, [ok("AppSessions", "A page.")], [.invalidRequest]),
        Operation(
            .sessions, "PUT", "/api/sessions/{id}", "appCorrectSession", "Says how a session was instead.", .app,
            body: "AppSession", [ok("AppSaved", "As it is now.")], telling + [.notFound, .correctionsUsedUp]),
        Operation(
            .sessions, "DELETE", "/api/sessions/{id}", "appDeleteSession", "Deletes a session: it counts no longer.",
            .app, [ok("AppMessage", "It is gone.")], [.notFound]),
        Operation(
            .reporting, "GET", "/api/analytics", "appAnalytics",
            "What was practised in a range, and the streaks of all time.", .app,
            parameters: [
                query("startDate", "A date or a time: the period begins then.", ["type": "string"]),
                query("endDate", "A date or a time, which is not part of the period.", ["type": "string"]),
                query(
                    "range", "Instead of both: a range that ends today.",
                    ["type": "string", "enum": ["7d", "1m", "3m", "6m", "1y", "3y", "5y"]]),
                query(
                    "timeZone", "Where days are counted; by default where the latest session was.", ["type": "string"]),
            ], [ok("AppAnalytics", "The numbers.")], [.invalidRequest, .timeZoneInvalid]),
    ]
}
