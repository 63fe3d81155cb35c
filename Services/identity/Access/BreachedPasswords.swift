package import Configuration
import Crypto
import Glibc
import Primitives
import Runtime

/// Passwords that became public in leaks, by their SHA-1 hashes: a file as Have I Been Pwned orders them by hash, lines of 40
/// hexadecimal digits in capitals and, behind a colon, how often each was seen; or the same with so many first digits of each alone,
/// 16 at least, which makes it smaller. The file has tens of gigabytes: it is searched where it lies, about forty short reads for a
/// password.
package final class BreachedPasswords: Sendable {
    /// The file is not what it was when the service started.
    package struct Unreadable: Error {}

    private static let variable = "BREACHED_PASSWORDS_FILE"
    /// By 16 digits one good password in ten billions is refused, by 8 every fourth.
    private static let digits = 16...40
    /// No line is longer: the digits, the colon, a number, the line's end.
    private static let longestLine = 64

    private let descriptor: Int32
    private let size: Int
    /// Of each hash in this file.
    private let digits: Int

    /// Opens the file that `BREACHED_PASSWORDS_FILE` names; nil when it names none, and after a problem, which stays in
    /// `environment`.
    package init?(_ environment: Environment) {
        guard let path = environment.optional("BREACHED_PASSWORDS_FILE") else { return nil }
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        size = descriptor < 0 ? 0 : Int(lseek(descriptor, 0, SEEK_END))
        guard descriptor >= 0 else {
            environment.refuse(Self.variable, "names a file that cannot be opened; check its path and permissions.")
            return nil
        }
        digits = Self.digits(of: descriptor)
        do {
            let first = try line(at: 0)
            let last = try line(around: max(0, size - 2), from: 0)
            guard first.start == last.start || first.hash.lexicographicallyPrecedes(last.hash) else {
                throw Unreadable()
            }
        } catch {
            environment.refuse(
                Self.variable,
                "must hold lines of 40 hexadecimal digits in capitals, or of so many first ones, in order, as `HASH:COUNT`."
            )
            return nil
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Whether a password was in a leak.
    ///
    /// - Throws: ``Unreadable`` when the file cannot be read any more: whether it was is not known then.
    package func contains(_ password: String) async throws -> Bool {
        let hash = Array(Hex.encode(SHA1.digest(Array(password.utf8))).uppercased().utf8.prefix(digits))
        return try await Offload.shared.run { try self.contains(hash) }
    }

    private func contains(_ hash: [UInt8]) throws -> Bool {
        // Both ends are where a line begins, or the file ends.
        var (low, high) = (0, size)
        while low < high {
            let line = try line(around: low + (high - low) / 2, from: low)
            if line.hash == hash { return true }
            if line.hash.lexicographicallyPrecedes(hash) { low = line.next } else { high = line.start }
        }
        return false
    }

    private struct Line {
        let start: Int
        let hash: [UInt8]
        /// Where the next one begins.
        let next: Int
    }

    /// The line that a place of the file lies in.
    ///
    /// - Parameter low: where a line begins, at or before the place.
    private func line(around place: Int, from low: Int) throws(Unreadable) -> Line {
        let begin = max(low, place - Self.longestLine)
        let before = try bytes(at: begin, place - begin)
        if let end = before.lastIndex(of: UInt8(ascii: "\n")) { return try line(at: begin + end + 1) }
        guard begin == low else { throw Unreadable() }
        return try line(at: low)
    }

    /// The line that begins at a place of the file.
    private func line(at start: Int) throws(Unreadable) -> Line {
        let text = try bytes(at: start, Self.longestLine)
        let end = text.firstIndex(of: UInt8(ascii: "\n")) ?? text.count
        let isWhole = end < text.count || start + text.count == size
        let hash = Array(text.prefix(digits))
        guard Self.digits.contains(digits), isWhole, end >= digits, hash.allSatisfy(Self.isDigit),
            end == digits || [UInt8(ascii: ":"), UInt8(ascii: "\r")].contains(text[digits])
        else { throw Unreadable() }
        return Line(start: start, hash: hash, next: min(size, start + end + 1))
    }

    /// How many digits the first hash of a file has.
    private static func digits(of descriptor: Int32) -> Int {
        var bytes = [UInt8](repeating: 0, count: longestLine)
        let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress!, longestLine, 0) }
        return bytes.prefix(max(0, count)).prefix(while: isDigit).count
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte)
    }

    /// So many bytes of the file; fewer at its end only.
    private func bytes(at place: Int, _ count: Int) throws(Unreadable) -> [UInt8] {
        let wanted = min(count, size - place)
        var bytes = [UInt8](repeating: 0, count: max(0, wanted))
        var got = 0
        while got < wanted {
            let read = bytes.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress! + got, wanted - got, off_t(place + got))
            }
            if read < 0 && errno == EINTR { continue }
            guard read > 0 else { throw Unreadable() }
            got += read
        }
        return bytes
    }
}
