import Access
import Configuration
import Crypto
import HTTPClient
import JSON
import Postgres
import Primitives
import Runtime
import ServiceTesting
import Testing

/// What happens when one instance lets somebody in while another one makes worthless what that rests on. A lock of the test
/// holds one request where it matters, until the other has come to its end or waits behind it.
@Suite(.timeLimit(.minutes(10))) @Loop struct `Two instances` {
    private let email = "anna@example.org"
    private let network = "203.0.113.1"

    /// Signs in with the present password and holds that behind the look at the password, until `meanwhile` has ended.
    private func signIn(_ fixture: Fixture, while meanwhile: @Loop () async throws -> Void) async throws -> Answer {
        // One failure makes the row in which this visitor's next attempt is counted: after the password was read.
        _ = try await fixture.signIn(email, password: "wrong", from: network)
        let blind = AccessSecrets(Environment(["KEY_ENCRYPTION_KEY": encryptionKey])).blind
        let early = HMACSHA256.authenticate(Array("SIGN_IN:\(network)".utf8), key: blind.present)
        let lock = "select from attempts where key <> '\\x\(Hex.encode(early))' for update"
        var answer: Answer?
        try await fixture.holding(lock) { release in
            let request = Loop.task { try await fixture.signIn(email, from: network) }
            try await fixture.waiting(1)
            try await meanwhile()
            try await release()
            answer = try await request.value
        }
        return try #require(answer)
    }

    @Test func `let nobody in with a password that is replaced by mail while they sign in`() async throws {
        try await withIdentity(instances: 2) { fixture in
            let anna = try await fixture.signUp(email)
            _ = try await fixture.mails(of: anna.id, atLeast: 1)
            _ = try await fixture.post("/v1/auth/password-reset", ["email": .string(email)])
            let code = mailedCode(try await fixture.mails(of: anna.id, atLeast: 2)[1])
            let answer = try await signIn(fixture) {
                let reset = try await fixture.post(
                    "/v1/auth/password", ["resetToken": .optional(code), "newPassword": "battery staple"],
                    to: fixture.instances[1])
                #expect(reset.status == 204)
            }
            #expect(answer.status == 401 && answer.code == "credentials-invalid")
            #expect(try await fixture.count("select count(*) from logins") == 0)
            #expect(try await fixture.signIn(email, password: "battery staple").status == 200)
        }
    }

    @Test func `mail a code to the address that the account has when the code begins to count`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.signUp(email)
            _ = try await fixture.mails(of: anna.id, atLeast: 1)
            try await fixture.holding("lock table one_time_codes in share mode") { release in
                _ = try await fixture.post("/v1/auth/password-reset", ["email": .string(email)])
                try await fixture.waiting(1)
                // As the end of a change of address does, which takes away only the codes that count already.
                try await fixture.administer(
                    "update profiles set email = 'anna@new.example' where user_id = '\(anna.id)'")
                try await release()
            }
            let mail = try await fixture.mails(of: anna.id, atLeast: 2)[1]
            #expect(mail.contains("To: anna@new.example\r\n") && mailedCode(mail) != nil)
        }
    }

    @Test func `let nobody in with a password that is changed while they sign in`() async throws {
        try await withIdentity(instances: 2) { fixture in
            let anna = try await fixture.signUp(email)
            let answer = try await signIn(fixture) {
                let change: JSONValue = ["currentPassword": "correct horse", "newPassword": "battery staple"]
                let changed = try await fixture.post(
                    "/v1/auth/password", change, token: anna.access, to: fixture.instances[1])
                #expect(changed.status == 204)
            }
            #expect(answer.status == 401 && answer.code == "credentials-invalid")
            #expect(try await fixture.count("select count(*) from logins") == 1)
        }
    }

    @Test func `let in who signs in while the hash of the same password is renewed`() async throws {
        try await withIdentity(instances: 2) { fixture in
            _ = try await fixture.signUp(email)
            let answer = try await signIn(fixture) {
                let renewed = try PasswordHash.make(password: "correct horse").encoded
                try await fixture.administer("update credentials set password_hash = '\(renewed)'")
            }
            #expect(answer.status == 200)
        }
    }

    @Test func `let nobody in by the secret of a device that becomes an account meanwhile`() async throws {
        try await withIdentity(instances: 2) { fixture in
            let begun = try await fixture.post("/v1/auth/device", ["deviceId": "a-device-of-somebody"])
            let device = try Person(begun.json)
            let again: JSONValue = [
                "deviceId": "a-device-of-somebody", "deviceSecret": try begun.json.required("deviceSecret"),
            ]
            let (signUp, answer) = try await fixture.inOrder {
                try await fixture.post(
                    "/v1/auth/sign-up", ["email": .string(email), "password": "correct horse"], token: device.access)
            } _: {
                try await fixture.post("/v1/auth/device", again, to: fixture.instances[1])
            }
            #expect(signUp.status == 201)
            #expect(answer.status == 409 && answer.code == "device-has-account")
        }
    }

    @Test(arguments: ["/v1/auth/device", "/v1/auth/confirm"])
    func `let nobody in, and confirm nobody, by the secret of a device that gets another one meanwhile`(
        path: String
    ) async throws {
        try await withIdentity(instances: 2) { fixture in
            let id: JSONValue = "a-device-of-somebody"
            let begun = try await fixture.post("/v1/auth/device", ["deviceId": id])
            let device = try Person(begun.json)
            let old = try begun.json.required("deviceSecret")
            let isEntry = path == "/v1/auth/device"
            let body: JSONValue = isEntry ? ["deviceId": id, "deviceSecret": old] : ["deviceSecret": old]
            let (change, answer) = try await fixture.inOrder {
                try await fixture.post("/v1/me/device/secret", [:], token: device.access)
            } _: {
                try await fixture.post(
                    path, body, token: isEntry ? nil : device.access, to: fixture.instances[1])
            }
            #expect(change.status == 200)
            #expect(answer.status == 401 && answer.code == "device-secret-invalid")
            #expect(try await fixture.count("select count(*) from logins") == 1)
        }
    }

    @Test func `leave no login session of a device but those of the sign-up, whichever came first`() async throws {
        try await withIdentity(instances: 2) { fixture in
            let id: JSONValue = "a-device-of-somebody"
            let begun = try await fixture.post("/v1/auth/device", ["deviceId": id])
            let device = try Person(begun.json)
            let entry: JSONValue = ["deviceId": id, "deviceSecret": try begun.json.required("deviceSecret")]
            let (entered, signUp) = try await fixture.inOrder {
                try await fixture.post("/v1/auth/device", entry)
            } _: {
                try await fixture.post(
                    "/v1/auth/sign-up", ["email": .string(email), "password": "correct horse"], token: device.access,
                    to: fixture.instances[1])
            }
            #expect(signUp.status == 201)
            #expect(try await fixture.count("select count(*) from logins") == 2)
            // The sign-up may have ended the login session before its first tokens were made: then there are none.
            if entered.status == 200 {
                #expect(try await fixture.refresh(try Person(entered.json).refresh).status == 401)
            } else {
                #expect(entered.status == 401 && entered.code == "login-session-ended")
            }
        }
    }

    @Test(arguments: [true, false])
    func `leave nothing of a login session that is refreshed and signed out at once`(refreshFirst: Bool) async throws {
        try await withIdentity(instances: 2) { fixture in
            let anna = try await fixture.signUp(email)
            let body: JSONValue = ["refreshToken": .string(anna.refresh)]
            let paths = ["/v1/auth/refresh", "/v1/auth/sign-out"]
            var answers: [Answer] = []
            try await fixture.holding("select from logins for update") { release in
                var requests: [Task<Answer, any Error>] = []
                for (number, path) in (refreshFirst ? paths : paths.reversed()).enumerated() {
                    requests.append(
                        Loop.task { try await fixture.post(path, body, to: fixture.instances[number]) })
                    try await fixture.waiting(Int64(number + 1))
                }
                try await release()
                for request in requests { answers.append(try await request.value) }
            }
            try await expectNothing(fixture, of: anna, answers)
        }
    }

    @Test(arguments: [true, false])
    func `leave nothing of a login session that is refreshed while the password is replaced`(
        refreshFirst: Bool
    ) async throws {
        try await withIdentity(instances: 2) { fixture in
            let anna = try await fixture.signUp(email)
            _ = try await fixture.mails(of: anna.id, atLeast: 1)
            _ = try await fixture.post("/v1/auth/password-reset", ["email": .string(email)])
            let code = mailedCode(try await fixture.mails(of: anna.id, atLeast: 2)[1])
            let requests: [(path: String, body: JSONValue)] = [
                ("/v1/auth/refresh", ["refreshToken": .string(anna.refresh)]),
                ("/v1/auth/password", ["resetToken": .optional(code), "newPassword": "battery staple"]),
            ]
            var answers: [Answer] = []
            try await fixture.holding("select from logins for update") { release in
                var sent: [Task<Answer, any Error>] = []
                for (number, request) in (refreshFirst ? requests : requests.reversed()).enumerated() {
                    sent.append(
                        Loop.task {
                            try await fixture.post(request.path, request.body, to: fixture.instances[number])
                        })
                    try await fixture.waiting(Int64(number + 1))
                }
                try await release()
                for request in sent { answers.append(try await request.value) }
            }
            #expect(answers.contains { $0.status == 204 })
            try await expectNothing(fixture, of: anna, answers)
        }
    }

    @Test func `let nobody in who is erased while they sign in`() async throws {
        try await withIdentity(instances: 2) { fixture in
            let anna = try await fixture.signUp(email)
            let answer = try await signIn(fixture) {
                let erased = try await erase(fixture, anna, at: 1)
                #expect(erased.status == 202)
            }
            #expect(answer.status == 401 && answer.code == "credentials-invalid")
            #expect(try await fixture.count("select count(*) from logins") == 0)
            #expect(try await fixture.count("select count(*) from erased_subjects") == 1)
        }
    }

    @Test(arguments: [true, false])
    func `leave nothing of a login session that is refreshed while its user is erased`(refreshFirst: Bool) async throws
    {
        try await withIdentity(instances: 2) { fixture in
            let anna = try await fixture.signUp(email)
            try await fixture.quiet()
            var refreshed: Answer?
            var erased: Answer?
            try await fixture.holding("select from logins for update") { release in
                let refresh: @Loop () async throws -> Answer = {
                    try await fixture.post("/v1/auth/refresh", ["refreshToken": .string(anna.refresh)])
                }
                let erasure: @Loop () async throws -> Answer = { try await self.erase(fixture, anna, at: 1) }
                let first = Loop.task { try await (refreshFirst ? refresh : erasure)() }
                try await fixture.waiting(1)
                let second = Loop.task { try await (refreshFirst ? erasure : refresh)() }
                try await fixture.waiting(2)
                try await release()
                let answers = (try await first.value, try await second.value)
                (refreshed, erased) = refreshFirst ? answers : (answers.1, answers.0)
            }
            #expect(erased?.status == 202)
            #expect(refreshed?.status == 200 || refreshed?.code == "refresh-token-invalid")
            #expect(try await fixture.count("select count(*) from logins") == 0)
            let given = refreshed?.json ?? [:]
            for access in [anna.access] + [given["accessToken"]?.stringValue].compactMap({ $0 }) {
                let answer = try await fixture.send("GET", "/v1/me", token: access)
                #expect(answer.status == 401 && answer.code == "user-gone")
            }
            for refresh in [anna.refresh] + [given["refreshToken"]?.stringValue].compactMap({ $0 }) {
                #expect(try await fixture.refresh(refresh).code == "refresh-token-invalid")
            }
        }
    }

    private func erase(_ fixture: Fixture, _ person: Person, at instance: Int) async throws -> Answer {
        try await fixture.send(
            "DELETE", "/v1/me", headers: [("Authorization", "Bearer \(person.access)")],
            to: fixture.instances[instance])
    }

    /// No token works any more, whichever was given out.
    private func expectNothing(_ fixture: Fixture, of person: Person, _ answers: [Answer]) async throws {
        #expect(try await fixture.count("select count(*) from logins") == 0)
        let given = answers.map(\.json)
        for access in [person.access] + given.compactMap({ $0["accessToken"]?.stringValue }) {
            let answer = try await fixture.send("GET", "/v1/me", token: access)
            #expect(answer.status == 401 && answer.code == "login-session-ended")
        }
        for refresh in [person.refresh] + given.compactMap({ $0["refreshToken"]?.stringValue }) {
            let answer = try await fixture.refresh(refresh)
            #expect(answer.status == 401 && answer.code == "refresh-token-invalid")
        }
    }
}
