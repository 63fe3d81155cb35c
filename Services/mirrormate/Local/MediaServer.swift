import Processes
import Runtime

/// What opens videos in a stack that root started: `mirrormate-media serve`, to which analysis hands descriptors.
///
/// The server itself stays root, to give each run a user of its own; it opens nothing that it is handed.
@Loop struct MediaServer {
    let settings: Settings
    let homes: PartHomes

    /// The path of its socket, for analysis alone.
    nonisolated static func socket(in folder: String) -> String {
        let path = "\(folder)/media/socket"
        // The kernel takes at most 107 bytes.
        return path.utf8.count < 104 ? path : "\(shortFolder(of: folder))/socket"
    }

    /// Where the socket lies when the state folder's path is too long.
    nonisolated static func shortFolder(of folder: String) -> String { "/run/mirrormate-\(StateName.short(folder))" }

    static func part(_ state: StateFolder) -> StackPart { StackPart(name: "media", state: state) }

    /// Starts the server if needed and waits until it can be reached.
    ///
    /// - Returns: whether it was started.
    func start() async throws -> Bool {
        let part = Self.part(settings.state)
        let socket = Self.socket(in: homes.folder)
        try Files.makeFolder(Files.folder(of: socket), mode: 0o711)
        var command = Command(
            homes.readable(try settings.program("mirrormate-media")),
            [
                "serve", "--socket", socket, "--models", homes.readable("\(settings.state.path)/models"),
                "--scratch", "\(homes.folder)/media/scratch",
            ], environment: settings.environment)
        // The socket's group, which may connect.
        command.user = Command.User(user: 0, group: PartUser.service("analysis").group)
        command.folder = "/"
        let started = try await part.ensure(command)
        let client = homes.readable(try settings.program("mirrormate-media-client"))
        try await runToEnd(
            Command(client, ["reach", "--socket", socket]), as: "Reaching the media server", log: part.log)
        return started
    }
}
