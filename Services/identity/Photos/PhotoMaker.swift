import Glibc
package import HTTPServer
import JSON
package import Observability
package import Primitives
import Processes
package import Runtime
import ServiceKit

/// Makes the photos of accounts out of the pictures that their owners send.
///
/// A picture is never decoded here: a child process does that, which is confined like the one that opens videos, because it is
/// the same program. Only so many are under way at once, and one of each user.
@Loop package final class PhotoMaker {
    /// The most bytes that a picture may have; the gateway lets no more through, either.
    package static let mostBytes = 8 << 20

    /// How long a picture may take to come, and its slowest pace in bytes per second.
    private static let longestUpload = Duration.seconds(120)
    private static let slowestUpload: Int64 = 16_384
    /// How long the child may take: it ends by itself after 40 s at most, and waits 20 s for a server that is not there.
    private static let patience = Duration.seconds(45)
    /// How long it may take to end after its line.
    private static let leaving = Duration.seconds(2)

    private let settings: PhotoSettings
    private let scratch: ScratchSpace?
    private let log: Logger
    private var owners: Set<UUID> = []

    /// - Throws: `ScratchSpace.Failure` when the folder for working files cannot be used.
    package init(_ settings: PhotoSettings, _ log: Logger) async throws {
        self.settings = settings
        self.log = log
        if let folder = settings.scratch {
            scratch = try await ScratchSpace.open(folder, for: "identity")
        } else {
            scratch = nil
        }
    }

    /// Receives the picture that a request brings and makes a photo of it.
    ///
    /// - Throws: a problem of ``ProblemCode/photos``, 408 or 413, or what reading a body throws.
    package func photo(for user: UUID, of request: Request) async throws -> PlainJPEG {
        guard let helper = settings.helper, let scratch else { throw Problem(.photosOff) }
        guard let announced = Self.form(of: request) else { throw Problem(.photoTypeUnsupported) }
        // Before anything of the body is waited for.
        guard owners.count < settings.atOnce, owners.insert(user).inserted else { throw Problem.photosUnavailable }
        defer { owners.remove(user) }
        request.body.demand(
            bytesPerSecond: Self.slowestUpload, within: Self.longestUpload, orElse: Problem(.requestTooSlow))
        let bytes = try await request.body.collect(limit: Self.mostBytes)
        let head: PictureHead
        do {
            head = try await Offload.shared.run { try PictureHead(bytes) }
        } catch let refusal as PictureHead.Refusal {
            throw Problem(refusal)
        }
        guard head.form == announced else {
            throw Problem(
                .photoTypeUnsupported, detail: "Say in Content-Type what the file is, \(head.form.contentType).")
        }
        // In a task of its own, which ends the child and clears up also when the client hangs up.
        return try await Loop.task { try await self.make(bytes, head, helper, scratch) }.value
    }

    /// The form that the request announces; nil for another one, or none.
    private static func form(of request: Request) -> PictureHead.Form? {
        let named = request.headers["content-type"]?.lowercased().prefix { $0 != ";" && $0 != " " }
        return PictureHead.Form.allCases.first { $0.contentType == named.map(String.init) }
    }

    private func make(
        _ bytes: [UInt8], _ head: PictureHead, _ helper: String, _ scratch: ScratchSpace
    ) async throws -> PlainJPEG {
        let folder: String
        do {
            folder = try await scratch.makeFolder("\(UUID.v7())")
        } catch {
            throw unavailable("\(error)")
        }
        let said: Result<PlainJPEG, any Error>
        do {
            let file = "\(folder)/picture"
            try await Offload.shared.run { try write(bytes, to: file) }
            said = .success(try await ask(helper, file, head, folder))
        } catch {
            said = .failure(error)
        }
        await scratch.remove(folder)
        do {
            return try said.get()
        } catch let problem as Problem {
            throw problem
        } catch {
            throw unavailable("\(error)")
        }
    }

    /// Runs the helper, and looks at what it made.
    private func ask(
        _ helper: String, _ file: String, _ head: PictureHead, _ folder: String
    ) async throws -> PlainJPEG {
        var command = Command(
            helper,
            [
                "photo", "--input", file, "--form", head.form.rawValue, "--orientation", "\(head.orientation)",
                "--scratch", folder, "--parent", "\(getpid())",
            ] + (settings.socket.map { ["--socket", $0] } ?? []),
            environment: ["PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C"])
        command.output = .pipe
        // The helper limits itself further; these limits hold even if it does not get that far.
        command.limits = Command.Limits(
            cpuSeconds: 120, addressSpaceBytes: 4 << 30, fileBytes: 400 << 20, openFiles: 256)
        let child = try ChildProcess.start(command)
        let timer = EventLoop.shared.schedule(after: Self.patience) { child.killGroup(SIGKILL) }
        defer { EventLoop.shared.cancel(timer) }
        let line = try await child.output?.next() ?? ""
        // It says one line and ends; whoever has more to say waits for a reader in vain.
        let end = EventLoop.shared.schedule(after: Self.leaving) { child.killGroup(SIGKILL) }
        defer { EventLoop.shared.cancel(end) }
        return try verdict(try await child.wait(), line)
    }

    private func verdict(_ exit: Exit, _ line: String) throws(Problem) -> PlainJPEG {
        let said = (try? JSONObject.parse(line.utf8)) ?? [:]
        switch exit {
        case .code(0):
            if let text = said["result"]?["jpeg"]?.stringValue, let bytes = Base64.decode(text),
                let photo = PlainJPEG(bytes)
            {
                return photo
            }
            throw unavailable("it made no JPEG without anything else")
        case .code(3) where said["error"]?["code"] == "unreadable": throw Problem(.photoUnreadable)
        case .code(69): throw unavailable("PHOTO_SOCKET was not there; see that mirrormate-media serve runs")
        case .code, .signal: throw unavailable("it ended with \(exit)")
        }
    }

    /// Notes for the operator what the sender cannot change.
    private func unavailable(_ reason: String) -> Problem {
        log.error("photo helper made no photo", ["reason": .string(reason)])
        return .photosUnavailable
    }
}

/// A file with these bytes could not be written.
private struct NotWritten: Error, CustomStringConvertible {
    let code = errno
    var description: String { "a working file cannot be written: \(String(cString: strerror(code)))" }
}

/// Writes a new file, for its owner alone.
private func write(_ bytes: [UInt8], to path: String) throws(NotWritten) {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw NotWritten() }
    defer { close(file) }
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
        guard count > 0 else { throw NotWritten() }
        rest = rest.dropFirst(count)
    }
}
