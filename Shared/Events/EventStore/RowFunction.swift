package import JSON
package import Primitives

/// A SQL function `row_<name>(args json) returns text` that guards an append or writes rows with it, declared once with its
/// arguments and refusals: call it like a function to get the ``RowCall`` that goes into an append.
///
/// ```swift
/// static let ownJob = RowFunction("own_job", .uuid("sessionId"), .uuid("ownerId"))
/// …
/// calls: [ownJob(job.sessionId, job.ownerId)]
/// ```
///
/// Each service lists its declarations; a test compares them with the functions in its schema.
package struct RowFunction<each Argument: Sendable>: Sendable {
    /// What the test compares with the schema.
    package let declaration: RowDeclaration
    private let parameters: (repeat RowParameter<each Argument>)

    /// - Parameters:
    ///   - name: the SQL function's name without its prefix `row_`.
    ///   - refusals: what the function may answer instead of null.
    package init(_ name: String, _ parameter: repeat RowParameter<each Argument>, refusals: [RowRefusal] = []) {
        parameters = (repeat each parameter)
        var names: [String] = []
        for parameter in repeat each parameter { names.append(parameter.name) }
        declaration = RowDeclaration(name: name, arguments: names, refusals: refusals)
    }

    /// The call with these arguments.
    package func callAsFunction(_ argument: repeat each Argument) -> RowCall {
        var arguments = JSONObject()
        for (parameter, value) in repeat (each parameters, each argument) {
            if let json = parameter.encode(value) { arguments[parameter.name] = json }
        }
        return RowCall(declaration.name, arguments)
    }
}

/// One argument of a ``RowFunction``: its name in the SQL function's `args` and how its values are written.
package struct RowParameter<Value: Sendable>: Sendable {
    let name: String
    /// Nil leaves the member out.
    let encode: @Sendable (Value) -> JSONValue?
}

extension RowParameter where Value == UUID {
    package static func uuid(_ name: String) -> Self { Self(name: name) { .uuid($0) } }
}

extension RowParameter where Value == UUID? {
    package static func optionalUUID(_ name: String) -> Self { Self(name: name) { .optional($0) } }
}

extension RowParameter where Value == String {
    package static func string(_ name: String) -> Self { Self(name: name) { .string($0) } }
}

extension RowParameter where Value == String? {
    package static func optionalString(_ name: String) -> Self { Self(name: name) { .optional($0) } }
}

extension RowParameter where Value == Int64 {
    package static func int(_ name: String) -> Self { Self(name: name) { .int($0) } }
}

extension RowParameter where Value == Int64? {
    package static func optionalInt(_ name: String) -> Self { Self(name: name) { .optional($0) } }
}

extension RowParameter where Value == Timestamp {
    package static func time(_ name: String) -> Self { Self(name: name) { .time($0) } }
}

extension RowParameter where Value == Timestamp? {
    package static func optionalTime(_ name: String) -> Self { Self(name: name) { .optional($0) } }
}

extension RowParameter where Value == JSONValue {
    package static func json(_ name: String) -> Self { Self(name: name) { $0 } }
}

extension RowParameter where Value == JSONValue? {
    /// A member that is left out when the value is nil.
    package static func member(_ name: String) -> Self { Self(name: name) { $0 } }
}

/// A ``RowFunction`` without its types.
package struct RowDeclaration: Sendable {
    /// The SQL function's name without its prefix `row_`.
    package let name: String
    /// The members of `args`, in order.
    package let arguments: [String]
    /// What the function may answer instead of null.
    package let refusals: [RowRefusal]
}

/// Why a row function refused the append that carried it: the text that it answered.
package struct RowRefusal: Sendable, Hashable, CustomStringConvertible {
    package let description: String

    package init(_ text: String) { description = text }
}

/// A guard or row write of an append: it runs with the append, under the head lock and after the append was accepted, and
/// is committed or rolled back with it. Made by calling a ``RowFunction``.
package struct RowCall: Sendable {
    /// The SQL function's name without its prefix `row_`.
    package let name: String
    /// The members of the function's `args`.
    package let arguments: JSONObject

    fileprivate init(_ name: String, _ arguments: JSONObject) {
        self.name = name
        self.arguments = arguments
    }

    /// The call as `append_batch` reads it, and in a form that tests can compare.
    package var json: JSONObject { ["call": .string(name), "args": .object(arguments)] }
}

/// Row functions of the event store itself.
package enum EventStoreRows {
    /// Marks a subject as erased: nothing more is accepted on its behalf.
    package static let eraseSubject = RowFunction("erase_subject", .uuid("subject"))

    package static let all = [eraseSubject.declaration]
}
