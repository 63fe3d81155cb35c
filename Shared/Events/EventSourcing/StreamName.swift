package import Primitives

/// The name of one aggregate's stream: a category and an identifier, written `category-id`.
package struct StreamName: Sendable, Hashable, CustomStringConvertible {
    package let description: String

    /// The stream of one aggregate.
    package init(_ category: String, _ id: UUID) { description = "\(category)-\(id)" }

    /// A stream by its whole name, as read from the store.
    package init(rawValue: String) { description = rawValue }

    /// What stands before the first hyphen.
    package var category: Substring { description.prefix { $0 != "-" } }

    /// The aggregate's identifier, when the name has one.
    package var id: UUID? { UUID(description.dropFirst(category.count + 1)) }
}
