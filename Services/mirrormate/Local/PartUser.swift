import Processes

/// As whom the parts of a stack run that root started: a number for each, without an account.
///
/// The numbers lie where systemd and Debian give none, and below 65536, so that they exist in containers with users of their
/// own, too. Stacks of one machine share them.
enum PartUser {
    /// The user of Kafka, also of the development broker.
    static let kafka = user(60_600)
    /// The user of what prepares the database and the topics.
    static let jobs = user(60_601)

    /// The user of the proxy for what is outside.
    static let wayOut = user(60_602)

    /// The user of a service.
    static func service(_ name: String) -> Command.User {
        user(60_610 + UInt32(Settings.services.firstIndex(of: name) ?? Settings.services.count))
    }

    /// Whether a process is root's; not when it has ended.
    static func isRoot(_ process: Int32) -> Bool {
        ProcessIdentity(of: process)?.users.contains(0) ?? false
    }

    private static func user(_ number: UInt32) -> Command.User { Command.User(user: number, group: number) }
}
