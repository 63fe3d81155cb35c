import Runtime

/// A command of a service's program for operators, besides serving, migrating and creating topics.
package struct ServiceCommand: Sendable {
    /// The word on the command line.
    package let name: String
    /// What it does, on the service's own schema, with the arguments that follow its name; returns a sentence that says what
    /// was done.
    let run: @Loop @Sendable (ServiceContext, [String]) async throws -> String

    package init(_ name: String, _ run: @escaping @Loop @Sendable (ServiceContext, [String]) async throws -> String) {
        self.name = name
        self.run = run
    }
}

/// A command of a service was not understood.
package struct UsageError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
