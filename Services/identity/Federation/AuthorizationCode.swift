import HTTPClient
import HTTPServer
package import JSON
import ServiceKit

/// What a sign-in with a provider gives to be exchanged for an identity token (RFC 6749, section 4.1), with the proof that it
/// is the same client's (RFC 7636).
package struct AuthorizationCode: Sendable {
    let code: String
    let verifier: String?
    let redirectURI: String?
    /// Which of the app's client ids it was given to; nil for the first.
    let clientID: String?

    /// The members `code`, `codeVerifier`, `redirectUri` and `clientId` of a body; nil without a code.
    ///
    /// - Throws: a problem 400 for what cannot be one, or `JSONError`.
    package init?(_ body: JSONObject) throws {
        guard let code = try body.optionalString("code") else { return nil }
        self.code = code
        verifier = try body.optionalString("codeVerifier")
        redirectURI = try body.optionalString("redirectUri")
        clientID = try body.optionalString("clientId")
        for (text, longest) in [(code, 2_048), (redirectURI ?? "-", 2_048), (clientID ?? "-", 255)] {
            guard (1...longest).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw Problem.invalidRequest("Send code, redirectUri and clientId as the provider has them.")
            }
        }
        guard verifier.map(Self.isVerifier) ?? true else {
            throw Problem.invalidRequest("Send a codeVerifier of 43 to 128 letters, digits, '-', '.', '_' and '~'.")
        }
    }

    /// The form of RFC 7636, section 4.1.
    private static func isVerifier(_ text: String) -> Bool {
        (43...128).contains(text.utf8.count) && text.utf8.allSatisfy(FormBody.isUnreserved)
    }
}
