import Contracts
import Crypto
import JSON
import ObjectStorage
import Postgres
import PostgresTesting
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing
import TestingSupport

import struct Foundation.Data
import class Foundation.FileManager

@testable import identity
@testable import quota
@testable import reporting
@testable import sessions

/// Over a real port of each service; what other services would say is handed to it.
@Suite(.timeLimit(.minutes(10))) @Loop struct `A client of Foundation alone` {
    private let folder = TemporaryFolder()

    @Test func `reads the answers of identity`() async throws {
        try await withService(
            IdentityService.self,
            [
                "KEY_ENCRYPTION_KEY": String(repeating: "0f1e2d3c4b5a6978", count: 4), "ERASURE_WAIT": "0s",
                "MAIL_URL": "file:\(folder.path)",
            ],
            background: true
        ) { service in
            var client = Client(base: service.url)
            let signedUp: SignInAnswer = try await client.send(
                "POST", "/v1/auth/sign-up", Credentials(displayName: "Ada"))
            #expect(signedUp.tokenType == "Bearer" && signedUp.expiresIn > 0)
            let signedIn: RefreshAnswer = try await client.send("POST", "/v1/auth/sign-in", Credentials())
            let refreshed: RefreshAnswer = try await client.send(
                "POST", "/v1/auth/refresh", Refreshing(refreshToken: signedIn.refreshToken))
            client.token = refreshed.accessToken
            let me = try await (client.send("GET", "/v1/me") as MeAnswer).user
            #expect(me.id == signedUp.user.id && me.email == "ada@example.org" && me.displayName == "Ada")
            let keys: KeysAnswer = try await client.send("GET", "/.well-known/jwks.json")
            #expect(keys.keys.first?.crv == "P-256")
            await #expect {
                let _: SignInAnswer = try await client.send(
                    "POST", "/v1/auth/sign-in", Credentials(password: "another one"))
            } throws: {
                ($0 as? ProblemAnswer)?.code == "credentials-invalid"
            }
        }
    }

    @Test func `is known as a device that signed in before, without doing anything for it`() async throws {
        try await withService(
            IdentityService.self,
            [
                "KEY_ENCRYPTION_KEY": String(repeating: "0f1e2d3c4b5a6978", count: 4),
                "MAIL_URL": "file:\(folder.path)",
                "LIMIT_ACCOUNT_STRANGERS": "1/1h",
            ]
        ) { service in
            let client = Client(base: service.url)
            let _: SignInAnswer = try await client.send("POST", "/v1/auth/sign-up", Credentials(displayName: "Ada"))
            let wrong: JSONValue = ["email": "ada@example.org", "password": "a wrong one"]
            for expected in [401, 429] {
                #expect(try await service.send("POST", "/v1/auth/sign-in", json: wrong).status == expected)
            }
            await #expect {
                let _: SignInAnswer = try await Client(base: service.url).send(
                    "POST", "/v1/auth/sign-in", Credentials())
            } throws: {
                ($0 as? ProblemAnswer)?.code == "too-many-attempts"
            }
            let _: SignInAnswer = try await client.send("POST", "/v1/auth/sign-in", Credentials())
        }
    }

    @Test func `reads the answers of sessions, from creation to the ending`() async throws {
        try await withService(
            SessionsService.self,
            [
                "OBJECT_STORE": "file://\(folder.path)", "UPLOAD_KEY": "an upload key of at least 16 characters",
                "QUOTA_WAIT": "20ms",
            ],
            background: true
        ) { service in
            let user = UUID.v7()
            let client = Client(base: service.url, token: try service.token(for: user))
            let video = Data([0, 0, 0, 16] + Array("ftypisom".utf8) + [UInt8](repeating: 7, count: 4_000))
            let queued: SessionAnswer = try await client.send(
                "POST", "/v1/sessions", SessionWish(contentLength: video.count), key: "a")
            #expect(queued.status == .queued && queued.upload == nil)
            let id = try #require(UUID(queued.id.uuidString.lowercased()))
            try await service.deliver(
                QuotaReserved(
                    SessionIdentity(sessionId: id, ownerId: user, kind: .mirrormate), plan: .free, limit: 1, used: 0,
                    reserved: 1, windowEndsAt: .now() + .seconds(3_600)))
            let open: SessionAnswer = try await client.send("GET", "/v1/sessions/\(id)")
            let stored = try await client.upload(video, to: try #require(open.upload))
            #expect(stored.sizeBytes == video.count)
            let working: SessionAnswer = try await client.send("POST", "/v1/sessions/\(id)/finalize")
            #expect(working.status == .processing && working.progress == 0.1)
            try await service.deliver(
                AnalysisFailed(
                    SessionReference(sessionId: id, ownerId: user), attempt: 1, code: FailureCode(rawValue: "no-video"),
                    retryable: false))
            let events = try await client.events("/v1/sessions/\(id)/events")
            #expect(events.last?.error?.code == "no-video" && events.last?.status == .error)
            var page: PageAnswer<SessionAnswer> = try await client.send("GET", "/v1/sessions?limit=5")
            while page.items.first?.status != .error { page = try await client.send("GET", "/v1/sessions?limit=5") }
            #expect(page.items.count == 1 && page.nextCursor == nil)
        }
    }

    @Test func `reads quota's refusals`() async throws {
        try await withService(
            SessionsService.self,
            [
                "OBJECT_STORE": "file://\(folder.path)", "UPLOAD_KEY": "an upload key of at least 16 characters",
                "QUOTA_WAIT": "20ms",
            ],
            background: true
        ) { service in
            let user = UUID.v7()
            let client = Client(base: service.url, token: try service.token(for: user))
            for code in [QuotaRefusalCode.quotaExceeded, .sessionOpen] {
                let wish = SessionWish(contentLength: 9)
                let queued: SessionAnswer = try await client.send("POST", "/v1/sessions", wish, key: code.rawValue)
                let held = HeldBy(sessionId: .v7(), expiresAt: .now())
                try await service.deliver(
                    QuotaRefused(
                        SessionIdentity(
                            sessionId: UUID(queued.id.uuidString.lowercased())!, ownerId: user, kind: .mirrormate),
                        QuotaDenial(
                            code: code, resetsAt: .now() + .seconds(60), heldBy: code == .sessionOpen ? held : nil)))
                await #expect {
                    let _: SessionAnswer = try await client.send("POST", "/v1/sessions", wish, key: code.rawValue)
                } throws: { error in
                    guard let problem = error as? ProblemAnswer, problem.code == code.rawValue else { return false }
                    return problem.resetsAt != nil && (problem.heldBy != nil) == (code == .sessionOpen)
                }
                let refused: SessionAnswer = try await client.send("GET", "/v1/sessions/\(queued.id)")
                #expect(refused.status == .refused && refused.refusal?.code == code.rawValue)
            }
        }
    }

    @Test func `reads what quota has left`() async throws {
        try await withService(QuotaService.self, background: true) { service in
            let client = Client(base: service.url, token: try service.token(for: .v7()))
            let answer: QuotaAnswer = try await client.send("GET", "/v1/quota")
            #expect(answer.plan == "free" && answer.remaining == 1 && answer.resetsAt == nil)
        }
    }

    @Test func `reads a whole report of a recorded analysis, and the history`() async throws {
        try await withService(ReportingService.self, ["OBJECT_STORE": "file://\(folder.path)"], background: true) {
            service in
            let user = UUID.v7()
            let session = UUID.v7()
            let measured = try MeasurementDocument(recorded(), brief: RecordingBrief())
            let bytes = JSONValue.object(measured.json).bytes
            try await FileObjectStore(root: folder.path).write(bytes, to: "documents/1")
            try await service.deliver(
                AnalysisCompletedV2(
                    SessionReference(sessionId: session, ownerId: user), attempt: 1,
                    document: DocumentReference(
                        key: "documents/1", sha256: Hex.encode(SHA256.digest(bytes)), sizeBytes: Int64(bytes.count)),
                    durationMs: 1_000))
            let client = Client(base: service.url, token: try service.token(for: user))
            let report: ReportAnswer = try await client.send("GET", "/v1/reports/\(session)")
            #expect(report.vocalAnalysis.paceWordsPerMin == 151)
            #expect(report.transcript.words.count > 50 && !report.strengths.isEmpty && !report.feedback.isEmpty)
            var page: PageAnswer<ReportLine> = try await client.send("GET", "/v1/reports")
            while page.items.isEmpty { page = try await client.send("GET", "/v1/reports") }
            #expect(page.items[0].confidenceScore == report.confidenceScore)
            await #expect {
                let _: ReportAnswer = try await client.send("GET", "/v1/reports/\(UUID.v7())")
            } throws: {
                ($0 as? ProblemAnswer)?.status == 404
            }
        }
    }

    /// The media helper's document of a recorded run.
    private func recorded() throws -> JSONObject {
        let bytes = try #require(
            FileManager.default.contents(atPath: "\(Checkout.root)/Tests/system/end-to-end/recorded.jsonl"))
        let last = try #require(bytes.split(separator: 0x0A).last)
        return try JSONObject.parse(Array(last)).object("result")
    }
}
