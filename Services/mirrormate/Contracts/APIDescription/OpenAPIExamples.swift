package import JSON

/// Requests as tests have sent them and answers as services gave them, by the id of the route: `docs/api-examples.json`, which
/// `make examples` takes from a run of the tests.
package struct OpenAPIExamples {
    /// Where they lie, relative to the repository's root.
    package static let path = "docs/api-examples.json"

    private let all: JSONObject

    /// - Parameter all: by the id of the route an object with `sent`, the body of the request or null, `status` and `answer`.
    package init(_ all: JSONObject = [:]) { self.all = all }

    /// The ids of the routes that have one.
    package var operations: [String] { all.keys }

    /// What the page shows of a route: what was sent, if it had a body, and what was answered; nil without an example.
    func shown(_ operation: Operation) -> (sent: String?, status: Int64, answer: String)? {
        guard let one = all[operation.id], let status = one["status"]?.intValue, let answer = one["answer"] else {
            return nil
        }
        return (one["sent"].flatMap { $0.isNull ? nil : $0.prettyText }, status, answer.prettyText)
    }
}
