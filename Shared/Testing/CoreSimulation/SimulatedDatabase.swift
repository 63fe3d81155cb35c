import Postgres
package import Runtime

/// A database that simulated processes reach over connections that break.
@Loop package final class SimulatedDatabase {
    package let name: String
    /// What is committed.
    package private(set) var state: DatabaseState
    /// Whether it answers.
    package var isUp = true
    /// Called after every statement that may have changed something.
    package var onChange: @Loop (DatabaseState) -> Void = { _ in }
    /// Rises when all connections break.
    private(set) var generation = 0

    package init(_ name: String, _ state: DatabaseState) {
        self.name = name
        self.state = state
    }

    /// Puts a dump in the place of everything.
    ///
    /// - Parameter breaking: whether connections break, as with another server; else they go on and see other rows.
    package func restore(_ dump: DatabaseState, breaking: Bool) {
        state = dump
        if breaking { breakConnections() }
        onChange(state)
    }

    /// Ends all connections, as a restart does.
    package func breakConnections() { generation += 1 }

    /// What an operator does by hand, at one moment.
    ///
    /// - Throws: what the change throws.
    package func change<T>(_ change: (inout DatabaseState) throws -> T) rethrows -> T {
        defer { onChange(state) }
        return try change(&state)
    }
}

/// A connection of one process, or, when it is not kept, the pool's for one statement.
@Loop package class SimulatedConnection {
    let process: SimulatedProcess
    let database: SimulatedDatabase
    private var generation: Int?
    private(set) var isBroken = false

    /// - Parameter isKept: whether it leads to the database's present life only.
    init(_ process: SimulatedProcess, _ database: SimulatedDatabase, isKept: Bool) {
        self.process = process
        self.database = database
        generation = isKept ? database.generation : nil
    }

    /// Runs one statement: its effect happens at one moment, or not at all.
    ///
    /// - Throws: `PostgresError` with the code `connection`, before or after the effect; what `effect` throws; or
    ///   `CancellationError`.
    func statement<T>(_ place: String, _ effect: @escaping @Loop (inout DatabaseState) throws -> T) async throws -> T {
        let surroundings = process.surroundings
        do { try await process.pass(place) } catch {
            isBroken = true
            // What was sent arrives, whoever waits for the answer.
            if surroundings.happens(300) {
                Loop.task {
                    try await Loop.sleep(for: surroundings.latency())
                    _ = try? self.execute(place, effect)
                }
            }
            throw error
        }
        let result: T
        do { result = try execute(place, effect) } catch {
            try await process.pass(place)
            throw error
        }
        let seen = database.generation
        if surroundings.happens(surroundings.odds.brokenConnection) {
            surroundings.reached("the answer to a statement was lost")
            isBroken = true
        }
        do { try await process.pass(place) } catch {
            isBroken = true
            throw error
        }
        if isBroken || seen != database.generation { throw broken() }
        return result
    }

    private func execute<T>(_ place: String, _ effect: (inout DatabaseState) throws -> T) throws -> T {
        let surroundings = process.surroundings
        if isBroken || !database.isUp || generation.map({ $0 != database.generation }) ?? false
            || surroundings.happens(surroundings.odds.brokenConnection)
        {
            throw broken()
        }
        surroundings.note("\(process.name) \(place)")
        return try database.change(effect)
    }

    private func broken() -> PostgresError {
        isBroken = true
        return PostgresError(.connection, "the simulated connection broke")
    }
}
