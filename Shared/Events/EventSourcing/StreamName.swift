package import Primitives

/// The name of one aggregate's stream: a category and an identifier, written `category-id`.
package struct StreamName: Sendable, Hashable, CustomStringConvertible {
    package let description: String

    /// The stream of one aggregate.
    package init(_ category: String, _ id: UUID) { description = "\(category)-\(id)" }

    /// A stream by its full name, as read from the store.
    package init(rawValue: String) { description = rawValue }

    /// The part before the first hyphen.
    package var category: Substring { description.prefix { $0 != "-" } }

    /// The aggregate's identifier; nil if the name has none.
    package var id: UUID? { UUID(description.dropFirst(category.count + 1)) }
}

extension StreamName {
    /// The category of the streams that say that nothing of an erased user is left in a service.
    package static let subjectCategory = "subject"

    /// The stream that says that nothing of an erased user is left; it holds one event.
    package static func subject(_ user: UUID) -> StreamName { StreamName(subjectCategory, user) }
}
