import Glibc
import Processes
import Runtime

/// Where the private PostgreSQL lives and as whom it runs.
///
/// PostgreSQL refuses to run as root, so root starts it as the user `postgres`. That user must reach its files: in a
/// checkout below a folder that is closed to others, such as `/root`, it cannot, and then they lie in
/// `/var/lib/mirrormate/` with a link from the state folder (``OutsideFolder``). The socket's path has to stay below 108 bytes.
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
        let short = "\(folder)/socket"
        let socket = short.utf8.count < 90 ? short : shortSocket(state)
        // Services that run as users of their own get to the socket, and show a password there.
        let mode: mode_t = user == nil ? 0o700 : 0o711
        for path in [folder, socket] {
            try Files.makeFolder(path, mode: 0o700)
            // One in /tmp may have been made by somebody else, and one in the server's own folder may be a link by now.
            guard
                Files.giveFolder(path, to: user?.user ?? geteuid(), group: user?.group ?? getegid(), mode: mode)
            else { throw unusable(path) }
        }
        return DatabaseHome(folder: folder, socket: socket, user: user)
    }

    /// The folder of the socket where the state folder's path is too long: in /tmp anybody could be there before root.
    static func shortSocket(_ state: StateFolder) -> String {
        let name = StateName.short(state.path)
        return geteuid() == 0 ? "/run/mirrormate-\(name)-postgres" : "/tmp/mirrormate-\(name)"
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
            // Where it was once, it stays: its data are there.
            if OutsideFolder.holds("postgres", of: state) { return try OutsideFolder.path(state) }
            // The kernel's own answer is better than a reading of modes and access lists.
            var test = Command("/usr/bin/test", ["-x", state.path])
            test.user = user
            let reachable = try await ChildProcess.start(test).wait().isSuccess
            if !reachable {
                guard !Files.exists("\(inside)/data") else { throw closed(inside) }
                return try OutsideFolder.path(state)
            }
        }
        return inside
    }

    private static func link(_ path: String, to target: String) throws(Failure) {
        if let current = Files.absolute(path), current == target { return }
        unlink(path)
        try Files.makeFolder(Files.folder(of: target))
        guard symlink(target, path) == 0 else { throw unusable(path) }
    }

    private static func closed(_ path: String) -> Failure {
        Failure(
            .configuration, "database-closed", "\(path) holds the database, and PostgreSQL's user cannot get there.",
            advice: "Let others enter the folders above it (chmod o+x), or move the state folder back to where it was.")
    }

    private static func unusable(_ path: String) -> Failure {
        Failure(
            .configuration, "database-folder", "\(path) cannot be used for PostgreSQL.",
            advice: "Remove it if it is a leftover, or choose another folder with --state DIR.")
    }
}
