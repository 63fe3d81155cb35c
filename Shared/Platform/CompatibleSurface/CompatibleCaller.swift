package import ServiceKit

/// Who sends a request to the compatible surface.
package enum CompatibleCaller: Sendable, Equatable {
    /// Whoever has the client: nobody is signed in.
    case anon
    /// The operator's own server, by the service key.
    case service
    /// Somebody who is signed in, or an anonymous device that is.
    case user(Caller)

    /// Who is signed in; nil for the others.
    package var user: Caller? {
        if case .user(let caller) = self { caller } else { nil }
    }
}
