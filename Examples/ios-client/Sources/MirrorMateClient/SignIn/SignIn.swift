/// The ways of signing in.
public enum SignIn: Sendable {
    /// Without an account: this device, which the server knows again.
    case device
    case password(email: String, password: String)
    /// After the problem `second-factor-needed`, with its ticket and a code of the authenticator app.
    case secondFactor(ticket: String, code: String)
    /// The identity token of Google's sign-in, which was given a nonce of ``MirrorMate/nonce()``.
    case google(identityToken: String, nonce: String?)
    /// The identity token of Apple's sign-in. Apple's request takes a nonce as it is; send the same text here.
    case apple(identityToken: String, nonce: String?, displayName: String?)
}
