import JSON

/// Somebody whom the local issuer vouches for: nobody checks that they exist.
package struct InventedPerson: Sendable {
    package var subject: String
    package var email: String?
    package var isEmailVerified: Bool
    /// Whether Google manages the accounts of the address's domain, which it says with `hd`; Apple says nothing of the kind.
    package var isOfHostedDomain = true

    package init(_ subject: String, email: String? = nil, isEmailVerified: Bool = true) {
        self.subject = subject
        self.email = email
        self.isEmailVerified = isEmailVerified
    }

    /// The members `subject`, `email`, `emailVerified` and `hostedDomain`, which says whether there is one, of a body.
    ///
    /// - Throws: `JSONError`.
    init(_ body: JSONObject) throws(JSONError) {
        subject = try body.string("subject")
        email = try body.optionalString("email")
        isEmailVerified = body["emailVerified"]?.boolValue ?? true
        isOfHostedDomain = body["hostedDomain"]?.boolValue ?? true
    }

    /// The claims about them; Apple writes its truths as texts.
    func claims(asTexts: Bool) -> JSONObject {
        var claims: JSONObject = ["sub": .string(subject)]
        guard let email else { return claims }
        claims["email"] = .string(email)
        claims["email_verified"] = asTexts ? .string("\(isEmailVerified)") : .bool(isEmailVerified)
        if !asTexts, isOfHostedDomain, let domain = email.split(separator: "@").last {
            claims["hd"] = .string(String(domain))
        }
        return claims
    }
}
