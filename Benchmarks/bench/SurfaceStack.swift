import Glibc
import HTTPClient
import JSON
import Primitives
import Runtime

/// A stack of its own with somebody who is signed in, to measure what requests cost its services.
@Loop final class SurfaceStack {
    private let tool: String
    private let state: String
    private let variables: [String: String]
    private let client = HTTPClient()
    private var url = ""
    private var token = ""
    private var services: [Int32] = []

    /// - Parameters:
    ///   - state: its folder, which is deleted with it.
    ///   - hasSurface: whether it has the compatible surface.
    init(_ stage: Stage, state: String, hasSurface: Bool) {
        tool = "\(stage.root)/mirrormate"
        self.state = state
        variables = ["COMPATIBLE_SURFACE": "\(hasSurface)", "NO_COLOR": "1"]
    }

    /// Starts it and signs somebody up.
    ///
    /// - Throws: ``BenchError`` or `HTTPClientError`.
    func start() async throws {
        let told = try await Tool.run(tool, ["up", "--json", "--state", state], variables)
        guard let address = try JSONValue.parse(Array(told.utf8))["data"]?["url"]?.stringValue else {
            throw BenchError("mirrormate up said no url: \(told.prefix(400))")
        }
        url = address
        // Its exit code says whether everything runs, which is not asked here.
        let words = ["-c", "\"$0\" status --json --state \"$1\" || true", tool, state]
        let status = try JSONValue.parse(Array(try await Tool.run("/bin/sh", words, variables).utf8))
        services = (status["data"]?["services"]?.arrayValue ?? []).compactMap { $0["pid"]?.intValue.map(Int32.init) }
        guard !services.isEmpty else { throw BenchError("mirrormate status named no services.") }
        let person: JSONValue = ["email": .string("\(UUID.v4())@example.org"), "password": "a password of the bench"]
        let answer = try await client.send(
            HTTPClientRequest(
                "POST", "\(url)/v1/auth/sign-up", headers: [("Content-Type", "application/json")],
                body: .bytes(person.bytes)))
        guard answer.status == 201, let given = try JSONValue.parse(answer.body)["accessToken"]?.stringValue else {
            throw BenchError("Nobody could sign up: \(answer.status).")
        }
        token = given
    }

    /// Stops it and deletes what it has; what cannot be stopped is said.
    func stop() async {
        do {
            _ = try await Tool.run(tool, ["down", "--erase", "--yes", "--state", state], variables)
        } catch {
            print("surface: \(state) was not stopped: \(error)")
        }
    }

    /// Asks for a page of the native API.
    ///
    /// - Throws: ``BenchError`` for another answer than 200; `HTTPClientError`.
    func get(_ path: String) async throws {
        let answer = try await client.send(
            HTTPClientRequest("GET", url + path, headers: [("Authorization", "Bearer \(token)")]))
        guard answer.status == 200 else { throw BenchError("\(path) was answered with \(answer.status).") }
    }

    /// How long all threads of the services have run.
    ///
    /// - Throws: ``BenchError`` when one has ended.
    func processorNanoseconds() throws -> Int64 {
        try services.reduce(0) { sum, process in
            guard let folder = opendir("/proc/\(process)/task") else {
                throw BenchError("The process \(process) is gone.")
            }
            defer { closedir(folder) }
            var all = sum
            while let entry = readdir(folder) {
                let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                }
                // A thread may end meanwhile.
                guard name.first != ".", let file = fopen("/proc/\(process)/task/\(name)/schedstat", "r") else {
                    continue
                }
                defer { fclose(file) }
                var buffer = [CChar](repeating: 0, count: 128)
                guard fgets(&buffer, 128, file) != nil else { continue }
                let line = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
                all += line.split(separator: " ").first.flatMap { Int64($0) } ?? 0
            }
            return all
        }
    }
}
