import Glibc
import Processes
import Runtime

/// A backup of a local stack: a closed folder of a few files, with their hashes.
@Loop struct BackupFolder {
    /// Everything but the hashes themselves.
    private static let files = ["configuration.tar", "database.dump", "facts", "objects.list", "objects.tar"]

    let path: String
    let log: String

    var dump: String { "\(path)/database.dump" }
    /// The objects that the database of the dump needs, one key a line.
    var objectList: String { "\(path)/objects.list" }
    var facts: String { "\(path)/facts" }

    /// A container of a Compose stack sees neither all of it nor a lasting place for a backup.
    nonisolated static func refuseInContainer() throws(Failure) {
        guard ComposeDeployment.isHere else { return }
        throw Failure(
            .usage, "backup-place", "A Compose stack is backed up and restored from outside its containers.",
            advice: "In the project's folder: infra/backup DIR, infra/restore DIR.")
    }

    /// Packs a folder's content into one of the files.
    func pack(_ folder: String, _ names: [String] = ["."], into name: String) async throws {
        try await tool("tar", ["-C", folder, "--exclude", ".writing-*", "-cf", "\(path)/\(name)"] + names)
    }

    /// Puts the content of one of the files into a folder.
    func unpack(_ name: String, into folder: String, except patterns: [String] = []) async throws {
        let exclusions = patterns.flatMap { ["--exclude", $0] }
        try await tool("tar", ["-C", folder, "-xf", "\(path)/\(name)", "--no-same-owner"] + exclusions)
    }

    /// Notes the hashes of all files: from now on a change is noticed.
    func seal() async throws {
        try Files.write(try await tool("sha256sum", Self.files), to: "\(path)/SHA256SUMS", mode: 0o600)
    }

    /// Sees that the folder holds a whole backup of a local stack.
    func verify() async throws {
        do {
            try await tool("sha256sum", ["--check", "--quiet", "SHA256SUMS"])
        } catch {
            throw Failure(
                .configuration, "backup-damaged", "\(path) is no backup, or a file of it has changed.",
                advice: "Take another one.")
        }
        guard (try Files.readText(facts) ?? "").contains("kind local\n") else {
            throw Failure(
                .configuration, "backup-kind", "\(path) is a backup of a Docker Compose stack.",
                advice: "Put it back there, with infra/restore.")
        }
    }

    @discardableResult
    private func tool(_ name: String, _ arguments: [String]) async throws -> String {
        var command = Command("/usr/bin/\(name)", arguments, environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C"])
        command.folder = path
        return try await runToEnd(command, as: "\(name) in \(path)", log: log, within: .seconds(3600))
    }
}
