/// How somebody shows who they are, as a token's `amr` has it. The raw values are durable.
package enum Proof: String, Sendable, CaseIterable {
    case password = "pwd"
    /// A code that was mailed to the account's address.
    case mail
    /// The secret of an anonymous device.
    case device
    /// A code of an authenticator app.
    case otp
    case recovery
    /// An identity token of Google's, with a linked identity.
    case google
    /// An identity token of Apple's, with a linked identity.
    case apple
}

extension [Proof] {
    /// As the row of a login session has them.
    var text: String { map(\.rawValue).joined(separator: " ") }
}

extension Proof {
    /// Whether a row's text names a second factor.
    package static func hasSecondFactor(_ text: String) -> Bool {
        text.split(separator: " ").contains { $0 == Self.otp.rawValue || $0 == Self.recovery.rawValue }
    }

    /// The members of `amr` (RFC 8176) for a row's text: `mfa` when two proofs were needed.
    package static func methods(_ text: String) -> [String] {
        text.split(separator: " ").map(String.init) + (hasSecondFactor(text) ? ["mfa"] : [])
    }
}
