package import JSON

/// Converts stored data of older versions to the newest one, version by version, before an event's `decode` reads it.
///
/// When an event gets a second version, its service declares a step for it and gives the steps to
/// ``PrivateEvent/reading(_:_:upcasting:byName:)``, so that what reads the data has to know only the newest version:
///
/// ```swift
/// static let upcasters = Upcasters([
///     EventType("UploadStored", 1): { (data) throws(JSONError) in … },   // gives the data of version 2
/// ])
/// ```
package struct Upcasters: Sendable {
    /// Makes the data of the next version; pure, and defined for everything that was ever written.
    package typealias Step = @Sendable (JSONObject) throws(JSONError) -> JSONObject

    /// No steps: every event has had only one version.
    package static let none = Upcasters([:])

    private let steps: [EventType: Step]
    /// By name, of the events that have had more than one.
    private let newestVersions: [String: Int]

    /// - Parameter steps: by the version that each starts from.
    package init(_ steps: [EventType: Step]) {
        self.steps = steps
        newestVersions = Dictionary(steps.keys.map { ($0.name, $0.version + 1) }, uniquingKeysWith: max)
    }

    /// The version that the steps lead to; 1 for an event without steps.
    package func newestVersion(of name: String) -> Int { newestVersions[name] ?? 1 }

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
