package import Contracts
package import HTTPServer
import JSON
import ServiceKit
import identity
import quota

/// One route as clients see it, for the OpenAPI document. A test compares the list with the routers.
package struct Operation: Sendable {
    /// Who may call it.
    package enum Caller: Sendable {
        case anybody
        /// With an access token.
        case user
        /// With or without one.
        case either
        /// With the token of the app whose routes they are.
        case app
    }

    /// In which form errors are answered.
    package enum ErrorForm: Sendable {
        /// Problem documents (RFC 9457).
        case problem
        /// As the client of an app knows them; what the gateway and HTTP itself answer is a problem document.
        case app
    }

    package let service: ServiceName
    package let method: String
    package let path: String
    package let id: String
    package let summary: String
    package let caller: Caller
    /// Query and header parameters; path parameters are derived from the path.
    let parameters: [Parameter]
    /// The name of the request body's schema, or of a kind of file; nil without a body.
    let body: String?
    /// Whether its body is a JSON document.
    package var takesJSON: Bool { body != nil && fileTypes == nil }
    /// The media types of the file that its body is; nil for another body, or none.
    var fileTypes: [String]? { body.flatMap { Schemas.files[$0] } }
    let answers: [Answer]
    /// The route's own problems; those of tokens, bodies and HTTP itself are added automatically.
    let problems: [ProblemCode]
    /// The problems of tokens that it does not answer with, because it serves such callers too.
    let serving: [ProblemCode]
    let errors: ErrorForm
    /// Whether what it answers is in the database; else it is known from the settings.
    package let isKept: Bool

    struct Parameter: Sendable {
        let name: String
        let place: String
        let meaning: String
        let isRequired: Bool
        let schema: JSONValue
    }

    struct Answer: Sendable {
        let status: Int
        let meaning: String
        /// The name of its schema; nil for an answer without a body.
        let schema: String?
        var contentType = "application/json"
        /// Further media types of the same.
        var otherTypes: [String] = []
    }

    init(
        _ service: ServiceName, _ method: String, _ path: String, _ id: String, _ summary: String, _ caller: Caller,
        parameters: [Parameter] = [], body: String? = nil, _ answers: [Answer], _ problems: [ProblemCode] = [],
        serving: [ProblemCode] = [], errors: ErrorForm = .problem, isKept: Bool = true
    ) {
        self.isKept = isKept
        self.errors = caller == .app ? .app : errors
        self.service = service
        self.method = method
        self.path = path
        self.id = id
        self.summary = summary
        self.caller = caller
        self.parameters = parameters
        self.body = body
        self.answers = answers
        self.problems = problems
        self.serving = serving
    }

    /// Every problem that a call may be answered with, except those of HTTP itself.
    package var allProblems: [ProblemCode] {
        var all = problems
        if [.user, .either].contains(caller) { all += ProblemCode.ofTokens.filter { !serving.contains($0) } }
        if caller == .user { all.append(.unauthenticated) }
        if caller == .app { all += [.unauthenticated, .tokenMalformed, .appTokenUnknown] }
        if takesJSON { all += [.invalidJson, .unsupportedMediaType, .bodyTooLarge] }
        if isKept { all.append(.temporarilyUnavailable) }
        var seen: Set<ProblemCode> = []
        return all.filter { seen.insert($0).inserted }
    }

    /// The names of the path's variables.
    var variables: [String] {
        path.split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
    }
}

extension ProblemCode {
    /// The problems of any request, whatever its path: those of HTTP itself and of the gateway, and internal errors.
    package static let ofHTTP: [ProblemCode] = [
        .malformedRequest, .httpsNeeded, .methodNotAllowed, .requestTooSlow, .targetTooLong, .expectationFailed,
        .tooManyRequests, .headTooLarge, .internal, .codingNotSupported, .deadlineExceeded, .versionNotSupported,
    ]

    /// The problems of the admin port, which is not part of the API.
    package static let ofOperators: [ProblemCode] = [
        .operatorKeyWrong, .accountUnknown, .deviceUnknown, .planUnknown, .unitsOutOfRange,
    ]

    /// The problems of access tokens, and of those whom they name.
    package static let ofTokens: [ProblemCode] = [
        .tokenMalformed, .tokenUnknownKey, .tokenBadSignature, .tokenExpired, .tokenNotYetValid, .tokenWrongIssuer,
        .tokenWrongAudience, .loginSessionEnded, .userGone,
    ]
}
