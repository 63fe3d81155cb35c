import Configuration
import Contracts
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing

@testable import analysis
@testable import identity
@testable import notifications
@testable import quota
@testable import reporting
@testable import sessions

@Suite @Loop struct `The configuration of every service` {
    /// What each needs that has no default.
    private static let needed: [String: [String]] = [
        "identity": ["KEY_ENCRYPTION_KEY", "OBJECT_STORE", "ANNOUNCEMENT_KEY"],
        "sessions": ["OBJECT_STORE", "UPLOAD_KEY"], "quota": ["OBJECT_STORE"],
        "analysis": ["OBJECT_STORE", "SCRATCH_DIR", "MODELS_DIR", "MEDIA_HELPER"], "reporting": ["OBJECT_STORE"],
        "notifications": ["WEBHOOK_KEY"],
    ]
    private static let common = ["DATABASE_HOST", "DATABASE_PASSWORD", "KAFKA_BOOTSTRAP_SERVERS", "ANNOUNCEMENT_KEYS"]

    /// The names of the variables that a start with these would complain of, as the program does before it opens
    /// anything.
    private func problems<S: Service>(_: S.Type, _ variables: [String: String]) -> [String] {
        let environment = Environment(variables)
        _ = ServiceSettings(S.name, environment, believes: true)
        S.check(environment)
        do { try environment.finish() } catch { return error.problems.map { String($0.prefix { $0 != " " }) } }
        return []
    }

    private func everyService(_ body: (any Service.Type, [String]) throws -> Void) rethrows {
        for service in [
            IdentityService.self, SessionsService.self, QuotaService.self, AnalysisService.self, ReportingService.self,
            NotificationsService.self,
        ] as [any Service.Type] {
            try body(service, Self.needed[service.name.rawValue] ?? [])
        }
    }

    @Test func `is reported as a whole when all is missing`() {
        everyService { service, needed in
            #expect(problems(service, [:]) == Self.common + needed, "\(service.name)")
        }
    }

    @Test(arguments: [
        "change-me", "changeme-changeme-changeme", "password12345", "1111111111111111111111111111111111", "short",
        "abababababababababababababababababababab",
    ])
    func `is refused with every secret that is weak or a placeholder, all at once`(secret: String) {
        let folder = TemporaryFolder()
        everyService { service, needed in
            var variables = goodVariables(folder).merging([
                "DATABASE_HOST": "/run", "DATABASE_PASSWORD": "\(UUID.v4())", "KAFKA_BOOTSTRAP_SERVERS": "kafka:9092",
            ]) { $1 }
            #expect(problems(service, variables) == [], "\(service.name)")
            let secrets = ["DATABASE_PASSWORD", "KEY_ENCRYPTION_KEY", "UPLOAD_KEY", "WEBHOOK_KEY"]
            for name in secrets { variables[name] = secret }
            let expected = secrets.filter { $0 == "DATABASE_PASSWORD" || needed.contains($0) }
            #expect(problems(service, variables) == expected, "\(service.name)")
        }
    }

    @Test func `is refused with every value of another form`() {
        let folder = TemporaryFolder()
        everyService { service, _ in
            let wrong = [
                "DATABASE_PORT": "many", "KAFKA_KIND": "rabbit", "KAFKA_SESSION_TIMEOUT": "long", "HTTP_PORT": "70000",
                "ADMIN_PORT": "-1",
                "PUBLIC_URL": "api.example.org/v1", "SHUTDOWN_DEADLINE": "soon",
            ]
            let variables = goodVariables(folder).merging([
                "DATABASE_HOST": "/run", "DATABASE_PASSWORD": "\(UUID.v4())", "KAFKA_BOOTSTRAP_SERVERS": "kafka:9092",
            ]) { $1 }.merging(wrong) { $1 }
            #expect(Set(problems(service, variables)) == Set(wrong.keys), "\(service.name)")
        }
    }
}
