import Glibc
import ObjectStorage
import Processes
import Runtime

/// What the parts of a stack that root started have on disk, each as a user of its own; see ``PartUser``.
///
/// Users must reach it: below a folder that is closed to others, such as `/root`, it lies in `/var/lib/mirrormate/` with
/// links from the state folder, as PostgreSQL's data does (``OutsideFolder``). All of it lies in folders of root's, so no part puts
/// anything in the place of what is another's, or of what root uses by its name.
@Loop struct PartHomes {
    /// The folder that holds all of it: the state folder where every user reaches it.
    let folder: String
    let state: StateFolder
    private let copies: OpenCopies

    /// Whether it has to be given to its users yet: a new stack, or one that an older version ran as root.
    var isNew: Bool { !Files.exists(mark) }

    private var mark: String { "\(folder)/users/complete" }
    private var log: String { state.log("setup") }
    private static let data = ["objects", "scratch", "mail", "photos", "kafka"]

    /// Looks where the parts find what is theirs, and copies what their users cannot read; only looks in a folder that is
    /// looked at.
    ///
    /// - Returns: nil unless root asks; everything then runs as the caller and lies in the state folder.
    static func find(_ settings: Settings) async throws -> PartHomes? {
        guard geteuid() == 0 else { return nil }
        // Services read what others write through its group, whatever root's own habit is; what is secret says so itself.
        umask(0o022)
        let state = settings.state
        // Where it was once, it stays: what they wrote is there.
        let wasOutside = OutsideFolder.holds("objects", of: state)
        let isOpen = wasOutside ? false : try await OpenCopies.isReachable(state.path)
        let folder = isOpen ? state.path : try outside(state)
        var originals = (Settings.services + ["mirrormate-media", "mirrormate-media-client"]).map {
            "\(settings.programs)/\($0)"
        }
        originals += [Files.program(), Files.absolute("\(settings.home)/docs")].compactMap { $0 }
        originals += ["\(state.path)/models", try settings.infra("kafka-local"), try settings.infra("web")]
        originals += [try settings.infra("way-out")]
        // Those of before, too, which are used where no variable names others.
        let record = StackRecord.load(state)
        for (variable, before) in [("KAFKA_HOME", record.kafkaHome), ("JAVA_HOME", record.kafkaJava)] {
            let said = Variables[variable] ?? ""
            originals += [Files.absolute(said.isEmpty ? before : said)].compactMap { $0 }
        }
        originals.removeAll { !Files.exists($0) }
        if state.isLookedAt {
            let copies = try await OpenCopies.find(in: "\(folder)/copies", of: originals)
            return PartHomes(folder: folder, state: state, copies: copies)
        }
        try Files.makeFolder(folder)
        let copies = try await OpenCopies.make(in: "\(folder)/copies", of: originals, log: state.log("setup"))
        return PartHomes(folder: folder, state: state, copies: copies)
    }

    /// The folder for those whose state folder is closed to others.
    nonisolated static func outside(_ state: StateFolder) throws(Failure) -> String {
        "\(try OutsideFolder.path(state))-parts"
    }

    /// Removes the copies of earlier programs; no part may run any more that was started with one.
    func removeOldCopies() async throws { try await copies.removeOthers(log: log) }

    /// Makes the folders, and gives what an older version left there to its users; nothing of the stack may run as root then.
    func prepare() async throws {
        let isNew = isNew
        try Files.makeFolder("\(folder)/users", mode: 0o711)
        try await takeBackUsers()
        for name in Self.data { try await place(name) }
        let owners = [
            ("scratch", PartUser.service("analysis")), ("mail", PartUser.service("identity")),
            ("photos", PartUser.service("identity")), ("kafka", PartUser.kafka),
        ]
        for (name, user) in owners { try await give("\(folder)/\(name)", to: user, mode: 0o700, whole: isNew) }
        try await giveObjects(whole: isNew)
        for part in MediaService.allCases.map(\.part) {
            for name in [part, "\(part)/scratch"] { try Files.makeFolder("\(folder)/\(name)", mode: 0o711) }
        }
        if isNew { try Files.write("", to: mark) }
    }

    /// Removes what older versions gave to the parts' users themselves, who may have put anything there since.
    private func takeBackUsers() async throws {
        for part in Files.names(in: "\(folder)/users") {
            let home = "\(folder)/users/\(part)"
            guard !Self.isRoots(home) else { continue }
            guard Files.giveFolder(home, to: 0, group: 0, mode: 0o700) else { throw unusable(home) }
            try await run("/bin/rm", ["-rf", "--", home])
        }
    }

    private static func isRoots(_ path: String) -> Bool { StackOwner.owner(of: path) == 0 }

    /// Lets each service have the objects that it owns, and the one that it declares read them, through their group.
    ///
    /// - Parameter whole: also what is there already; needed when somebody else put it there.
    func giveObjects(whole: Bool) async throws {
        let objects = "\(folder)/objects"
        // Nobody puts anything in the place of a folder, not even of their own.
        try Files.makeFolder(objects)
        guard Files.giveFolder(objects, to: 0, group: 0, mode: 0o755) else { throw unusable(objects) }
        let grants = BucketCommand.grants
        for grant in grants where grant.owns {
            let readers = grants.filter { !$0.owns }
            let own = grants.filter { $0.owns && $0.user == grant.user }.map(\.prefix)
            // What is moved from a closed folder into one that is read must have the reader's group already.
            let reader =
                readers.first { $0.prefix == grant.prefix } ?? readers.first { own.contains($0.prefix) }
            let isRead = readers.contains { $0.prefix == grant.prefix }
            let user = Command.User(
                user: PartUser.service(grant.user).user, group: PartUser.service(reader?.user ?? grant.user).group)
            let path = "\(objects)/\(grant.prefix.split(separator: "/").joined(separator: "/"))"
            try await give(path, to: user, mode: isRead ? 0o2750 : 0o2700, whole: whole)
        }
    }

    /// The command as a part's user, with what that user can read: copies of its secrets, and of programs in closed folders.
    func command(_ command: Command, as user: Command.User, named part: String) throws(Failure) -> Command {
        let home = "\(folder)/users/\(part)"
        if !state.isLookedAt {
            try Files.makeFolder(home, mode: 0o700)
            guard Self.isRoots(home), Files.giveFolder(home, to: 0, group: user.group, mode: 0o750) else {
                throw unusable(home)
            }
        }
        var command = command
        command.user = user
        command.folder = "/"
        command.executable = copies[command.executable]
        command.arguments = command.arguments.map { copies[$0] }
        for (name, value) in command.environment {
            if name.hasSuffix("_FILE"), !value.isEmpty {
                guard let content = try Files.read(value) else { continue }
                let copy = "\(home)/\(name)"
                command.environment[name] = copy
                if !state.isLookedAt { try Files.write(content, to: copy, mode: 0o440, group: user.group) }
            } else if value.hasPrefix("/") {
                command.environment[name] = copies[value]
            }
        }
        command.environment["HOME"] = home
        return command
    }

    /// A path, or that of its copy where not everybody may read it.
    func readable(_ path: String) -> String { copies[path] }

    /// A folder for what a part writes itself, and nobody else reads.
    func ownFolder(_ name: String, of user: Command.User) async throws -> String {
        let path = "\(folder)/\(name)"
        try await give(path, to: user, mode: 0o700, whole: false)
        return path
    }

    /// Makes a folder of the state folder lie where users reach it. A move that was interrupted goes on.
    private func place(_ name: String) async throws {
        let (inside, outside) = ("\(state.path)/\(name)", "\(folder)/\(name)")
        try Files.makeFolder(inside, mode: 0o700)
        if folder == state.path { return }
        let old = "\(inside).old"
        if !Files.exists(old), Files.absolute(inside) == inside {
            // Copied under another name first: until it is whole, the state folder's own is the one that counts.
            try await run("/bin/rm", ["-rf", "--", "\(outside).new", outside])
            try await run("/bin/cp", ["-a", "--", inside, "\(outside).new"])
            guard rename("\(outside).new", outside) == 0, rename(inside, old) == 0 else { throw unusable(outside) }
        }
        if Files.exists(old) {
            rmdir(inside)
            if Files.absolute(inside) != outside, symlink(outside, inside) != 0 { throw unusable(inside) }
            try await run("/bin/rm", ["-rf", "--", old])
        }
    }

    private func give(_ path: String, to user: Command.User, mode: mode_t, whole: Bool) async throws {
        try Files.makeFolder(path, mode: 0o700)
        if whole {
            // Closed, and given away only then: a mode is changed by a name, behind which nobody may put a link meanwhile.
            guard Files.giveFolder(path, to: 0, group: 0, mode: 0o700) else { throw unusable(path) }
            if mode & 0o2000 != 0 {
                try await run("/usr/bin/find", [path, "-type", "d", "-exec", "/bin/chmod", "2750", "{}", "+"])
                try await run("/usr/bin/find", [path, "-type", "f", "-exec", "/bin/chmod", "0640", "{}", "+"])
            }
            try await run("/bin/chown", ["-R", "-h", "-P", "--", "\(user.user):\(user.group)", path])
        }
        guard Files.giveFolder(path, to: user.user, group: user.group, mode: mode) else { throw unusable(path) }
    }

    private func run(_ program: String, _ arguments: [String]) async throws {
        let command = Command(program, arguments, environment: ["PATH": "/usr/bin:/bin"])
        try await runToEnd(command, as: "Giving files to their users", log: log, within: .seconds(3600))
    }

    private func unusable(_ path: String) -> Failure {
        Failure(
            .configuration, "part-folder", "\(path) cannot be given to the user whose it is.",
            advice: "Root must be able to change owners there; choose another folder with --state DIR.")
    }
}
