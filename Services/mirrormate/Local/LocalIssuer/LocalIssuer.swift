package import Crypto
import HTTPServer
package import JSON
package import Primitives
package import Runtime

/// Stands in the place of Google and Apple, on this machine alone: publishes keys, signs identity tokens for whoever is invented,
/// gives tokens for codes with the checks of PKCE (RFC 7636), and takes them back.
@Loop package final class LocalIssuer {
    /// Whose place it stands in; the raw value is part of its addresses.
    package enum Provider: String, Sendable, CaseIterable { case google, apple }

    /// What somebody gets who asks for the keys.
    package enum KeysAnswer: Sendable {
        case keys
        case bytes([UInt8], status: Int)
        /// Nothing, for as long as the client waits.
        case silence
        /// A byte now and then, for as long as the client waits.
        case drip
        /// More and more bytes.
        case endless
    }

    /// Something that was given for a code.
    private struct Grant {
        let provider: Provider
        let clientID: String
        let redirectURI: String?
        /// The challenge by S256; nil for a code without one.
        let challenge: String?
        let identityToken: String
    }

    package static let defaultAudience = "local-app"
    /// Of the client ``defaultAudience`` at Google, as a web client has one; others have none.
    private static let googleSecret = "the-local-issuers-own"

    private var server: HTTPServer?
    private var port = 0
    private var key: RS256PrivateKey
    private var keyNumber = 1
    private var grants: [String: Grant] = [:]
    private var refreshTokens: Set<String> = []

    /// What the next who ask for keys get.
    package var keysAnswer = KeysAnswer.keys
    /// How long they may keep them, in seconds.
    package var maxAge: Int64 = 3_600
    /// How often somebody asked for keys.
    package private(set) var keyRequests = 0
    /// What Apple's clients are known by; nil to believe everybody.
    package var appleClientKey: ES256PublicKey?
    /// The status of answers to revocations.
    package var revocationStatus = 200
    /// The refresh tokens that were taken back.
    package private(set) var revoked: [String] = []

    /// - Throws: `CryptoError` if no key can be made.
    package init() throws { key = try RS256PrivateKey.generate() }

    /// Starts to serve on 127.0.0.1.
    ///
    /// - Parameter port: 0 takes a free one.
    /// - Throws: `ServerError` if the port is taken.
    package func start(port: Int = 0) throws {
        let router = Router()
        router.use { request, next in
            do {
                return try await next(request)
            } catch let error as any ProblemConvertible {
                return .problem(error.problem)
            } catch let problem as Problem {
                return .problem(problem)
            }
        }
        for provider in Provider.allCases {
            router.on("GET", "/\(provider.rawValue)/keys") { _ in try await self.keySet() }
            router.on("POST", "/\(provider.rawValue)/token") { try await self.token(provider, $0) }
            router.on("POST", "/\(provider.rawValue)/sign") { try await self.sign(provider, $0) }
            router.on("POST", "/\(provider.rawValue)/authorize") { try await self.authorize(provider, $0) }
            router.on("GET", "/\(provider.rawValue)/authorize") { try self.sendBack(provider, $0) }
        }
        router.on("POST", "/apple/revoke") { try await self.revoke($0) }
        let server = HTTPServer(ServerConfiguration(host: "127.0.0.1", port: port), router: router)
        self.port = try server.start()
        self.server = server
    }

    /// Stops serving.
    package func stop() async { _ = await server?.stop(deadline: .seconds(1)) }

    /// The address of a provider here.
    package func url(_ provider: Provider) -> String { "http://127.0.0.1:\(port)/\(provider.rawValue)" }

    /// What identity is told to believe this issuer.
    package var variables: [String: String] {
        var variables: [String: String] = [:]
        for provider in Provider.allCases {
            let name = provider.rawValue.uppercased()
            variables["\(name)_CLIENT_IDS"] = Self.defaultAudience
            variables["\(name)_ISSUERS"] = url(provider)
            variables["\(name)_KEYS_URL"] = "\(url(provider))/keys"
            variables["\(name)_AUTHORIZATION_URL"] = "\(url(provider))/authorize"
            variables["\(name)_TOKEN_URL"] = "\(url(provider))/token"
        }
        // Without one no page is offered to sign in with it.
        variables["GOOGLE_CLIENT_SECRET"] = Self.googleSecret
        variables["APPLE_REVOKE_URL"] = "\(url(.apple))/revoke"
        return variables
    }

    // MARK: Tokens

    /// The name of the present key.
    package var keyID: String { "local-\(keyNumber)" }

    /// The public half of the present key.
    package var publicKey: RS256PublicKey { key.publicKey }

    /// Makes another key, which is published in the place of the one before.
    ///
    /// - Throws: `CryptoError`.
    package func changeKey() throws {
        key = try RS256PrivateKey.generate()
        keyNumber += 1
    }

    /// The claims of a good token, which lasts an hour.
    package func claims(
        _ provider: Provider, _ person: InventedPerson, audience: String = defaultAudience, nonce: String? = nil,
        at now: Timestamp = .now()
    ) -> JSONObject {
        var claims: JSONObject = [
            "iss": .string(url(provider)), "aud": .string(audience), "iat": .int(now.seconds),
            "exp": .int(now.seconds + 3_600),
            // No two tokens are the same, however many are made in a second.
            "jti": .uuid(.v4()),
        ]
        claims = claims.adding(membersOf: person.claims(asTexts: provider == .apple))
        if let nonce { claims["nonce"] = .string(nonce) }
        return claims
    }

    /// A token for somebody.
    ///
    /// - Throws: `CryptoError` if it cannot be signed.
    package func identityToken(
        _ provider: Provider, _ person: InventedPerson, audience: String = defaultAudience, nonce: String? = nil,
        at now: Timestamp = .now()
    ) throws -> String {
        try token(claims(provider, person, audience: audience, nonce: nonce, at: now))
    }

    /// A token of any claims, and with any members in its header.
    ///
    /// - Throws: `CryptoError` if it cannot be signed.
    package func token(_ claims: JSONObject, header members: JSONObject = [:]) throws -> String {
        let header: JSONObject = ["alg": "RS256", "kid": .string(keyID), "typ": "JWT"]
        let signed =
            Base64URL.encode(JSONValue.object(header.adding(membersOf: members)).bytes) + "."
            + Base64URL.encode(JSONValue.object(claims).bytes)
        return signed + "." + Base64URL.encode(try key.sign(Array(signed.utf8)))
    }

    /// A code that is good once.
    ///
    /// - Throws: `CryptoError` if its token cannot be signed.
    package func code(
        _ provider: Provider, _ person: InventedPerson, clientID: String = defaultAudience, redirectURI: String?,
        challenge: String?, nonce: String? = nil
    ) throws -> String {
        let code = Base64URL.encode(SecureRandom.bytes(16))
        grants[code] = Grant(
            provider: provider, clientID: clientID, redirectURI: redirectURI, challenge: challenge,
            identityToken: try identityToken(provider, person, audience: clientID, nonce: nonce))
        return code
    }

    /// The document of the present key set.
    package var keySetDocument: JSONValue {
        [
            "keys": [
                [
                    "kty": "RSA", "use": "sig", "alg": "RS256", "kid": .string(keyID),
                    "n": .string(key.publicKey.jwkN), "e": .string(key.publicKey.jwkE),
                ]
            ]
        ]
    }

    // MARK: Routes

    private func keySet() async throws -> Response {
        keyRequests += 1
        while case .silence = keysAnswer { try await Loop.sleep(for: .milliseconds(20)) }
        switch keysAnswer {
        case .keys, .silence: return .json(keySetDocument, headers: ["Cache-Control": "public, max-age=\(maxAge)"])
        case .bytes(let bytes, let status): return .bytes(bytes, contentType: "application/json", status: status)
        case .drip:
            return .stream(contentType: "application/json") { writer in
                while true {
                    try await writer.write([UInt8(ascii: " ")])
                    try await Loop.sleep(for: .milliseconds(20))
                }
            }
        case .endless:
            return .stream(contentType: "application/json") { writer in
                while true { try await writer.write([UInt8](repeating: UInt8(ascii: " "), count: 16_384)) }
            }
        }
    }

    private func sign(_ provider: Provider, _ request: Request) async throws -> Response {
        let body = try await Self.object(request)
        let token = try identityToken(
            provider, try InventedPerson(body), audience: try body.optionalString("audience") ?? Self.defaultAudience,
            nonce: try body.optionalString("nonce"))
        return .json(["identityToken": .string(token)])
    }

    private func authorize(_ provider: Provider, _ request: Request) async throws -> Response {
        let body = try await Self.object(request)
        let code = try code(
            provider, try InventedPerson(body), clientID: try body.optionalString("clientId") ?? Self.defaultAudience,
            redirectURI: try body.optionalString("redirectUri"), challenge: try body.optionalString("codeChallenge"),
            nonce: try body.optionalString("nonce"))
        return .json(["code": .string(code)])
    }

    /// As if somebody had agreed: sends a page's visitor back with a code, as the person that `login_hint` names.
    private func sendBack(_ provider: Provider, _ request: Request) throws -> Response {
        let back = request.query("redirect_uri") ?? ""
        guard ["http://127.0.0.1:", "http://localhost:"].contains(where: back.hasPrefix) else {
            return Self.refusal("invalid_request", 400)
        }
        let email = request.query("login_hint") ?? "ada@example.org"
        let code = try code(
            provider, InventedPerson(email, email: email), clientID: request.query("client_id") ?? Self.defaultAudience,
            redirectURI: back, challenge: request.query("code_challenge"), nonce: request.query("nonce"))
        let state = request.query("state") ?? ""
        guard state.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }) else {
            return Self.refusal("invalid_request", 400)
        }
        return Response(status: 302, headers: ["Location": "\(back)?code=\(code)&state=\(state)"])
    }

    private func token(_ provider: Provider, _ request: Request) async throws -> Response {
        let form = try await Self.form(request)
        let isClient =
            switch provider {
            case .google:
                form["client_secret"] == (form["client_id"] == Self.defaultAudience ? Self.googleSecret : nil)
            case .apple: isAppleClient(form)
            }
        guard isClient else { return Self.refusal("invalid_client", 401) }
        // Used up by whoever shows it, whatever comes of it.
        guard form["grant_type"] == "authorization_code", let code = form["code"],
            let grant = grants.removeValue(forKey: code), grant.provider == provider,
            grant.clientID == form["client_id"], grant.redirectURI == form["redirect_uri"],
            grant.challenge == form["code_verifier"].map({ Base64URL.encode(SHA256.digest($0.utf8)) })
        else { return Self.refusal("invalid_grant", 400) }
        var answer: JSONObject = [
            "access_token": "none", "token_type": "Bearer", "expires_in": 3_600,
            "id_token": .string(grant.identityToken),
        ]
        if provider == .apple {
            let refresh = "r." + Base64URL.encode(SecureRandom.bytes(24))
            refreshTokens.insert(refresh)
            answer["refresh_token"] = .string(refresh)
        }
        return .json(.object(answer))
    }

    private func revoke(_ request: Request) async throws -> Response {
        let form = try await Self.form(request)
        guard revocationStatus == 200 else { return Self.refusal("temporarily_unavailable", revocationStatus) }
        guard isAppleClient(form) else { return Self.refusal("invalid_client", 400) }
        guard let token = form["token"], refreshTokens.remove(token) != nil else {
            return Self.refusal("invalid_grant", 400)
        }
        revoked.append(token)
        return Response(status: 200)
    }

    /// Whether a form has a proof of Apple's form, signed with the key of the client.
    private func isAppleClient(_ form: [String: String]) -> Bool {
        guard let key = appleClientKey else { return true }
        let parts = (form["client_secret"] ?? "").split(separator: ".").map(String.init)
        guard parts.count == 3, let signature = Base64URL.decode(parts[2]), let payload = Base64URL.decode(parts[1]),
            key.verify(signature, of: Array("\(parts[0]).\(parts[1])".utf8)),
            let claims = try? JSONObject.parse(payload)
        else { return false }
        return claims["aud"] == .string(url(.apple)) && claims["sub"]?.stringValue == form["client_id"]
            && (claims["exp"]?.intValue ?? 0) > Timestamp.now().seconds
    }

    private static func refusal(_ error: String, _ status: Int) -> Response {
        .json(["error": .string(error)], status: status)
    }

    private static func object(_ request: Request) async throws -> JSONObject {
        try JSONObject.parse(try await request.body.collect(limit: 65_536))
    }

    private static func form(_ request: Request) async throws -> [String: String] {
        let text = String(decoding: try await request.body.collect(limit: 65_536), as: UTF8.self)
        var form: [String: String] = [:]
        for pair in text.split(separator: "&") {
            let sides = pair.split(separator: "=", maxSplits: 1).map { decoded($0) }
            form[sides[0]] = sides.count == 2 ? sides[1] : ""
        }
        return form
    }

    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Substring(text)
        while let character = rest.utf8.first {
            if character == UInt8(ascii: "%"), let byte = Hex.decode(rest.dropFirst().prefix(2))?.first {
                bytes.append(byte)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(character)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
