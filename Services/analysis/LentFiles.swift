import Contracts
import EventStore
import JSON
import Observability
import Postgres
import Primitives
import Providers
import Runtime

/// Files that providers have for one question, until they are taken back: the table `lent_files`.
enum LentFiles {
    private static let lendFile = RowFunction("lend_file", .string("provider"), .uuid("name"), .time("dueAt"))
    static let all = [lendFile.declaration]

    /// How much longer than its call somebody may need a file who takes it back in order.
    private static let grace: Duration = .seconds(60)

    /// A provider gets a file with a call.
    ///
    /// - Parameter deadline: of the call.
    static func lend(_ name: UUID, with call: ProviderCall, for deadline: Duration) -> RowCall {
        lendFile(call.scope.provider, name, call.begunAt + deadline + grace)
    }

    /// A provider has nothing of a file any more.
    ///
    /// - Throws: `PostgresError`.
    @Loop static func forget(_ name: UUID, of provider: String, _ store: EventStore) async throws {
        _ = try await store.pool.query(
            "delete from lent_files where provider = $1 and name = $2", [.text(provider), .uuid(name)])
    }
}

/// Takes back what was lent and not taken back in order: by who died on the way, or because the provider did not answer.
@Loop struct LentFileKeeper {
    let store: EventStore
    let providers: [Provider]
    let log: Logger

    private static let pause: Duration = .seconds(30)
    /// The API deletes files itself after 48 hours.
    private static let kept: Duration = .seconds(49 * 3_600)

    /// Looks again and again until the task is cancelled.
    func run() async {
        while !Task.isCancelled {
            do {
                try await takeBack()
            } catch {
                if !Task.isCancelled {
                    log.warning("files of providers cannot be looked for", ["reason": .string("\(error)")])
                }
            }
            try? await Loop.sleep(for: Self.pause)
        }
    }

    /// Takes back all that is due, as far as providers answer. One that fails once is not asked again this time, and holds up no other.
    ///
    /// - Throws: `PostgresError` or `CancellationError`.
    func takeBack() async throws {
        let gone = try await store.pool.query(
            """
            delete from lent_files where due_at < clock_timestamp() - $1 * interval '1 second' returning provider
            """, [.int(Self.kept.components.seconds)])
        for row in gone.rows {
            log.warning(
                "a file was not taken back; its provider has deleted it by now", ["provider": .string(row.text(0))])
        }
        let lenders = try await store.pool.query(
            "select distinct provider from lent_files where due_at <= clock_timestamp() order by provider"
        ).rows.map { $0.text(0) }
        for lender in lenders { try await takeBack(from: lender) }
    }

    private func takeBack(from provider: String) async throws {
        // In any order: one that its provider always fails on is not the first each time.
        let due = try await store.pool.query(
            """
            select name from lent_files where provider = $1 and due_at <= clock_timestamp() order by random() limit 1000
            """, [.text(provider)]
        ).rows.map { $0.uuid(0) }
        for name in due {
            guard try await takeBack(name, of: provider) else { return }
        }
    }

    /// Whether a provider has nothing of a file any more. One that is off is asked, too: that gives it nothing.
    private func takeBack(_ name: UUID, of provider: String) async throws -> Bool {
        guard let lender = providers.first(where: { $0.declaration.name == provider }) else {
            log.warning(
                "a file cannot be taken back: PROVIDERS_FILE names its provider no more",
                ["provider": .string(provider)])
            return false
        }
        do {
            try await lender.takeBack(name)
        } catch let failure as ProviderFailure {
            log.warning(
                "a file is not taken back yet", ["provider": .string(provider), "code": .string(failure.code)])
            return false
        }
        try await LentFiles.forget(name, of: provider, store)
        log.info("a file was taken back", ["provider": .string(provider)])
        return true
    }
}
