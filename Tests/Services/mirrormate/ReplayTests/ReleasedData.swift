import Contracts
import Postgres
import Runtime

/// What a release left behind: the schemas of all services with data, as written by `Releases/take`.
@Loop struct ReleasedData {
    private static let folder =
        String(#filePath).split(separator: "/").dropLast().map { "/\($0)" }.joined() + "/Releases"

    /// The releases from which an upgrade is supported.
    nonisolated static let all = ["1"]

    private let path: String

    init(_ release: String) { path = "\(Self.folder)/\(release)" }

    /// Loads schemas and data into an empty database.
    func load(_ administrator: PostgresSettings) async throws {
        for file in try TextFiles.inFolder(path, ending: ".sql") {
            let service = file.name.dropLast(4)
            let connection = try await PostgresConnection.open(administrator)
            defer { connection.close() }
            try await connection.script("set role \"\(service)_owner\"; \(file.text)")
        }
    }
}
