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
/// the same program. A picture is received first, within bounds of time and bytes of their own, and takes one of the few places in
/// which photos are made when all of it is here; so whoever sends slowly keeps nobody out. Each user has one under way.
@Loop package final class PhotoMaker {
    /// The most bytes that a picture may have; the gateway lets no more through, either.
    package nonisolated static let mostBytes = 8 << 20

    /// The most bytes of pictures that an instance holds, those that are still coming among them: as many as eight of the largest.
    package static let mostHeld = 8 * mostBytes

    /// The slowest pace of a picture in bytes per second.
    private static let slowestUpload: Int64 = 16_384
    /// How long it may take to end after its line.
    private static let leaving = Duration.seconds(2)

    private let settings: PhotoSettings
    private let scratch: ScratchSpace?
    private let log: Logger
    /// Who sends a picture, or has a photo made of it.
    private var owners: Set<UUID> = []
    /// How many photos are being made.
    private var making = 0
    /// How many bytes of pictures are held.
    private var held = 0

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
        guard owners.insert(user).inserted else { throw Problem.photosUnavailable }
        defer { owners.remove(user) }
        var received: [UInt8] = []
        defer { held -= received.count }
        try await receive(request.body, into: &received)
        let bytes = received
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
        guard making < settings.atOnce else { throw Problem.photosUnavailable }
        making += 1
        defer { making -= 1 }
        // In a task of its own, which ends the child and clears up also when the client hangs up.
        return try await Loop.task { try await self.make(bytes, head, helper, scratch) }.value
    }

    /// Receives a body piece by piece; what has come counts among what is held, whatever this throws.
    ///
    /// - Throws: a problem 408 or 413, 503 when all pictures together become too much, or what reading a body throws.
    private func receive(_ body: RequestBody, into bytes: inout [UInt8]) async throws {
        let tooLarge = Problem.bodyTooLarge(limit: Int64(Self.mostBytes))
        if let length = body.length, length > Self.mostBytes { throw tooLarge }
        body.demand(
            bytesPerSecond: Self.slowestUpload, within: settings.longestUpload, orElse: Problem(.requestTooSlow))
        while let piece = try await body.next() {
            guard bytes.count + piece.count <= Self.mostBytes else { throw tooLarge }
            guard held + piece.count <= Self.mostHeld else { throw Problem.photosUnavailable }
            held += piece.count
            bytes += piece
        }
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
        let timer = EventLoop.shared.schedule(after: settings.patience) { child.killGroup(SIGKILL) }
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
