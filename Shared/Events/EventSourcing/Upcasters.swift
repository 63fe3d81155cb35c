package import JSON

/// Brings stored data of older versions to the newest form, one version after another, before an event's `decode` reads it.
///
/// A service whose event gets a second version declares one step for it and asks ``newest(_:_:)`` first, so that `decode`
/// knows the newest form only:
///
/// ```swift
/// static let upcasters = Upcasters([
///     EventType("UploadStored", 1): { (data) throws(JSONError) in … },   // gives the data of version 2
/// ])
/// ```
package struct Upcasters: Sendable {
    /// Makes the data of the next version; pure, and total over everything that was ever written.
    package typealias Step = @Sendable (JSONObject) throws(JSONError) -> JSONObject

    private let steps: [EventType: Step]

    /// - Parameter steps: by the version that each one starts from.
    package init(_ steps: [EventType: Step]) { self.steps = steps }

    /// The newest form of an event's data with its version; what has no step stays as it is.
    ///
    /// - Throws: `malformed` with the version whose data a step could not read.
    package func newest(
        _ type: EventType, _ data: JSONObject
    ) throws(EventDecodingError) -> (type: EventType, data: JSONObject) {
        var (type, data) = (type, data)
        while let step = steps[type] {
            do throws(JSONError) { data = try step(data) } catch { throw .malformed(type, error) }
            type = EventType(type.name, type.version + 1)
        }
        return (type, data)
    }
}
