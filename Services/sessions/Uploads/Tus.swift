package import Crypto
package import HTTPServer
import Primitives
import ServiceKit

/// The words of tus 1.0 (https://tus.io/protocols/resumable-upload), the same for every surface that speaks it.
package enum Tus {
    package static let version = "1.0.0"
    private static let extensions = "creation,creation-with-upload,expiration,termination,checksum"
    package static let chunkType = "application/offset+octet-stream"

    /// What a server says of itself.
    ///
    /// - Parameter limit: the largest file, in bytes.
    package static func options(limit: Int64) -> Response {
        Response(
            status: 204,
            headers: [
                "Tus-Resumable": version, "Tus-Version": version, "Tus-Extension": extensions,
                "Tus-Max-Size": "\(limit)",
                "Tus-Checksum-Algorithm": Checksum.Algorithm.allCases.map(\.rawValue).joined(separator: ","),
            ])
    }

    /// Lets a handler answer clients that speak this version; every answer names it.
    ///
    /// - Throws: the problem `tus-version-unsupported`; what `answer` throws.
    package static func speaking(
        _ request: Request, _ answer: (Request) async throws -> Response
    ) async throws -> Response {
        do {
            guard request.headers["tus-resumable"] == version else {
                throw Problem(.tusVersion, headers: ["Tus-Version": version])
            }
            var response = try await answer(request)
            response.headers["Tus-Resumable"] = version
            return response
        } catch let convertible as any ProblemConvertible {
            throw naming(convertible.problem)
        } catch let problem as Problem {
            throw naming(problem)
        }
    }

    private static func naming(_ problem: Problem) -> Problem {
        var problem = problem
        problem.headers["Tus-Resumable"] = version
        return problem
    }
}

/// What a piece of a file says of itself.
package struct TusChunk: Sendable {
    /// Where in the file it begins.
    package let offset: Int64
    /// What its bytes must hash to, when the client says it.
    package let checksum: (algorithm: Checksum.Algorithm, hash: [UInt8])?

    /// - Parameter offset: where it begins, when the request does not say it.
    /// - Throws: the problems `chunk-type-unsupported` and `invalid-request`.
    package init(_ request: Request, offset: Int64? = nil) throws(Problem) {
        guard request.headers["content-type"]?.lowercased() == Tus.chunkType else {
            throw Problem(.chunkTypeUnsupported)
        }
        guard let begin = offset ?? Tus.number(request.headers["upload-offset"]) else {
            throw Problem.invalidRequest("Upload-Offset must say where in the file the bytes begin.")
        }
        self.offset = begin
        checksum = try request.headers["upload-checksum"].map { (text) throws(Problem) in
            let parts = text.split(separator: " ")
            guard parts.count == 2, let algorithm = Checksum.Algorithm(rawValue: String(parts[0])),
                let hash = Base64.decode(parts[1]), hash.count == algorithm.length
            else {
                throw Problem.invalidRequest("Upload-Checksum must be sha1 or sha256 and the hash in base 64.")
            }
            return (algorithm, hash)
        }
    }
}

extension Tus {
    /// A number of digits alone; nil for anything else.
    static func number(_ text: String?) -> Int64? {
        guard let text, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text)
    }

    /// What a client says of the file that it begins: names and values of `Upload-Metadata`, without those that are not in base 64.
    package static func metadata(_ request: Request) -> [String: String] {
        var found: [String: String] = [:]
        for pair in (request.headers["upload-metadata"] ?? "").split(separator: ",") {
            let words = pair.split(separator: " ")
            guard words.count == 2, let bytes = Base64.decode(words[1]) else { continue }
            found[String(words[0])] = String(decoding: bytes, as: UTF8.self)
        }
        return found
    }

    /// How large the file is that a request begins, in bytes.
    ///
    /// - Throws: the problem `invalid-request`, also when the client does not know it yet.
    package static func length(_ request: Request) throws(Problem) -> Int64 {
        guard let length = number(request.headers["upload-length"]), length > 0 else {
            throw Problem.invalidRequest("Upload-Length must be the file's size in bytes.")
        }
        return length
    }

    /// What clients hear of an upload.
    package static func headers(of upload: ResumableUpload) -> Headers {
        [
            "Upload-Offset": "\(upload.received)", "Upload-Length": "\(upload.size)",
            "Upload-Expires": HTTPDate.text(seconds: upload.expiresAt.seconds), "Cache-Control": "no-store",
        ]
    }
}
