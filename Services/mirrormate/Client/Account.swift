import JSON
import Primitives
import Runtime

/// The account as whom a command speaks to the server.
struct Account {
    let email: String
    let password: String

    /// A new account with an address that nobody else has and a random password.
    static func random() -> Account {
        let name = UUID.v4().description.prefix(8)
        return Account(email: "demo-\(name)@example.org", password: UUID.v4().description)
    }

    /// The account of a file that ``save(to:)`` wrote, or nil.
    static func load(_ path: String) throws(Failure) -> Account? {
        guard let bytes = try Files.read(path), let json = try? JSONObject.parse(bytes),
            let email = json["email"]?.stringValue, let password = json["password"]?.stringValue
        else { return nil }
        return Account(email: email, password: password)
    }

    /// Keeps the account in a file that only its owner can read.
    func save(to path: String) throws(Failure) {
        let json: JSONValue = ["email": .string(email), "password": .string(password)]
        try Files.write(json.prettyText + "\n", to: path, mode: 0o600)
    }

    /// Makes the account at the server and carries its token from then on.
    @Loop func signUp(_ server: Server) async throws {
        try authorize(server, try await server.call("POST", "/v1/auth/sign-up", body))
    }

    /// Signs in.
    ///
    /// - Parameter makesAccount: whether it signs up when the server does not know the account.
    @Loop func signIn(_ server: Server, makesAccount: Bool = true) async throws {
        do {
            try authorize(server, try await server.call("POST", "/v1/auth/sign-in", body))
        } catch let failure as Failure where makesAccount && failure.exit == .refused {
            do {
                try await signUp(server)
            } catch {
                // The address is taken, so it was the password that was wrong.
                throw failure
            }
        }
    }

    private var body: JSONObject { ["email": .string(email), "password": .string(password)] }

    @Loop private func authorize(_ server: Server, _ answer: JSONObject) throws {
        guard let token = answer["accessToken"]?.stringValue else {
            throw Failure(
                .failure, "no-token", "The server gave no access token.",
                advice: "Update the server or this client so that both know the same API.")
        }
        server.authorize(token)
    }
}
