import Glibc

/// Second names for the files below a folder that somebody else writes, such as the objects of services: nothing is followed that
/// is named there, so whoever puts a link in the place of a file or folder meanwhile gets none of what it leads to.
///
/// Each folder is opened in the one above it, and each file is linked by what was opened and looked at, never by its name. The
/// folders that the links lie in are the caller's own, closed to everybody else.
struct ObjectLinks {
    /// What services put beside an object while they write it.
    private static let unfinished = ".writing-"
    /// `O_PATH` of open(2), which the C library shows to C alone.
    private static let pathOnly: Int32 = 0o10000000

    /// Links everything that is not there yet; what is removed at this moment is left out.
    ///
    /// - Throws: a failure that names what is neither a folder nor a plain file, or belongs to somebody else than its folder, or
    ///   what cannot be linked.
    static func make(of source: String, in target: String) throws(Failure) {
        try Files.makeFolder(target, mode: 0o700)
        let from = open(source, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard from >= 0 else { throw failure(source, "cannot be opened") }
        let to = open(target, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard to >= 0 else {
            close(from)
            throw failure(target, "cannot be opened")
        }
        try link(from, to, source)
    }

    /// Links what is in one open folder into another, and closes both.
    private static func link(_ from: Int32, _ to: Int32, _ path: String) throws(Failure) {
        defer { close(to) }
        guard let folder = fdopendir(from) else {
            close(from)
            throw failure(path, "cannot be read")
        }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name == "." || name == ".." || name.hasPrefix(unfinished) { continue }
            try link(name, from, to, "\(path)/\(name)")
        }
    }

    private static func link(_ name: String, _ from: Int32, _ to: Int32, _ path: String) throws(Failure) {
        // Opened without being read: not even a pipe keeps anybody waiting.
        let thing = openat(from, name, pathOnly | O_NOFOLLOW | O_CLOEXEC)
        if thing < 0, errno == ENOENT { return }
        guard thing >= 0 else { throw failure(path, "cannot be opened") }
        defer { close(thing) }
        var facts = stat()
        var above = stat()
        guard fstat(thing, &facts) == 0, fstat(from, &above) == 0 else { throw failure(path, "cannot be looked at") }
        switch facts.st_mode & S_IFMT {
        case S_IFREG where facts.st_uid == above.st_uid:
            // By the descriptor: the name may be another file's by now.
            if linkat(AT_FDCWD, "/proc/self/fd/\(thing)", to, name, AT_SYMLINK_FOLLOW) == 0 { return }
            // There already, or removed since.
            if errno != EEXIST, errno != ENOENT { throw failure(path, "cannot be linked") }
        case S_IFDIR:
            let inner = openat(from, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            if inner < 0, errno == ENOENT { return }
            guard inner >= 0 else { throw failure(path, "cannot be opened") }
            if mkdirat(to, name, 0o700) != 0, errno != EEXIST {
                close(inner)
                throw failure(path, "cannot be made in the backup")
            }
            let copy = openat(to, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard copy >= 0 else {
                close(inner)
                throw failure(path, "cannot be made in the backup")
            }
            try link(inner, copy, path)
        default:
            throw Failure(
                .failure, "backup-object", "\(path) is no object: a service writes plain files of its own alone.",
                advice: "Look who put it there and since when, remove it, and back up again.")
        }
    }

    private static func failure(_ path: String, _ what: String) -> Failure {
        Failure(
            .failure, "backup-object", "\(path) \(what): \(String(cString: strerror(errno))).",
            advice: "Check its disk and its owner, then back up again.")
    }
}
