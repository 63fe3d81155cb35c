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

    /// Takes back all that is due, as far as providers answer. One that fails once is not asked again this time.
    ///
    /// - Throws: `PostgresError` or `CancellationError`.
    func takeBack() async throws {
        let due = try await store.pool.query(
            """
            select provider, name, due_at < clock_timestamp() - $1 * interval '1 second' from lent_files
            where due_at <= clock_timestamp() order by due_at limit 1000
            """, [.int(Self.kept.components.seconds)]
        ).rows.map { (provider: $0.text(0), name: $0.uuid(1), isGone: $0.bool(2)) }
        var silent: Set<String> = []
        for file in due {
            if file.isGone {
                log.warning(
                    "a file was not taken back; its provider has deleted it by now",
                    ["provider": .string(file.provider)])
                try await LentFiles.forget(file.name, of: file.provider, store)
            } else if !silent.contains(file.provider), try await !takeBack(file.name, of: file.provider) {
                silent.insert(file.provider)
            }
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
