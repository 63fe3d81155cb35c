import Configuration
import Contracts
import EventStore
import HTTPClient
import JSON
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

/// A key like the one that a stack makes.
let encryptionKey = String(repeating: "0f1e2d3c4b5a6978", count: 4)

/// Runs a test with an identity service that does not wait and puts mails into a folder.
@Loop func withIdentity(
    _ variables: [String: String] = [:], instances: Int = 1, background: Bool = true,
    _ body: @Loop (Fixture) async throws -> Void
) async throws {
    // The folder of the tests' PostgreSQL goes with the process.
    let mails = "file:\(TestPostgres.administrator.host)/mail-\(UUID.v7())"
    let all = ["KEY_ENCRYPTION_KEY": encryptionKey, "ERASURE_WAIT": "0s", "MAIL_URL": mails]
    try await withService(
        IdentityService.self, all.merging(variables) { $1 }, instances: instances, background: background, body)
}

/// What an answer that lets somebody in says.
struct Person {
    let id: UUID
    let access: String
    let refresh: String

    init(_ object: JSONObject) throws {
        id = try object.object("user").uuid("id")
        access = try object.string("accessToken")
        refresh = try object.string("refreshToken")
    }
}

extension ServiceUnderTest<IdentityService> {
    /// - Parameters:
    ///   - address: the client's numeric address, as the gateway tells it.
    ///   - cookie: what the client kept of the cookies of earlier answers.
    ///   - instance: the first unless another is named.
    func post(
        _ path: String, _ body: JSONValue, token: String? = nil, key: String? = nil, from address: String? = nil,
        cookie: String? = nil, to instance: Fixture.Instance? = nil
    ) async throws -> Answer {
        var headers: [(name: String, value: String)] = []
        if let address { headers.append(("X-Forwarded-For", address)) }
        if let cookie { headers.append(("Cookie", cookie)) }
        if let token { headers.append(("Authorization", "Bearer \(token)")) }
        if let key { headers.append(("Idempotency-Key", key)) }
        return try await send("POST", path, headers: headers, json: body, to: instance)
    }

    func send(_ method: String, _ path: String, token: String, _ body: JSONValue? = nil) async throws -> Answer {
        try await send(method, path, headers: [("Authorization", "Bearer \(token)")], json: body)
    }

    func signUp(_ email: String, password: String = "correct horse") async throws -> Person {
        try Person(
            try await post("/v1/auth/sign-up", ["email": .string(email), "password": .string(password)]).json)
    }

    func signIn(
        _ email: String, password: String = "correct horse", from address: String? = nil, cookie: String? = nil
    ) async throws -> Answer {
        try await post(
            "/v1/auth/sign-in", ["email": .string(email), "password": .string(password)], from: address, cookie: cookie)
    }

    func refresh(_ token: String) async throws -> Answer {
        try await post("/v1/auth/refresh", ["refreshToken": .string(token)])
    }

    /// Where mails are put: a folder for each user.
    var mailbox: FileObjectStore {
        FileObjectStore(root: String((context.environment.optional("MAIL_URL") ?? "").dropFirst(5)))
    }

    /// A user's mails, oldest first, as soon as there are so many.
    func mails(of user: UUID, atLeast count: Int) async throws -> [String] {
        while true {
            let keys = try await mailbox.keys(under: "\(user)/")
            if keys.count < count {
                try await Loop.sleep(for: .milliseconds(5))
                continue
            }
            var mails: [String] = []
            for key in keys {
                mails.append(String(decoding: try await mailbox.read(key, limit: 65_536), as: UTF8.self))
            }
            return mails
        }
    }

    /// A user's last mail of a subject, as soon as there is one.
    func mail(of user: UUID, _ subject: String) async throws -> String {
        while true {
            let mails = try await mails(of: user, atLeast: 1)
            if let mail = mails.last(where: { $0.contains("Subject: \(subject)\r\n") }) { return mail }
            try await Loop.sleep(for: .milliseconds(5))
        }
    }

    /// Holds a lock while `work` runs, and gives it up when that says so or ends.
    func holding(
        _ lock: String, _ work: @Loop (_ release: @Loop () async throws -> Void) async throws -> Void
    ) async throws {
        let connection = try await PostgresConnection.open(administratorSettings)
        defer { connection.close() }
        try await connection.script("begin; \(lock)")
        try await work { try await connection.script("rollback") }
    }

    /// Waits until so many statements wait for a lock.
    func waiting(_ wanted: Int64) async throws {
        #expect(
            try await eventually {
                try await count(
                    "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
                )
                    >= wanted
            })
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
    /// - Returns: their answers.
    func inOrder(
        _ first: @escaping @Loop () async throws -> Answer, _ second: @escaping @Loop () async throws -> Answer
    ) async throws -> (Answer, Answer) {
        try await quiet()
        var answers: (Answer, Answer)?
        try await holding("select from head for update") { release in
            let one = Loop.task { try await first() }
            try await waiting(1)
            let other = Loop.task { try await second() }
            try await waiting(2)
            try await release()
            answers = (try await one.value, try await other.value)
        }
        return try #require(answers)
    }

    /// Runs a statement as the database's administrator.
    func administer(_ sql: String) async throws {
        let connection = try await PostgresConnection.open(administratorSettings)
        defer { connection.close() }
        try await connection.script(sql)
    }
}

/// The cookie that an answer gives a client, as the client sends it back.
func cookie(_ answer: Answer) -> String? {
    answer.header("set-cookie")?.split(separator: ";").first.map(String.init)
}

/// The stable code of a problem document.
func code(_ answer: Answer) -> String? { answer.code }

/// The code in a mail: what stands alone in a line of its body and is as long as a code.
func mailedCode(_ mail: String) -> String? {
    mail.split(separator: "\r\n").first { $0.count == 43 && Base64URL.decode($0) != nil }.map(String.init)
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
