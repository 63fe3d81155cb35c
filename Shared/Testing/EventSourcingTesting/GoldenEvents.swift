package import EventSourcing
import Glibc
import TestingSupport

/// The types of a service's private events that golden files show, each in its newest version.
///
/// - Parameter service: the name of its folder.
package func goldenEvents(of service: String) -> Set<EventType> {
    var newest: [String: Int] = [:]
    guard let folder = opendir("\(Checkout.root)/Services/\(service)/Contracts/events") else { return [] }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
        let file = withUnsafePointer(to: &entry.pointee.d_name) { name in
            name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        // `SessionCreated.v1.json`
        let parts = file.split(separator: ".")
        guard parts.count == 3, let version = Int(parts[1].dropFirst()) else { continue }
        newest[String(parts[0])] = max(version, newest[String(parts[0])] ?? 0)
    }
    return Set(newest.map { EventType($0.key, $0.value) })
}

/// The private events of a service that no rule of a table leads to: a row is missing for each.
///
/// - Parameter service: the name of its folder.
package func eventsWithoutRow<State, D>(_ rules: [CommandRule<State, D>], of service: String) -> Set<String> {
    rules.reduce(into: Set(goldenEvents(of: service).map(\.name))) { $0.subtract($1.events) }
}
