import Processes
import Runtime

/// What opens strangers' files for a service in a stack that root started: `mirrormate-media serve`, to which the service hands
/// descriptors. Each of the two services that have one has it for itself, because a socket is of one group.
///
/// The server itself stays root, to give each run a user of its own; it opens nothing that it is handed.
@Loop struct MediaServer {
    let settings: Settings
    let homes: PartHomes
    let service: MediaService

    /// The path of its socket, for the service alone.
    nonisolated static func socket(in folder: String, for service: MediaService) -> String {
        let path = "\(folder)/\(service.part)/socket"
        // The kernel takes at most 107 bytes.
        return path.utf8.count < 104 ? path : "\(shortFolder(of: folder))/\(service.part)"
    }

    /// Where the sockets lie when the state folder's path is too long.
    nonisolated static func shortFolder(of folder: String) -> String { "/run/mirrormate-\(StateName.short(folder))" }

    static func part(_ service: MediaService, _ state: StateFolder) -> StackPart {
        StackPart(name: service.part, state: state)
    }

    /// Starts the server if needed and waits until it can be reached.
    ///
    /// - Returns: whether it was started.
    func start() async throws -> Bool {
        let part = Self.part(service, settings.state)
        let socket = Self.socket(in: homes.folder, for: service)
        try Files.makeFolder(Files.folder(of: socket), mode: 0o711)
        var command = Command(
            homes.readable(try settings.program("mirrormate-media")),
            [
                "serve", "--socket", socket, "--models", homes.readable("\(settings.state.path)/models"),
                "--scratch", "\(homes.folder)/\(service.part)/scratch",
            ], environment: settings.environment)
        // The socket's group, which may connect.
        command.user = Command.User(user: 0, group: PartUser.service(service.rawValue).group)
        command.folder = "/"
        let started = try await part.ensure(command)
        let client = homes.readable(try settings.program("mirrormate-media-client"))
        try await runToEnd(
            Command(client, ["reach", "--socket", socket]), as: "Reaching the media server", log: part.log)
        return started
    }
}

/// A service that has strangers' files opened.
enum MediaService: String, CaseIterable {
    case analysis, identity

    /// The name of the part of the stack that opens them, and of its folder.
    var part: String {
        switch self {
        case .analysis: "media"
        case .identity: "pictures"
        }
    }

    /// What the part does, for people.
    var work: String {
        switch self {
        case .analysis: "opens videos"
        case .identity: "opens pictures"
        }
    }
}
