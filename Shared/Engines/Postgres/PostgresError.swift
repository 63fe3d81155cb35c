/// PostgreSQL refused a statement, or could not be reached.
package struct PostgresError: Error, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    /// The SQLSTATE, or one of our own codes for problems on the way to the server.
    package struct Code: RawRepresentable, Hashable, Sendable {
        package let rawValue: String
        package init(rawValue: String) { self.rawValue = rawValue }

        /// The connection could not be made or was lost; whether the statement took effect is unknown.
        package static let connection = Code(rawValue: "connection")
        /// A row with the same key exists (23505).
        package static let uniqueViolation = Code(rawValue: "23505")
        /// The statement was cancelled, mostly by `statement_timeout` (57014).
        package static let queryCanceled = Code(rawValue: "57014")
        /// The server's answer does not have the expected shape.
        package static let wrongAnswer = Code(rawValue: "wrong-answer")
        /// The role may not do this (42501).
        package static let insufficientPrivilege = Code(rawValue: "42501")
        /// A table that the statement names does not exist (42P01).
        package static let undefinedTable = Code(rawValue: "42P01")
    }

    package let code: Code
    /// The violated constraint, if the server names one.
    package let constraint: String?
    /// The server's message; may quote data, so it goes neither to clients nor into logs.
    package let message: String

    package init(_ code: Code, _ message: String, constraint: String? = nil) {
        self.code = code
        self.message = message
        self.constraint = constraint
    }

    /// Whether the same statement may succeed later: connection, resource, shutdown, serialization and lock errors.
    package var isRetriable: Bool {
        if code == .connection || code == .queryCanceled { return true }
        return ["08", "40", "53", "55", "57", "58"].contains(String(code.rawValue.prefix(2)))
    }

    /// Whether the data itself was refused (class 22 or 23), so that a retry cannot help.
    package var isDataError: Bool { ["22", "23"].contains(String(code.rawValue.prefix(2))) }

    /// What was refused, for operators: the constraint, or the code; of a statement that does not fit the schema (class 42)
    /// also the server's message, which quotes names and no data.
    package var reason: String { constraint ?? misfit.map { "\(code.rawValue): \($0)" } ?? code.rawValue }

    /// The server's message about a statement that does not fit the schema, or that the role may not execute (class 42).
    private var misfit: String? {
        code.rawValue.hasPrefix("42") ? message.split(separator: "\n").first.map(String.init) : nil
    }

    /// Whether the schema lacks a name, mostly for want of a migration: undefined_column, undefined_table,
    /// undefined_function, undefined_object.
    private var isNameMissing: Bool { ["42703", "42P01", "42883", "42704"].contains(code.rawValue) }

    package var description: String {
        if code == .connection { return "The database cannot be reached; retrying." }
        guard let misfit else { return "The database refused a statement (\(code.rawValue))." }
        let refused = "The database refused a statement (\(code.rawValue)): \(misfit)."
        return isNameMissing ? "\(refused) Is a migration missing?" : refused
    }

    package var debugDescription: String { "\(code.rawValue): \(message)" }
}
