import CClock
import Glibc
import Primitives

/// The few file operations of the command line; each failure names the path.
enum Files {
    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    static func isExecutable(_ path: String) -> Bool { access(path, X_OK) == 0 }

    /// Makes a folder and those above it.
    static func makeFolder(_ path: String, mode: mode_t = 0o755) throws(Failure) {
        var info = stat()
        if stat(path, &info) == 0, info.st_mode & S_IFMT == S_IFDIR { return }
        let parent = folder(of: path)
        if parent != path { try makeFolder(parent) }
        if mkdir(path, mode) != 0, errno != EEXIST { throw failure(path, "cannot be made") }
    }

    /// The folder part of a path.
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The whole content, or nil when there is no such file.
    static func read(_ path: String) throws(Failure) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 {
            if errno == ENOENT { return nil }
            throw failure(path, "cannot be opened")
        }
        defer { close(descriptor) }
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count == 0 { return content }
            if count < 0 { throw failure(path, "cannot be read") }
            content += buffer[..<count]
        }
    }

    /// The whole content as text, or nil when there is no such file.
    static func readText(_ path: String) throws(Failure) -> String? {
        try read(path).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The text of a small file in a folder of somebody else's, who may have put anything there: nil unless it is a plain
    /// file of theirs. No link is followed, and no pipe keeps anybody waiting.
    ///
    /// - Parameter limit: the most that it may hold, in bytes.
    static func readText(_ path: String, of owner: uid_t, limit: Int = 4_096) -> String? {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_uid == owner else {
            return nil
        }
        var buffer = [UInt8](repeating: 0, count: limit + 1)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        return (0...limit).contains(count) ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }

    /// The text of a file somewhere below a folder of somebody else's, reached by no link and only through what is theirs:
    /// else whoever owns the folder would say which file is read with the rights of who reads it.
    ///
    /// - Parameter limit: the most that it may hold, in bytes.
    /// - Returns: nil when there is no such file.
    /// - Throws: a failure when there is anything else than a plain file of theirs.
    static func readText(
        _ name: String, below folder: String, of owner: uid_t, limit: Int = 1 << 20
    ) throws(Failure) -> String? {
        let ways = name.split(separator: "/").map(String.init)
        var place = AT_FDCWD
        defer { if place >= 0 { close(place) } }
        for (depth, way) in ([folder] + ways).enumerated() {
            let isFile = depth == ways.count
            let kind = isFile ? O_NONBLOCK : O_DIRECTORY
            let next = openat(place, way, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | kind)
            if next < 0, errno == ENOENT { return nil }
            if place >= 0 { close(place) }
            place = next
            var facts = stat()
            guard next >= 0, fstat(next, &facts) == 0, facts.st_uid == owner,
                facts.st_mode & S_IFMT == (isFile ? S_IFREG : S_IFDIR), !isFile || facts.st_size <= limit
            else {
                throw Failure(
                    .configuration, "foreign-file",
                    "\(folder)/\(name) is not a file of \(folder)'s owner, or lies behind a link.",
                    advice: "Nothing was read. Let the owner of the folder look, or put the file itself there.")
            }
        }
        var buffer = [UInt8](repeating: 0, count: limit + 1)
        var count = 0
        while count <= limit {
            let more = buffer.withUnsafeMutableBytes { Glibc.read(place, $0.baseAddress! + count, $0.count - count) }
            if more < 0 { throw failure("\(folder)/\(name)", "cannot be read") }
            if more == 0 { break }
            count += more
        }
        return String(decoding: buffer[..<count], as: UTF8.self)
    }

    /// Which folder it is, wherever it is moved to on its disk, and no copy of it; nil when there is none.
    static func identity(ofFolder path: String) -> String? {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return nil }
        return "\(facts.st_dev)-\(facts.st_ino)"
    }

    /// Gives a folder to a user, whatever its owner made of it; not what a link in its place leads to.
    ///
    /// - Returns: whether it worked.
    static func giveFolder(_ path: String, to user: uid_t, group: gid_t, mode: mode_t) -> Bool {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard folder >= 0 else { return false }
        defer { close(folder) }
        return fchown(folder, user, group) == 0 && fchmod(folder, mode) == 0
    }

    /// What a folder holds, without order; empty when it cannot be read.
    static func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Writes a file so that others see the old content or the new one, never a part.
    ///
    /// - Parameters:
    ///   - owner: whose it will be; nil for the caller's own.
    ///   - group: the group that it will have; nil for the caller's.
    static func write(
        _ content: [UInt8], to path: String, mode: mode_t = 0o644, owner: uid_t? = nil, group: gid_t? = nil
    ) throws(Failure) {
        let temporary = "\(path).\(getpid())"
        unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw failure(path, "cannot be written") }
        // A number of ones only leaves what is there.
        if owner != nil || group != nil, fchown(descriptor, owner ?? .max, group ?? .max) != 0 {
            close(descriptor)
            unlink(temporary)
            throw failure(path, "cannot be given to another user")
        }
        var rest = content[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count <= 0 { break }
            rest = rest.dropFirst(count)
        }
        guard close(descriptor) == 0, rest.isEmpty, rename(temporary, path) == 0 else {
            unlink(temporary)
            throw failure(path, "cannot be written")
        }
    }

    /// Sees that a file can be written, before the work whose result it is to hold; nothing is left of it.
    ///
    /// - Throws: a failure that names the path.
    static func seeWritable(_ path: String) throws(Failure) {
        var facts = stat()
        if stat(path, &facts) == 0 {
            // It is replaced by a new file, so it is the folder that matters.
            guard facts.st_mode & S_IFMT != S_IFDIR else {
                throw Failure(.usage, "file", "\(path) is a folder.", advice: "Name a file in it.")
            }
        }
        let probe = "\(path).\(getpid())"
        unlink(probe)
        let descriptor = open(probe, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(path, "cannot be written") }
        close(descriptor)
        unlink(probe)
    }

    /// Writes text; see ``write(_:to:mode:)-([UInt8],_,_)``.
    static func write(_ text: String, to path: String, mode: mode_t = 0o644) throws(Failure) {
        try write(Array(text.utf8), to: path, mode: mode)
    }

    /// Size and time of change, which differ when a program was built anew; nil when there is no such file.
    static func stamp(_ path: String) -> String? {
        var info = stat()
        guard stat(path, &info) == 0 else { return nil }
        // By its bytes, seconds and nanoseconds: see CClock on its members.
        let changed = withUnsafeBytes(of: info.st_mtim) { Array($0) }
        return "\(info.st_size)-\(Hex.encode(changed))"
    }

    /// When a file was last written, in seconds since 1970; nil when there is no such file.
    static func writtenAt(_ path: String) -> Int? {
        var info = stat()
        return stat(path, &info) == 0 ? info.st_mtim.tv_sec : nil
    }

    /// The size in bytes, or nil when there is no such file.
    static func size(_ path: String) -> Int64? {
        var info = stat()
        guard stat(path, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int64(info.st_size)
    }

    /// The path without links and dots, or nil when there is no such file.
    static func absolute(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    /// The program that a process runs, by its path, also when another file has taken its place there since, as a build does.
    ///
    /// - Parameter process: a number, or `self`.
    static func program(of process: String = "self") -> String? {
        let link = "/proc/\(process)/exe"
        if let path = absolute(link) { return path }
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = readlink(link, &buffer, Int(PATH_MAX))
        // So the kernel marks what was removed.
        let mark = " (deleted)"
        let text = String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return text.hasSuffix(mark) ? String(text.dropLast(mark.count)) : nil
    }

    /// The path without links and dots, also of what does not exist yet in a folder that does.
    static func place(of path: String) -> String {
        if let known = absolute(path) { return known }
        var path = path
        while path.count > 1, path.last == "/" { path.removeLast() }
        let parent = folder(of: path)
        guard parent != path, let name = path.split(separator: "/").last else { return path }
        let above = place(of: parent)
        return above == "/" ? "/\(name)" : "\(above)/\(name)"
    }

    /// The last lines of a file, for showing why something did not start.
    static func tail(_ path: String, lines: Int, after offset: Int64 = 0) -> [String] {
        guard let content = try? read(path), content.count > Int(offset) else { return [] }
        return String(decoding: content.dropFirst(Int(offset)), as: UTF8.self).split(separator: "\n").suffix(lines)
            .map(String.init)
    }

    private static func failure(_ path: String, _ what: String) -> Failure {
        Failure(
            .configuration, "file", "\(path) \(what): \(String(cString: strerror(errno))).",
            advice: "Check its folder, its owner and the free space.")
    }
}
