import CompatibleSurface
import Contracts
import EventSourcing
import EventStore
import JSON
import Postgres
import Primitives
import Runtime
import ServiceKit

/// The command `identity api-keys`: makes, lists and revokes the keys of the compatible surface. Its answer is JSON in one line.
@Loop struct APIKeyOperations {
    private static let usage = UsageError("usage: identity api-keys make [--opaque] | list | revoke KEY")

    private let context: ServiceContext

    init(_ context: ServiceContext) { self.context = context }

    func run(_ words: [String]) async throws -> String {
        let answer: JSONObject =
            switch words.first {
            case "make" where words.count == 1: try await make(.token)
            case "make" where words == ["make", "--opaque"]: try await make(.opaque)
            case "list" where words.count == 1: try await list()
            case "revoke" where words.count == 2: try await revoke(words[1])
            default: throw Self.usage
            }
        return JSONValue.object(answer).text
    }

    /// A key of each kind. Their texts are said here and never again.
    private func make(_ form: APIKeyText.Form) async throws -> JSONObject {
        let (anon, service) = (try await make(.anon, form), try await make(.service, form))
        context.security.note(.operatorAction, command: "api-keys", ["made": .int(2)])
        return [
            "anonKey": .string(anon.text), "anonKeyId": .uuid(anon.id), "serviceKey": .string(service.text),
            "serviceKeyId": .uuid(service.id),
        ]
    }

    private func make(_ role: APIKeyRole, _ form: APIKeyText.Form) async throws -> (id: UUID, text: String) {
        let id = UUID.v7()
        let key = APIKeyText.make(role, form, at: .now())
        let hash = APIKeyText.hash(of: key.text)
        _ = try await CommandHandler<APIKey>(context.store).handle(
            .issue(APIKeyIssued(keyId: id, keySHA256: Hex.encode(hash), role: role)), on: APIKey.stream(id), id: .v7(),
            requestHash: hash, metadata: metadata)
        return (id, key.text)
    }

    private func list() async throws -> JSONObject {
        let rows = try await context.store.pool.query("select id, role, revoked from api_keys order by id").rows
        return [
            "apiKeys": .array(
                rows.map { row in
                    let id = row.uuid(0)
                    return [
                        "id": .uuid(id), "role": .optional(row.optional(1, PostgresRow.text)),
                        // As its id has it, which is of version 7.
                        "createdAt": .time(Timestamp(milliseconds: Int64(id.high >> 16))),
                        "revoked": .bool(row.bool(2)),
                    ]
                })
        ]
    }

    private func revoke(_ text: String) async throws -> JSONObject {
        guard let id = UUID(text),
            try await !context.store.pool.query("select from api_keys where id = $1", [.uuid(id)]).rows.isEmpty
        else { throw UsageError("There is no API key \(text); identity api-keys list says which there are.") }
        let outcome = try await CommandHandler<APIKey>(context.store).handle(
            .revoke(id), on: APIKey.stream(id), id: .v7(), requestHash: id.bytes, metadata: metadata)
        context.security.note(.operatorAction, command: "api-keys", ["revoked": .uuid(id)])
        return ["id": .uuid(id), "revoked": true, "wasRevoked": .bool(outcome.events.isEmpty)]
    }

    private var metadata: EventMetadata {
        EventMetadata(owner: nil, correlation: .v7(), actor: ServiceName.identity.rawValue)
    }
}
