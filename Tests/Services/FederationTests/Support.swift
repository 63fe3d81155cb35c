import Configuration
import Crypto
import HTTPClient
import JSON
import LocalIssuer
import ObjectStorage
import Postgres
import PostgresTesting
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing
import identity

typealias Fixture = ServiceUnderTest<IdentityService>

/// Runs a test with an identity service that believes an issuer of this machine.
@Loop func withIssuer(
    _ variables: [String: String] = [:], instances: Int = 1, issuer: LocalIssuer? = nil,
    _ body: @Loop (Fixture, LocalIssuer) async throws -> Void
) async throws {
    let issuer = try issuer ?? LocalIssuer()
    try issuer.start()
    let mails = "file:\(TestPostgres.administrator.host)/mail-\(UUID.v7())"
    let own = [
        "KEY_ENCRYPTION_KEY": String(repeating: "0f1e2d3c4b5a6978", count: 4), "ERASURE_WAIT": "0s", "MAIL_URL": mails,
    ]
    do {
        try await withService(
            IdentityService.self, own.merging(issuer.variables) { $1 }.merging(variables) { $1 }, instances: instances,
            background: true
        ) { try await body($0, issuer) }
    } catch {
        await issuer.stop()
        throw error
    }
    await issuer.stop()
}

/// What an answer that lets somebody in says.
struct Person {
    let id: UUID
    let access: String
    let refresh: String
    let user: JSONObject

    init(_ answer: Answer) throws {
        user = try answer.json.object("user")
        id = try user.uuid("id")
        access = try answer.json.string("accessToken")
        refresh = try answer.json.string("refreshToken")
    }

    /// The claims of the access token.
    var claims: JSONObject {
        get throws {
            let payload = access.split(separator: ".")[1]
            return try JSONObject.parse(try #require(Base64URL.decode(payload)))
        }
    }
}

extension ServiceUnderTest<IdentityService> {
    func post(
        _ path: String, _ body: JSONValue, token: String? = nil, from address: String? = nil,
        to instance: Fixture.Instance? = nil
    ) async throws -> Answer {
        try await request("POST", path, body, token: token, from: address, to: instance)
    }

    func request(
        _ method: String, _ path: String, _ body: JSONValue? = nil, token: String? = nil, from address: String? = nil,
        to instance: Fixture.Instance? = nil
    ) async throws -> Answer {
        var headers: [(name: String, value: String)] = []
        if let address { headers.append(("X-Forwarded-For", address)) }
        if let token { headers.append(("Authorization", "Bearer \(token)")) }
        return try await send(method, path, headers: headers, json: body, to: instance)
    }

    /// Signs in with an identity token.
    func enter(
        _ provider: String, _ identityToken: String, nonce: String? = nil, token: String? = nil,
        to instance: Fixture.Instance? = nil
    ) async throws -> Answer {
        var body: JSONObject = ["identityToken": .string(identityToken)]
        if let nonce { body["nonce"] = .string(nonce) }
        return try await post("/v1/auth/\(provider)", .object(body), token: token, to: instance)
    }

    /// A nonce for the bearer of an access token, or for a sign-in.
    func nonce(_ token: String? = nil) async throws -> String {
        try await post("/v1/auth/nonce", [:], token: token).json.string("nonce")
    }

    /// Links an identity as a client does: with a nonce for this, and a token that was issued with it.
    func link(
        _ provider: LocalIssuer.Provider, _ person: InventedPerson, of issuer: LocalIssuer, by access: String,
        to instance: Fixture.Instance? = nil
    ) async throws -> Answer {
        let nonce = try await nonce(access)
        let token = try issuer.identityToken(provider, person, nonce: nonce)
        return try await link(provider.rawValue, token, nonce: nonce, by: access, to: instance)
    }

    func link(
        _ provider: String, _ token: String, nonce: String, by access: String, to instance: Fixture.Instance? = nil
    ) async throws -> Answer {
        try await post(
            "/v1/me/identities",
            ["provider": .string(provider), "identityToken": .string(token), "nonce": .string(nonce)], token: access,
            to: instance)
    }

    /// Somebody who has signed up.
    ///
    /// - Parameter confirmed: whether the address counts as confirmed, as if the mailed code had come back.
    func signUp(_ email: String, confirmed: Bool = false) async throws -> Person {
        let person = try Person(
            try await post("/v1/auth/sign-up", ["email": .string(email), "password": "correct horse"]))
        if confirmed {
            try await administer("update credentials set verified_at = now() where user_id = '\(person.id)'")
        }
        return person
    }

    func signIn(_ email: String) async throws -> Answer {
        try await post("/v1/auth/sign-in", ["email": .string(email), "password": "correct horse"])
    }

    /// A new anonymous device.
    func device() async throws -> Person {
        try Person(try await post("/v1/auth/device", ["deviceId": .string("\(UUID.v4())")]))
    }

    /// A user's last mail of a subject, as soon as there is one.
    func mail(of user: UUID, _ subject: String) async throws -> String {
        let box = FileObjectStore(root: String((context.environment.optional("MAIL_URL") ?? "").dropFirst(5)))
        while true {
            for key in try await box.keys(under: "\(user)/").reversed() {
                let mail = String(decoding: try await box.read(key, limit: 65_536), as: UTF8.self)
                if mail.contains("Subject: \(subject)\r\n") { return mail }
            }
            try await Loop.sleep(for: .milliseconds(5))
        }
    }

    /// The code of such a mail.
    func mailedCode(of user: UUID, _ subject: String) async throws -> String {
        let lines = try await mail(of: user, subject).split(separator: "\r\n")
        return String(try #require(lines.first { $0.count == 43 && Base64URL.decode($0) != nil }))
    }

    /// Makes the last sign-in of all login sessions an old one.
    func age(_ person: Person) async throws -> String {
        let connection = try await PostgresConnection.open(administratorSettings)
        defer { connection.close() }
        try await connection.script("update logins set auth_time = auth_time - interval '400 seconds'")
        return try await post("/v1/auth/refresh", ["refreshToken": .string(person.refresh)]).json.string("accessToken")
    }

    /// Runs a statement as the database's administrator.
    func administer(_ sql: String) async throws {
        let connection = try await PostgresConnection.open(administratorSettings)
        defer { connection.close() }
        try await connection.script(sql)
    }

    /// Waits until nothing appends by itself: what the start announces is announced, and all mails are sent.
    func quiet() async throws {
        #expect(
            try await eventually {
                try await count(
                    """
                    select count(*) from events where type = 'ErasuresAnnounced'
                        and not exists (select from mail_outbox)
                    """) == 1
            })
    }

    /// Sends one request to the first instance and another to the second so that the first is committed before the second,
    /// after both have looked at what they rest on.
    ///
    /// - Returns: the second one's answer.
    func after(
        _ first: @escaping @Loop () async throws -> Answer, _ second: @escaping @Loop () async throws -> Answer
    ) async throws -> Answer {
        try await quiet()
        let connection = try await PostgresConnection.open(administratorSettings)
        defer { connection.close() }
        try await connection.script("begin; select from head for update")
        let one = Loop.task { try await first() }
        try await waiting(1)
        let other = Loop.task { try await second() }
        try await waiting(2)
        try await connection.script("rollback")
        let answer = try await one.value
        #expect(answer.status < 300, "\(answer.status) \(answer.code)")
        return try await other.value
    }

    private func waiting(_ wanted: Int64) async throws {
        #expect(
            try await eventually {
                try await count(
                    """
                    select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
                        and query like '%append%'
                    """
                ) >= wanted
            })
    }

    /// The types of a user's events, in order.
    func events(of user: UUID) async throws -> [String] {
        try await administrator.query(
            "select type from events where stream = $1 order by position", [.text("user-\(user)")]
        ).rows.map { $0.text(0) }
    }
}

/// Does the same so many times at once and gives all answers.
@Loop func together<T: Sendable>(
    _ count: Int, _ work: @escaping @Loop (_ index: Int) async throws -> T
) async throws -> [T] {
    let tasks = (0..<count).map { index in Loop.task { try await work(index) } }
    var answers: [T] = []
    for task in tasks { answers.append(try await task.value) }
    return answers
}

let ada = InventedPerson("ada-at-google", email: "ada@example.org")
