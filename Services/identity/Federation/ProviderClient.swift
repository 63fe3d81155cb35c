import Access
import Configuration
import Crypto
import HTTPClient
import HTTPServer
import JSON
import Observability
import Primitives
import Runtime

/// What a provider is asked besides its keys: tokens for a code, and that a token is taken back.
@Loop struct ProviderClient {
    /// What a code came to.
    struct Tokens {
        let identityToken: String
        /// Apple's, which can be revoked.
        let refreshToken: String?
        let clientID: String
    }

    /// What became of a revocation.
    enum Revocation {
        case done
        /// It may be tried again.
        case failed(String)
        /// Trying again does not help.
        case refused(String)
    }

    /// How long Apple accepts a proof that this server made of itself.
    private static let secretLifetime: Int64 = 300
    /// How many codes are exchanged at a time: each holds a connection to the provider for as long as that likes.
    private static let mostExchanges = 32
    private static var exchanges = 0

    private let settings: FederationSettings
    private let log: Logger

    init(_ settings: FederationSettings, _ log: Logger) {
        self.settings = settings
        self.log = log
    }

    /// Exchanges a code for tokens (RFC 6749, section 4.1.3).
    ///
    /// - Throws: the problem `provider-off` (404) where this server has nothing to exchange it with, a problem 400 for a code
    ///   that lacks something, `authorization-code-invalid` (401) when the provider refuses it, `provider-unavailable` (503).
    func exchange(
        _ code: AuthorizationCode, of provider: IdentityProvider, _ rules: FederationSettings.Provider
    ) async throws -> Tokens {
        let client = code.clientID ?? rules.clientIDs[0]
        guard rules.clientIDs.contains(client) else {
            throw Problem.invalidRequest("Send a clientId that this server knows, or none.")
        }
        var fields = [("grant_type", "authorization_code"), ("code", code.code), ("client_id", client)]
        switch provider {
        case .google:
            guard let verifier = code.verifier, let redirect = code.redirectURI else {
                throw Problem.invalidRequest("Send codeVerifier and redirectUri with the code.")
            }
            fields += [("code_verifier", verifier), ("redirect_uri", redirect)]
            if let secret = settings.googleSecret, client == rules.clientIDs[0] {
                fields.append(("client_secret", secret.reveal()))
            }
        case .apple:
            fields.append(("client_secret", try appleSecret(client)))
            if let redirect = code.redirectURI { fields.append(("redirect_uri", redirect)) }
            if let verifier = code.verifier { fields.append(("code_verifier", verifier)) }
        }
        guard Self.exchanges < Self.mostExchanges else { throw Problem.providerUnavailable }
        Self.exchanges += 1
        defer { Self.exchanges -= 1 }
        let answer: HTTPClientResponse
        do {
            answer = try await post(rules.tokenURL, fields)
        } catch let error as HTTPClientError {
            log.warning("a code cannot be exchanged", ["reason": .string(error.code.rawValue)])
            throw Problem.providerUnavailable
        }
        let object = (try? JSONObject.parse(answer.body, limits: .foreign)) ?? [:]
        if answer.status == 200, let token = object["id_token"]?.stringValue {
            return Tokens(
                identityToken: token, refreshToken: provider == .apple ? object["refresh_token"]?.stringValue : nil,
                clientID: client)
        }
        if (400...401).contains(answer.status), object["error"] == "invalid_grant" {
            throw Problem(.authorizationCodeInvalid)
        }
        log.warning("a code cannot be exchanged", ["reason": .string(Self.reason(answer, object))])
        throw Problem.providerUnavailable
    }

    /// Takes a refresh token of Apple's back, and with it the user's consent to the app.
    ///
    /// - Throws: `CancellationError`.
    func revoke(_ token: String, of client: String) async throws -> Revocation {
        guard let secret = try? appleSecret(client) else { return .failed("no-apple-key") }
        do {
            let answer = try await post(
                settings.appleRevokeURL,
                [
                    ("client_id", client), ("client_secret", secret), ("token", token),
                    ("token_type_hint", "refresh_token"),
                ])
            if answer.status == 200 { return .done }
            let object = (try? JSONObject.parse(answer.body, limits: .foreign)) ?? [:]
            let reason = Self.reason(answer, object)
            // What is worth nothing any more needs no end.
            if object["error"] == "invalid_grant" { return .done }
            // What Apple does not accept of us, such as our own key, may be right tomorrow.
            return answer.status == 400 && object["error"] == "invalid_request" ? .refused(reason) : .failed(reason)
        } catch let error as HTTPClientError {
            return .failed(error.code.rawValue)
        }
    }

    /// Of an error's name only what is a name (RFC 6749, section 5.2).
    private static func reason(_ answer: HTTPClientResponse, _ object: JSONObject) -> String {
        let name = object["error"]?.stringValue?.prefix(40).filter { $0.isASCII && ($0.isLetter || $0 == "_") } ?? ""
        return "status \(answer.status) \(name)"
    }

    private func post(_ url: String, _ fields: [(String, String)]) async throws -> HTTPClientResponse {
        var request = HTTPClientRequest(
            "POST", url, headers: [("Content-Type", FormBody.contentType), ("Accept", "application/json")],
            body: .bytes(FormBody.bytes(fields)))
        request.responseLimit = 65_536
        request.protocols = ProviderAddress.protocols(of: url)
        return try await HTTPClient.outward.send(request, deadline: settings.deadline)
    }

    /// What Apple knows this server by: a JWT of a few minutes, signed with the team's key.
    ///
    /// - Throws: the problem `provider-off` (404) without the key.
    private func appleSecret(_ client: String) throws -> String {
        guard let own = settings.appleKey else {
            throw Problem(
                .providerOff, detail: "Send the identityToken that the sign-in gave: codes are not set up here.")
        }
        let now = Timestamp.now().seconds
        let header: JSONValue = ["alg": "ES256", "kid": .string(own.keyID)]
        let claims: JSONValue = [
            "iss": .string(own.team), "iat": .int(now), "exp": .int(now + Self.secretLifetime),
            "aud": .string(own.audience), "sub": .string(client),
        ]
        let signed = Base64URL.encode(header.bytes) + "." + Base64URL.encode(claims.bytes)
        return signed + "." + Base64URL.encode(try own.key.sign(Array(signed.utf8)))
    }
}
