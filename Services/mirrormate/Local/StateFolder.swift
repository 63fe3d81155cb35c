import Crypto
import Glibc
import Primitives

/// The folder that holds everything a local stack keeps: data, secrets, logs, and which processes it started.
struct StateFolder {
    /// What a command does with the stack that the folder holds.
    enum Use {
        /// It may make whatever is missing.
        case change
        /// It ends what runs and makes nothing.
        case stop
        /// It makes nothing and changes nothing.
        case look
    }

    /// The folder's path, without links.
    let path: String
    private let use: Use
    /// Whose it was when it was opened; nil when there was none.
    private let owner: uid_t?

    /// Whether nothing may be made that is not there.
    var isLookedAt: Bool { use == .look }

    /// Opens the folder of `--state`, else of `MIRRORMATE_STATE`, else `.mirrormate` beside the project.
    ///
    /// - Throws: a failure, before anything is changed, when the stack is somebody else's; see ``StackOwner``.
    init(option: String?, home: String, for use: Use) throws(Failure) {
        let wanted = option ?? Variables["MIRRORMATE_STATE"] ?? "\(home)/.mirrormate"
        let place = Files.place(of: wanted)
        self.use = use
        owner = StackOwner.owner(of: place)
        switch use {
        case .look: try StackOwner.requireLooking(place)
        case .stop: try StackOwner.requireStopping(place)
        case .change: try StackOwner.requireWhole(place)
        }
        guard use == .change else {
            path = place
            return
        }
        try Files.makeFolder(place)
        path = Files.absolute(place) ?? place
        // By ways that were not there before.
        if path != place { try StackOwner.requireWhole(path) }
        for name in ["objects", "scratch", "mail", "photos", "run", "gateway", "demo", "secrets"] {
            try Files.makeFolder("\(path)/\(name)", mode: 0o700)
        }
        for name in ["logs", "models"] { try Files.makeFolder("\(path)/\(name)") }
    }

    func log(_ name: String) -> String { "\(path)/logs/\(name).log" }

    /// A file of `run/`, which is about processes and may be deleted when none runs.
    func run(_ name: String) -> String { "\(path)/run/\(name)" }

    /// The text of a file that commands keep here, by its name in the folder; nil when there is none. Whoever only looks may be
    /// root in a folder of somebody else's, and reads nothing but plain files of theirs.
    func text(_ name: String) throws(Failure) -> String? {
        guard isLookedAt else { return try Files.readText("\(path)/\(name)") }
        guard let owner else { return nil }
        return try Files.readText(name, below: path, of: owner)
    }

    /// The file of a secret; it is made of 32 random bytes, in hexadecimal digits, when it is missing.
    func secret(_ name: String) throws(Failure) -> String {
        let file = "\(path)/secrets/\(name)"
        if !Files.exists(file) {
            if isLookedAt { throw missing(file) }
            var source = SystemRandomNumberGenerator()
            let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &source) }
            try Files.write(Hex.encode(bytes) + "\n", to: file, mode: 0o600)
        }
        return file
    }

    /// The file with the public halves of the announcement keys.
    var announcementKeys: String { "\(path)/\(Self.announcementKeysName)" }

    /// The name of that file in the folder.
    static let announcementKeysName = "secrets/announcement-keys"

    /// The file of identity's private announcement key; a pair is made when it is missing.
    func announcementKey() throws(Failure) -> String {
        let file = "\(path)/secrets/announcement-key"
        if Files.exists(file), Files.exists(announcementKeys) { return file }
        if isLookedAt { throw missing(file) }
        let (secret, open) = try Self.announcementPair()
        try Files.write(Array(secret.utf8), to: file, mode: 0o600)
        try Files.write(Array(open.utf8), to: announcementKeys, mode: 0o600)
        return file
    }

    private func missing(_ file: String) -> Failure {
        Failure(.configuration, "no-secret", "\(file) is missing.", advice: "`mirrormate up` makes what is missing.")
    }

    private static func announcementPair() throws(Failure) -> (secret: String, open: String) {
        do throws(CryptoError) {
            let key = try ES256PrivateKey.generate()
            return (try key.pem(), key.publicKey.pem)
        } catch {
            throw Failure(
                .failure, "announcement-key", "No announcement key can be made: \(error)", advice: "Try again.")
        }
    }

    /// SHA-256 of a secret's text, for services that know somebody by it.
    func hash(ofSecret name: String) throws(Failure) -> String {
        Hex.encode(SHA256.digest(try secretText(name).utf8))
    }

    /// The text of a secret, for the places that take no file. It must not be printed or logged.
    func secretText(_ name: String) throws(Failure) -> String {
        if !isLookedAt { _ = try secret(name) }
        guard let text = try text("secrets/\(name)") else { throw missing("\(path)/secrets/\(name)") }
        return String(text.prefix { $0 != "\n" })
    }

    /// Waits for, and then holds, the right to change the stack, until the answer is closed or the process ends.
    func lock(_ console: Console) throws(Failure) -> Int32 {
        try held(open(run("lock"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600), console)
    }

    /// The same for the right to start or end its supervisor, who may wait for the other one meanwhile.
    func supervisorLock(_ console: Console) throws(Failure) -> Int32 {
        // The folder itself, so that nobody makes a file here that is not the owner's.
        try held(open(run(""), O_RDONLY | O_DIRECTORY | O_CLOEXEC), console)
    }

    private func held(_ descriptor: Int32, _ console: Console) throws(Failure) -> Int32 {
        guard descriptor >= 0 else {
            throw Failure(
                .configuration, "state", "\(path) cannot be written.", advice: "Check its owner, or choose --state DIR."
            )
        }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return descriptor }
        console.progress("waiting for another mirrormate command on this stack")
        while flock(descriptor, LOCK_EX) != 0, errno == EINTR { continue }
        return descriptor
    }
}

/// A short name for a state folder, for things that cannot lie inside it.
enum StateName {
    /// Eight digits that depend on the path.
    static func short(_ path: String) -> String {
        let digits = String(StableHash.fnv1a64(path), radix: 16)
        return String((String(repeating: "0", count: 16 - digits.count) + digits).prefix(8))
    }
}
