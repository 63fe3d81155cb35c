/// Everything that is wrong with a process's configuration.
package struct ConfigurationError: Error, Sendable, Equatable, CustomStringConvertible {
    /// One sentence for each variable, with what to set instead; never a secret's value.
    package let problems: [String]

    package init(problems: [String]) { self.problems = problems }

    package var description: String {
        "The configuration cannot be used:\n" + problems.map { "- \($0)\n" }.joined()
    }
}
