import Glibc
import Primitives

/// Mails as files `OWNER/ID.eml`, so that all mails of an owner can be removed and a retry replaces the first copy.
struct MailFolder {
    private let path: String

    init(_ path: String) { self.path = path }

    func write(_ mail: OutgoingMail) throws(MailError) {
        let folder = "\(path)/\(mail.owner)"
        try Self.makeFolders(folder)
        let temporary = "\(folder)/.\(mail.id)"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure() }
        defer { close(descriptor) }
        var rest = mail.bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { throw Self.failure() }
            rest = rest.dropFirst(count)
        }
        guard fsync(descriptor) == 0, rename(temporary, "\(folder)/\(mail.id).eml") == 0 else { throw Self.failure() }
        // Without this, a power failure may lose the name although the file's bytes are on disk.
        let directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { throw Self.failure() }
        defer { close(directory) }
        guard fsync(directory) == 0 else { throw Self.failure() }
    }

    func remove(_ owner: UUID) throws(MailError) {
        let folder = "\(path)/\(owner)"
        guard let directory = opendir(folder) else {
            if errno == ENOENT { return }
            throw Self.failure()
        }
        defer { closedir(directory) }
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name == "." || name == ".." { continue }
            if unlink("\(folder)/\(name)") != 0, errno != ENOENT { throw Self.failure() }
        }
        if rmdir(folder) != 0, errno != ENOENT { throw Self.failure() }
    }

    private static func makeFolders(_ path: String) throws(MailError) {
        var folder = path.hasPrefix("/") ? "" : "."
        for part in path.split(separator: "/") {
            folder += "/\(part)"
            if mkdir(folder, 0o700) != 0, errno != EEXIST { throw failure() }
        }
    }

    private static func failure() -> MailError {
        let reason = String(cString: strerror(errno))
        return MailError(.folder, "The mail folder cannot be written (\(reason)); check its owner and the free space.")
    }
}
