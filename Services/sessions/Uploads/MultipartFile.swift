import Glibc
package import HTTPServer
package import Runtime

/// Finds the file in a form (RFC 7578) while it comes, and hands its bytes on; the fields around it are read over.
///
/// A part is a file when it has a file name, whatever the name of its field: some clients leave that empty.
@Loop package final class MultipartFile {
    /// What may come besides the file, in bytes.
    private static let mostAround = 65_536
    private static let lineEnd: [UInt8] = [0x0D, 0x0A]

    private let body: RequestBody
    private let delimiter: [UInt8]
    /// As if a line had ended before the first one.
    private var buffer = lineEnd
    private var around = 0
    private var isWithin = false
    private var isOver = false

    /// Nil for a body that is no form.
    ///
    /// - Throws: the problem `invalid-request` for a form without a boundary.
    package init?(_ request: Request) throws(Problem) {
        guard let type = request.headers["content-type"], type.lowercased().hasPrefix("multipart/form-data") else {
            return nil
        }
        guard let boundary = Self.boundary(type) else { throw Self.malformed }
        body = request.body
        delimiter = Array("\r\n--\(boundary)".utf8)
    }

    /// The next bytes of the file; nil at its end.
    ///
    /// - Throws: the problem `invalid-request` for what is no form with a file; what `RequestBody.next` throws.
    package func next() async throws -> [UInt8]? {
        if isOver { return nil }
        if !isWithin { try await begin() }
        while true {
            if let end = place(of: delimiter) {
                isOver = true
                let last = Array(buffer[..<end])
                // What follows is of no use; it is read so that the connection can serve another request.
                buffer = []
                while around < Self.mostAround, let rest = try await body.next() { around += rest.count }
                return last.isEmpty ? nil : last
            }
            // The delimiter may have begun.
            let sure = buffer.count - delimiter.count + 1
            if sure > 0 {
                let piece = Array(buffer[..<sure])
                buffer.removeFirst(sure)
                return piece
            }
            try await fill()
        }
    }

    /// Reads on to the first byte of the file.
    private func begin() async throws {
        while true {
            try await skip(behind: delimiter)
            while buffer.count < 2 { try await fill() }
            // The last delimiter of all.
            guard !buffer.starts(with: "--".utf8) else { throw Self.malformed }
            let head = try await head()
            if Self.isFile(head) { break }
        }
        isWithin = true
    }

    /// The fields of a part, which begin behind the line of its delimiter.
    private func head() async throws -> String {
        let end = Self.lineEnd + Self.lineEnd
        while true {
            if let place = place(of: end) {
                let head = String(decoding: buffer[..<place], as: UTF8.self)
                count(place + end.count)
                buffer.removeFirst(place + end.count)
                return head
            }
            guard buffer.count < 8_192 else { throw Self.malformed }
            try await fill()
        }
    }

    private func skip(behind text: [UInt8]) async throws {
        while true {
            if let place = place(of: text) {
                count(place)
                buffer.removeFirst(place + text.count)
                return
            }
            let sure = max(0, buffer.count - text.count + 1)
            count(sure)
            buffer.removeFirst(sure)
            guard around <= Self.mostAround else { throw Self.malformed }
            try await fill()
        }
    }

    private func count(_ bytes: Int) { around += bytes }

    private func fill() async throws {
        guard let piece = try await body.next() else { throw Self.malformed }
        buffer += piece
    }

    private func place(of text: [UInt8]) -> Int? {
        buffer.withUnsafeBytes { bytes in
            text.withUnsafeBytes { text in
                var start = 0
                while start + text.count <= bytes.count {
                    let left = bytes.count - text.count - start + 1
                    guard let found = memchr(bytes.baseAddress! + start, Int32(text[0]), left) else { return nil }
                    start = found - UnsafeMutableRawPointer(mutating: bytes.baseAddress!)
                    if memcmp(found, text.baseAddress!, text.count) == 0 { return start }
                    start += 1
                }
                return nil
            }
        }
    }

    private nonisolated static let malformed = Problem.invalidRequest(
        "The body must be a form with one file, or the file itself.")

    private nonisolated static func boundary(_ type: String) -> String? {
        guard let begin = type.lowercased().firstRange(of: "boundary=")?.upperBound else { return nil }
        // Lower case has the same length: field values are ASCII where a boundary is.
        let offset = type.lowercased().utf8.distance(from: type.lowercased().startIndex, to: begin)
        let text = String(decoding: type.utf8.dropFirst(offset), as: UTF8.self)
        let name =
            text.hasPrefix("\"")
            ? text.dropFirst().prefix { $0 != "\"" } : text.prefix { $0 != ";" && $0 != " " && $0 != "," }
        return (1...70).contains(name.utf8.count) ? String(name) : nil
    }

    private nonisolated static func isFile(_ head: String) -> Bool {
        head.lowercased().split(separator: "\r\n").contains { line in
            line.hasPrefix("content-disposition:") && (line.contains("filename=") || line.contains("filename*="))
        }
    }
}
