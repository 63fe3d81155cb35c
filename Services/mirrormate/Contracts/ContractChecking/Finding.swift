/// A violation of a contract: where it is, what is wrong, what to do.
package struct Finding: Sendable, Hashable, CustomStringConvertible {
    /// Who promises what to whom, such as `sessions -> quota: SessionCreated.v1, field timeZone`.
    package let place: String
    /// What is wrong.
    package let problem: String
    /// What to do about it.
    package let advice: String

    package init(_ place: String, _ problem: String, _ advice: String) {
        self.place = place
        self.problem = problem
        self.advice = advice
    }

    package var description: String { "\(place)\n    \(problem)\n    \(advice)" }
}

/// What to do; shared by all findings.
enum Advice {
    static let keep =
        "Keep it as it was released, or publish a new version beside this one until every consumer reads that: "
        + "docs/contracts.md, \"Changing what is published\"."
    static let golden = "Golden files are what was released: put this one back, and add a file for what is new."
    static let accept =
        "Add a step to the service's story in Tests/Services/ContractPathTests and run `make contracts-accept`."
    static let contract = "Correct the contract; docs/contracts.md, \"A consumer's contract\" describes its content."
}
