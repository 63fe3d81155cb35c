/// Why a JSON text or one of its members was not accepted.
package struct JSONError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of refusal.
    package enum Code: String, Sendable {
        /// The text is not JSON, or not the strict JSON that is accepted here.
        case syntax
        /// A member that must be there is not.
        case missing
        /// A member has another type or form than it must.
        case type
    }

    package let code: Code
    /// The member, or the byte offset for `syntax`.
    package let place: String
    /// The rest of the sentence that begins with the place.
    package let problem: String

    package init(_ code: Code, at place: String, _ problem: String) {
        self.code = code
        self.place = place
        self.problem = problem
    }

    package var description: String { "\(place) \(problem)" }
}
