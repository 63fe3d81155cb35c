/// Why a JSON document or one of its members was not accepted.
package struct JSONError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of error.
    package enum Code: String, Sendable {
        /// The document is not JSON, or not the strict JSON that is accepted here.
        case syntax
        /// A required member is missing.
        case missing
        /// A member does not have the required type or form.
        case type
    }

    package let code: Code
    /// The member's name; for `syntax`, the byte offset.
    package let place: String
    /// The rest of the sentence that begins with `place`.
    package let problem: String

    package init(_ code: Code, at place: String, _ problem: String) {
        self.code = code
        self.place = place
        self.problem = problem
    }

    package var description: String { "\(place) \(problem)" }
}
