import CClock
import Glibc
import Processes

/// Whose a stack is: the owner of its folder alone starts and changes it, and who started it alone stops it.
///
/// Anybody else, root above all, would leave files there that the owner cannot use, or run the owner's programs with
/// rights of their own.
enum StackOwner {
    /// What only the owner of a state folder makes in it, whoever the parts run as.
    private static let own = ["run", "secrets", "logs", "gateway", "demo"]
    /// What else is the owner's where all parts run as the owner.
    private static let ofParts = ["objects", "scratch", "mail", "photos", "kafka", "postgres", "users"]

    /// Refuses whoever would mix their files with another's; nothing is changed.
    ///
    /// - Parameter folder: a state folder, which need not exist yet.
    static func requireWhole(_ folder: String) throws(Failure) {
        try requireFolder(folder)
        let me = geteuid()
        for name in own + (me == 0 ? [] : ofParts) {
            guard let other = owner(of: "\(folder)/\(name)"), other != me else { continue }
            throw Failure(
                .configuration, "state-mixed",
                "\(folder)/\(name) belongs to \(user(other)), and the rest to \(user(me)).",
                advice: "End what runs (`mirrormate down` as \(user(other))), then: "
                    + "sudo chown -R \(user(me)) \(folder)")
        }
        try requireStarter(folder)
    }

    /// Refuses everybody but who started what runs; where nothing runs, everybody but the folder's owner.
    static func requireStopping(_ folder: String) throws(Failure) {
        if try requireStarter(folder) == 0 { try requireFolder(folder) }
    }

    /// Refuses who may not read what is the owner's: everybody but the owner and root.
    static func requireLooking(_ folder: String) throws(Failure) {
        if geteuid() != 0 { try requireFolder(folder) }
    }

    /// Refuses everybody but the owner of a state folder, or of one that it lies in.
    static func requireFolder(_ folder: String) throws(Failure) {
        let me = geteuid()
        if let other = owner(of: folder), other != me {
            throw Failure(
                .configuration, "state-owner", "\(folder) belongs to \(user(other)), and you are \(user(me)).",
                advice: "Run it as \(user(other)): \(asUser(other)). Or choose a folder of your own with --state DIR.")
        }
        var above = Files.folder(of: folder)
        while above != "/", above != "." {
            if let other = owner(of: above), other != me, isState(above) {
                throw Failure(
                    .configuration, "state-owner",
                    "\(folder) would lie in \(above), where \(user(other)) keeps a stack, and you are \(user(me)).",
                    advice: "Choose a folder elsewhere with --state DIR.")
            }
            above = Files.folder(of: above)
        }
    }

    /// Refuses everybody but who started the parts that run.
    ///
    /// - Returns: how many of them run.
    @discardableResult
    private static func requireStarter(_ folder: String) throws(Failure) -> Int {
        let me = geteuid()
        var count = 0
        for name in Files.names(in: "\(folder)/run") where name.hasSuffix(".pid") {
            let file = "\(folder)/run/\(name)"
            guard let starter = owner(of: file), let text = Files.readText(file, of: starter),
                let note = StackPart.Note(text, in: "\(folder)/run"), note.identity.isRunning
            else { continue }
            count += 1
            guard starter != me else { continue }
            throw Failure(
                .configuration, "stack-owner",
                "\(name.dropLast(4)) of the stack in \(folder) runs, started by \(user(starter)), and you are \(user(me)).",
                advice: "Stop the stack as \(user(starter)) first: \(asUser(starter)) down --state \(folder)")
        }
        return count
    }

    private static func isState(_ folder: String) -> Bool {
        ["run", "secrets", "gateway"].allSatisfy { Files.exists("\(folder)/\($0)") }
    }

    /// Who owns a file or a link; nil when there is none.
    static func owner(of path: String) -> uid_t? {
        var facts = stat()
        return lstat(path, &facts) == 0 ? facts.st_uid : nil
    }

    private static func user(_ number: uid_t) -> String {
        getpwuid(number).map { String(cString: $0.pointee.pw_name) } ?? "\(number)"
    }

    private static func asUser(_ number: uid_t) -> String {
        if number == 0 { return "sudo ./mirrormate" }
        return "sudo -u \(getpwuid(number) == nil ? "'#\(number)'" : user(number)) ./mirrormate"
    }
}
