import Primitives
import Processes
import Runtime

/// Copies, for everybody to read, of programs and folders that only root can read.
///
/// A copy's folder is named after its content's names, sizes and times, and gets that name when it is whole: one that was
/// interrupted is never taken for it, and one that is there is not made again. Copies of earlier states stay for the parts that
/// run with them, until ``removeOthers(log:)``.
@Loop struct OpenCopies {
    private let folder: String
    private let paths: [String: String]

    /// The path of a copy; the path itself where there is none.
    nonisolated subscript(path: String) -> String { paths[path] ?? path }

    /// Whether every user gets into a folder, though perhaps not to all that is in it.
    static func isReachable(_ folder: String) async throws -> Bool {
        var test = Command("/usr/bin/test", ["-x", folder])
        test.user = PartUser.jobs
        test.folder = "/"
        return try await ChildProcess.start(test).wait().isSuccess
    }

    /// Which of some programs and folders every user may use, with all that is in them.
    private static func areOpen(_ paths: [String]) async throws -> Set<String> {
        // The kernel's own answer is better than a reading of modes and access lists.
        let script = """
            for path; do
                [ -r "$path" ] && [ -x "$path" ] || continue
                [ -n "$(find -H "$path" ! -type l ! -readable -print -quit 2>&1)" ] || echo "$path"
            done
            """
        var test = Command("/bin/sh", ["-c", script, "sh"] + paths, environment: ["PATH": "/usr/bin:/bin"])
        test.user = PartUser.jobs
        test.folder = "/"
        let text = try await Self.output(of: test)
        return Set(text.split(separator: "\n").map(String.init))
    }

    /// Copies what not everybody may read.
    static func make(in folder: String, of originals: [String], log: String) async throws -> OpenCopies {
        let open = try await areOpen(originals)
        var paths: [String: String] = [:]
        for original in originals where !open.contains(original) {
            paths[original] = try await copy(original, into: folder, log: log)
        }
        return OpenCopies(folder: folder, paths: paths)
    }

    /// The copies that are there, of an earlier state where there is none of the present one; nothing is made.
    static func find(in folder: String, of originals: [String]) async throws -> OpenCopies {
        let open = try await areOpen(originals)
        var paths: [String: String] = [:]
        for original in originals where !open.contains(original) {
            let (place, stamp, name) = try await Self.place(of: original, in: folder)
            let there = Files.names(in: place).filter { !$0.hasPrefix(".") }.sorted()
            if let found = there.contains(stamp) ? stamp : there.first {
                paths[original] = "\(place)/\(found)/\(name)"
            }
        }
        return OpenCopies(folder: folder, paths: paths)
    }

    /// Removes all copies but these.
    func removeOthers(log: String) async throws {
        let kept = Set(paths.values.map(Files.folder(of:)))
        var others: [String] = []
        for name in Files.names(in: folder) {
            let place = "\(folder)/\(name)"
            others += Files.names(in: place).filter { !$0.hasPrefix(".") }.map { "\(place)/\($0)" }
        }
        others.removeAll(where: kept.contains)
        if others.isEmpty { return }
        try await runToEnd(
            Command("/bin/rm", ["-rf", "--"] + others), as: "Removing old copies", log: log, within: .seconds(600))
    }

    /// Where the copies of a program or folder lie, and the names of the present one and of what is in it.
    private static func place(
        of original: String, in folder: String
    ) async throws -> (place: String, stamp: String, name: String) {
        let name = original.split(separator: "/").last.map(String.init) ?? "root"
        let content = try await output(
            of: Command("/usr/bin/find", ["-L", original, "-type", "f", "-printf", "%P %s %T@\\n"]))
        let stamp = StableHash.fnv1a64(content.split(separator: "\n").sorted().joined(separator: "\n"))
        return ("\(folder)/\(name)", String(stamp, radix: 16), name)
    }

    private static func copy(_ original: String, into folder: String, log: String) async throws -> String {
        let (place, stamp, name) = try await Self.place(of: original, in: folder)
        let whole = "\(place)/\(stamp)"
        if Files.exists(whole) { return "\(whole)/\(name)" }
        try Files.makeFolder(place)
        let script = """
            set -eu
            # Another command may be copying the same.
            exec 9>"$2/.lock"
            flock 9
            [ ! -e "$3" ] || exit 0
            rm -rf -- "$2/.new"
            mkdir -m 755 -- "$2/.new"
            cp -rLp --no-preserve=ownership -- "$1" "$2/.new/"
            chmod -R a+rX,go-w -- "$2/.new"
            mv -T -- "$2/.new" "$3"
            """
        let command = Command(
            "/bin/sh", ["-c", script, "sh", original, place, whole], environment: ["PATH": "/usr/bin:/bin"])
        try await runToEnd(command, as: "Copying \(original) for other users", log: log, within: .seconds(1800))
        return "\(whole)/\(name)"
    }

    private static func output(of command: Command) async throws -> String {
        var command = command
        command.output = .pipe
        let child = try ChildProcess.start(command)
        let text = String(decoding: try await child.output?.collect(limit: 4 << 20) ?? [], as: UTF8.self)
        _ = try await child.wait()
        return text
    }
}
