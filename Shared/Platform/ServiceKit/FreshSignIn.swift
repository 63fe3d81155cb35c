import HTTPServer
import JSON
package import Primitives

/// What cannot be undone asks again: it needs somebody who has shown who they are a moment ago, not only an access token,
/// which lasts longer and may be in other hands.
package struct FreshSignIn: Sendable {
    private let longest: Duration

    package init(_ settings: ServiceSettings) { longest = settings.freshSignIn }

    /// Refuses a caller who has to show anew who they are.
    ///
    /// - Parameter methods: the ways in which the caller can, as a token's `amr` names them; nil where only identity knows them.
    /// - Throws: the problem `confirmation-needed` (401, RFC 9470), or what `methods` throws.
    package func require(
        _ caller: Caller, now: Timestamp = .now(), methods: (() async throws -> [String])? = nil
    ) async throws {
        if let shown = caller.authenticatedAt, now - shown <= longest { return }
        let seconds = longest.milliseconds / 1_000
        var members: [(key: String, value: JSONValue)] = []
        if let methods { members.append(("methods", .array(try await methods().map(JSONValue.string)))) }
        throw Problem(
            .confirmationNeeded, members: members,
            headers: [
                "WWW-Authenticate": "Bearer error=\"insufficient_user_authentication\", max_age=\"\(seconds)\""
            ])
    }
}
