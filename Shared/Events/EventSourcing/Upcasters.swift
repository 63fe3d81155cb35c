package import JSON

/// Converts stored data of older versions to the newest one, version by version, before an event's `decode` reads it.
///
/// When an event gets a second version, its service declares a step for it and calls ``newest(_:_:)`` first, so that
/// `decode` has to know only the newest version:
///
/// ```swift
/// static let upcasters = Upcasters([
///     EventType("UploadStored", 1): { (data) throws(JSONError) in … },   // gives the data of version 2
/// ])
/// ```
package struct Upcasters: Sendable {
    /// Makes the data of the next version; pure, and defined for everything that was ever written.
    package typealias Step = @Sendable (JSONObject) throws(JSONError) -> JSONObject

    private let steps: [EventType: Step]

    /// - Parameter steps: by the version that each starts from.
    package init(_ steps: [EventType: Step]) { self.steps = steps }

    /// An event's data in its newest version; unchanged if there is no step.
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
