import Access
import Configuration
import Federation
import HTTPClient
import HTTPServer
import JSON
import Observability
import Photos
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import SigningKeys
import Testing

@testable import identity

@Suite(.timeLimit(.minutes(10))) @Loop struct `Without a signing key` {
    @Test func `nobody is let in, and everybody is told to come again`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            let carla = try await fixture.protect(try await fixture.signUpConfirmed("carla@example.org"))
            let ticket = try await fixture.ticket("carla@example.org")
            let settings = IdentitySettings(Environment(["KEY_ENCRYPTION_KEY": encryptionKey]))
            // An instance that has not read the keys yet.
            let ring = SigningKeyring(fixture.context.store, settings.signingKeys, actor: "test", Logger(label: "test"))
            let router = Router()
            router.use(Problem.middleware(refusals: IdentityService.problem(of:)))
            let outbox = IdentityService.outbox(fixture.context.store, settings)
            let federation = Federation(fixture.context.store, settings.federation, settings.access.secrets)
            let photos = try await PhotoMaker(settings.photos, Logger(label: "test"))
            IdentityRoutes(fixture.context, settings, ring, outbox, federation, photos).add(to: router)
            let server = HTTPServer(ServerConfiguration(host: "127.0.0.1", port: 0), router: router, metrics: Metrics())
            let url = "http://127.0.0.1:\(try server.start())"
            let berta: JSONValue = ["email": "berta@example.org", "password": "correct horse"]
            let requests: [(String, JSONValue)] = [
                ("confirm", ["password": "correct horse"]),
                ("sign-up", berta), ("sign-in", berta), ("refresh", ["refreshToken": .string(anna.refresh)]),
                ("device", ["deviceId": "0123456789abcdef"]),
                ("second-factor", ["ticket": .string(ticket), "code": .string(carla.code())]),
            ]
            for (route, body) in requests {
                let token = route == "confirm" ? anna.access : nil
                let answer = try await fixture.post("\(url)/v1/auth/\(route)", body, token: token)
                #expect(answer.status == 503 && code(answer) == "signing-key-missing", "\(route)")
                #expect(answer.response.header("retry-after") == "60")
            }
            await server.stop(deadline: .zero)
        }
    }
}
