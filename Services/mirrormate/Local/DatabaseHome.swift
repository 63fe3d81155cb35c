import Glibc
import Processes
import Runtime

/// Where the private PostgreSQL lives and as whom it runs.
///
/// PostgreSQL refuses to run as root, so root starts it as the user `postgres`. That user must reach its files: in a
/// checkout below a folder that is closed to others, such as `/root`, it cannot, and then they lie in
/// `/var/lib/mirrormate/` with a link from the state folder. The socket's path has to stay below 108 bytes.
@Loop struct DatabaseHome {
    /// The folder that holds data and socket; another user's when root started it.
    let folder: String
    /// The folder of the socket.
    let socket: String
    /// The user it runs as; nil for the own one.
    let user: Command.User?

    var data: String { "\(folder)/data" }

    static func find(_ state: StateFolder) async throws -> DatabaseHome {
        let inside = "\(state.path)/postgres"
        let user = try serverUser()
        let folder = try await location(inside: inside, user: user, state: state)
        if folder != inside { try link(inside, to: folder) }
        try Files.makeFolder(folder, mode: 0o700)
        let short = "\(folder)/socket"
        let socket = short.utf8.count < 90 ? short : "/tmp/mirrormate-\(name(of: state))"
        try Files.makeFolder(socket, mode: 0o700)
        if let user {
            for path in [folder, socket] where lchown(path, user.user, user.group) != 0 {
                throw unusable(path)
            }
        }
        // A folder in /tmp may have been made by somebody else before us.
        var info = stat()
        // Services that run as users of their own get to the socket, and show a password there.
        let mode: mode_t = user == nil ? 0o700 : 0o711
        guard lstat(socket, &info) == 0, info.st_mode & S_IFMT == S_IFDIR,
            info.st_uid == user?.user ?? geteuid(), chmod(socket, mode) == 0, chmod(folder, mode) == 0
        else { throw unusable(socket) }
        return DatabaseHome(folder: folder, socket: socket, user: user)
    }

    private static func serverUser() throws(Failure) -> Command.User? {
        guard geteuid() == 0 else { return nil }
        guard let entry = getpwnam("postgres") else {
            throw Failure(
                .configuration, "no-database-user", "There is no user `postgres` to run PostgreSQL as.",
                advice: "Run infra/setup, which installs PostgreSQL.")
        }
        return Command.User(user: entry.pointee.pw_uid, group: entry.pointee.pw_gid)
    }

    private static func location(
        inside: String, user: Command.User?, state: StateFolder
    ) async throws -> String {
        if let user {
            // The kernel's own answer is better than a reading of modes and access lists.
            var test = Command("/usr/bin/test", ["-x", state.path])
            test.user = user
            let reachable = try await ChildProcess.start(test).wait().isSuccess
            if !reachable { return "/var/lib/mirrormate/\(name(of: state))" }
        }
        return inside
    }

    private static func link(_ path: String, to target: String) throws(Failure) {
        if let current = Files.absolute(path), current == target { return }
        unlink(path)
        try Files.makeFolder(Files.folder(of: target))
        guard symlink(target, path) == 0 else { throw unusable(path) }
    }

    private static func name(of state: StateFolder) -> String {
        String(StateName.short(state.path))
    }

    private static func unusable(_ path: String) -> Failure {
        Failure(
            .configuration, "database-folder", "\(path) cannot be used for PostgreSQL.",
            advice: "Remove it if it is a leftover, or choose another folder with --state DIR.")
    }
}
