import APIDescription
import Access
import Contracts
import EventStore
import Glibc
import HTTPServer
import JSON
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing

@testable import identity
@testable import notifications
@testable import quota
@testable import reporting
@testable import sessions

/// How every route answers what the platform decides for it, over a real port.
@Suite(.timeLimit(.minutes(10))) @Loop struct `Every route of` {
    private let folder = TemporaryFolder()

    @Test func `identity refuses what is no JSON, and asks for patience while its database is away`() async throws {
        try await check(IdentityService.self)
    }

    @Test func `sessions refuses what is no JSON, and asks for patience while its database is away`() async throws {
        try await check(SessionsService.self)
    }

    @Test func `quota asks for patience while its database is away`() async throws {
        try await check(QuotaService.self)
    }

    @Test func `reporting asks for patience while its database is away`() async throws {
        try await check(ReportingService.self)
    }

    @Test func `notifications refuses what is no JSON, and asks for patience while its database is away`() async throws
    {
        try await check(NotificationsService.self)
    }

    @Test func `identity that is limited says so when the limit is reached`() async throws {
        let names = ["SIGN_UP", "SIGN_IN", "REFRESH", "DEVICE", "PASSWORD_RESET", "CODE", "ACCOUNT_CHANGES", "NONCE"]
        let limits = Dictionary(uniqueKeysWithValues: names.map { ("LIMIT_\($0)", "2/1h") })
        let languages = ["en", "de", "fr"]
        let offer: JSONValue = [
            "version": 1,
            "consents": [
                [
                    "provider": "openai", "purpose": "transcription", "dataClasses": ["audio"], "version": "1",
                    "texts": .object(JSONObject(unique: languages.map { ($0, .string("Sound goes to OpenAI.")) })),
                ]
            ],
        ]
        let file = try #require(fopen("\(folder.path)/consents.json", "w"))
        fputs(offer.text, file)
        fclose(file)
        let variables = limits.merging(["CONSENTS_FILE": "\(folder.path)/consents.json"]) { $1 }
        try await withService(IdentityService.self, goodVariables(folder).merging(variables) { $1 }) { group in
            try await group.learnKey()
            let token = try await credentials(group)
            for operation in Operations.all where operation.allProblems.contains(.tooManyAttempts) {
                var answers: [Answer] = []
                for language in languages {
                    // What was agreed to already is no change; the same in another language is one.
                    let consent: JSONValue = [
                        "given": [
                            [
                                "provider": "openai", "purpose": "transcription", "version": "1",
                                "locale": .string(language),
                            ]
                        ]
                    ]
                    let body = operation.id == "setConsents" ? consent.bytes : nil
                    answers.append(try await send(operation, body, as: token, to: group))
                }
                #expect(answers[2].status == 429 && answers[2].code == "too-many-attempts", "\(operation.id)")
                #expect(answers[2].header("retry-after") != nil)
            }
        }
    }

    private func check<S: Service>(_: S.Type) async throws {
        try await withService(S.self, goodVariables(folder)) { group in
            try await group.learnKey()
            let operations = Operations.all.filter { $0.service == S.name }
            let user = try await credentials(group)
            for operation in operations where operation.takesJSON {
                let text = try await send(operation, Array("{\"a\":".utf8), as: user, to: group)
                #expect(text.status == 400 && text.code == "invalid-json", "\(operation.id)")
                // What was kept without network may come in one large body.
                let isBatch = ["logPractices", "appSaveSession"].contains(operation.id)
                let values = "{\"a\":[\(String(repeating: "0,", count: isBatch ? 20_000 : 2_000))0]}"
                let many = try await send(operation, Array(values.utf8), as: user, to: group)
                #expect(many.status == 400 && many.code == "invalid-json", "\(operation.id)")
                let form = try await send(
                    operation, Array("a=1".utf8), type: "application/x-www-form-urlencoded", as: user, to: group)
                #expect(form.status == 415 && form.code == "unsupported-media-type", "\(operation.id)")
                let large = try await send(
                    operation, [UInt8](repeating: 0x20, count: isBatch ? 524_289 : 65_537), as: user, to: group)
                #expect(large.status == 413 && large.code == "body-too-large", "\(operation.id)")
            }
            // The client of an app's routes sends what they never knew.
            for operation in operations where operation.takesJSON && operation.path.hasPrefix("/v1/") {
                #expect(operation.allProblems.contains(.memberUnknown), "\(operation.id)")
                let answer = try await send(operation, Array("{\"isAdmin\": true}".utf8), as: user, to: group)
                #expect(answer.status == 422 && answer.code == "member-unknown", "\(operation.id)")
            }
            await group.first.store.close()
            group.first.owners.close()
            // These addresses or bodies are signed, so the tests of the services themselves try them.
            let others = [
                "stripeWebhook", "appleWebhook", "applePurchase", "upload", "uploadOffset", "uploadChunk", "endUpload",
                "erasureReceipt", "media", "exportArchive",
            ]
            for operation in operations where operation.isKept && !others.contains(operation.id) {
                // What cannot be right whatever the database says is told before it is asked.
                let wish: JSONValue = ["url": "https://hooks.example.org/in", "kinds": ["report.ready"]]
                let body = operation.id == "addWebhookEndpoint" ? wish.bytes : nil
                let answer = try await send(operation, body, as: user, to: group)
                #expect(answer.status == 503 && answer.code == "temporarily-unavailable", "\(operation.id)")
                #expect(answer.header("retry-after") == "2")
            }
        }
    }

    /// The tokens of somebody who is signed in: the native one, and that of the app whose routes are called.
    private typealias Credentials = (native: String, app: String)

    private func credentials<S: Service>(_ group: ServiceUnderTest<S>) async throws -> Credentials {
        (try await group.signedIn(), try await group.appToken(for: .practice).text)
    }

    /// Sends a request that could be good, or one with another body.
    private func send<S: Service>(
        _ operation: Operation, _ body: [UInt8]? = nil, type: String = "application/json", as user: Credentials,
        to group: ServiceUnderTest<S>
    ) async throws -> Answer {
        let path = operation.path.replacing("{id}", with: "\(UUID.v7())").replacing("{sessionId}", with: "\(UUID.v7())")
            .replacing("{provider}", with: "google")
            .replacing("{date}", with: "2026-11-23").replacing("{measure}", with: "eyeContactPct")
        let good = operation.takesJSON ? body ?? Self.bodies[operation.id, default: [:]].bytes : nil
        let headers = [
            ("Idempotency-Key", "\(UUID.v7())"), ("Content-Type", type), ("Tus-Resumable", "1.0.0"),
            ("Upload-Length", "1"),
            ("Authorization", "Bearer \(operation.caller == .app ? user.app : user.native)"),
        ]
        let query = operation.id == "compareReports" ? "?a=\(UUID.v7())&b=\(UUID.v7())" : ""
        return try await group.send(operation.method, path + query, headers: headers, body: good)
    }

    private static let bodies: [String: JSONValue] = [
        "createSession": ["kind": "mirrormate", "contentType": "video/mp4", "contentLength": 1],
        "device": ["deviceId": .string("\(UUID.v7())")],
        "appSaveSession": sitting, "appCorrectSession": sitting, "logPractice": meditation,
        "logPractices": ["sessions": [meditation]], "correctPractice": meditation,
        "changePracticeSettings": ["graceMinutes": 60], "chooseRetention": ["keepMediaDays": 7],
        "setGoal": ["measure": "eyeContactPct", "atLeast": 0.7], "sharedCard": ["token": "unknown"],
    ]

    private static let sitting: JSONValue = [
        "session_start_time": .time(.now() - .seconds(1_200)), "duration_seconds": 600,
    ]

    private static let meditation: JSONValue = [
        "id": .uuid(.v7()), "kind": "meditation", "startedAt": .time(.now() - .seconds(1_200)),
        "endedAt": .time(.now()),
        "activeSeconds": 600,
    ]
}
