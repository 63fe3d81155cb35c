import Federation
package import JSON
import Primitives

/// What is said of one identity token under given keys, rules and time: for a comparison with other verifiers.
package enum IdentityTokenVerdict {
    /// `accepted SUBJECT`, or the code of the refusal.
    ///
    /// - Parameter question: `token`, `keys` (a key set), `issuers`, `audience`, `nonce` and `now` (seconds).
    /// - Throws: `JSONError` for a question that lacks one of these.
    package static func of(_ question: JSONObject) throws(JSONError) -> String {
        let keys = KeySetDocument(JSONValue.object(try question.object("keys")).bytes)?.keys ?? [:]
        let expected = IdentityToken.Expectation(
            issuers: Set(try question.array("issuers").compactMap(\.stringValue)),
            audience: Set(try question.array("audience").compactMap(\.stringValue)),
            nonce: .exactly(try question.optionalString("nonce")))
        let now = Timestamp(seconds: try question.int("now"))
        let text = try question.string("token")
        do throws(IdentityTokenError) {
            let token = try IdentityToken(text)
            return "accepted \(try token.claims(signedWith: keys[token.keyID], expecting: expected, now: now).subject)"
        } catch {
            return error.code
        }
    }
}
