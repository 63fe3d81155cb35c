package import EventSourcing
package import Primitives

extension StreamName {
    /// The category of the streams ``subject(_:)``.
    package static let subjectCategory = "subject"

    /// The stream of an erased user in each service that forgets its aggregates one by one: its one event says that nothing
    /// is left.
    package static func subject(_ userId: UUID) -> StreamName { StreamName(subjectCategory, userId) }
}
