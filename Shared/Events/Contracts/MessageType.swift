/// The durable name of a published message: `mirrormate.<service>.<Name>.v<version>`, CloudEvents' `type`.
///
/// The name is a constant, never derived from a Swift type; once released, it never changes its meaning.
package struct MessageType: Sendable, Hashable, CustomStringConvertible {
    /// The publishing service; kept as text so that a service unknown to this build can still be named.
    package let service: String
    /// The message's own name, for instance `SessionCreated`.
    package let name: String
    /// The version of the data's shape, from 1.
    package let version: Int

    package init(_ service: ServiceName, _ name: String, _ version: Int = 1) {
        self.service = service.rawValue
        self.name = name
        self.version = version
    }

    /// Reads the text form; nil if the text has another form.
    package init?(_ text: some StringProtocol) {
        self.init(String(text))
    }

    /// The same of a `String`; generic code is not specialised across modules, and every message has a type.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == "mirrormate", !parts[1].isEmpty, !parts[2].isEmpty,
            parts[3].hasPrefix("v"), let version = Int(parts[3].dropFirst()), version > 0,
            parts[3] == "v\(version)"
        else { return nil }
        service = String(parts[1])
        name = String(parts[2])
        self.version = version
    }

    package var description: String { "mirrormate.\(service).\(name).v\(version)" }

    /// The type of the record with which a relay begins on a partition.
    package static func lease(_ service: ServiceName) -> MessageType { MessageType(service, "Lease") }
}
