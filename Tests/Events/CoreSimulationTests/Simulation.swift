import Contracts
import CoreSimulation
import EventConsumer
import EventRelay
import EventSourcing
import EventStore
import Glibc
import JSON
import Kafka
import Observability
import Primitives
import Runtime

/// One run: a sender's log goes through its relay to a topic and through consumers into a receiver's log, while things break
/// as a seed says; then nothing breaks any more, and all must come to rest.
@Loop final class Simulation {
    static let group = "receiver"

    let seed: UInt64
    let surroundings: Surroundings
    let plan: Plan
    let topic: Topic
    let broker: SimulatedBroker
    let sender: SimulatedDatabase
    let receiver: SimulatedDatabase
    let poison = Poison()
    let owners: [UUID]
    private(set) var watch: Watch
    var lastNumber: Int64 = 0
    var gone: Set<UUID> = []
    /// Owners that say nothing any more.
    var silent: Set<UUID> = []
    /// Dumps of the sender's and the receiver's database.
    var senderDumps: [DatabaseState] = []
    var receiverDumps: [DatabaseState] = []
    /// Whether things may still break.
    private(set) var isCalm = false
    /// Numbers that the operator dropped.
    private(set) var dropped: Set<Int64> = []
    private var instances: [Instance] = []
    private(set) var clients: SimulatedProcess
    private var ended = 0
    private var isConfirming = false

    /// A process with its part of the pipeline, which comes again after its end.
    private final class Instance {
        let name: String
        let make: @Loop (SimulatedProcess) -> Void
        var process: SimulatedProcess?

        init(_ name: String, _ make: @escaping @Loop (SimulatedProcess) -> Void) {
            self.name = name
            self.make = make
        }
    }

    init(seed: UInt64, tellsStory: Bool = false) {
        self.seed = seed
        surroundings = Surroundings(seed: seed, tellsStory: tellsStory)
        plan = Plan(surroundings)
        topic = Topic(name: "mirrormate.sessions.v1", partitions: plan.partitions)
        broker = SimulatedBroker(surroundings)
        broker.remembersProducers = surroundings.happens(200)
        let surroundings = surroundings
        let id = { UUID(high: 0x0190_0000_0000_7000 | surroundings.below(0x1000), low: 1 << 63 | $0) as UUID }
        owners = (1...UInt64(plan.owners)).map { id($0) }
        sender = SimulatedDatabase("sender", DatabaseState(incarnation: id(100)))
        receiver = SimulatedDatabase("receiver", DatabaseState(incarnation: id(101)))
        watch = Watch(surroundings)
        clients = SimulatedProcess("clients", surroundings)
        clients.isImmortal = true
    }

    /// Runs all; what went wrong.
    func run() async -> [String] {
        surroundings.note("plan: \(plan.faults.map(\.rawValue).sorted().joined(separator: " "))")
        broker.make(topic)
        sender.onChange = { [watch] in watch.sent($0) }
        receiver.onChange = { [watch] in watch.received($0) }
        surroundings.odds = plan.odds
        for number in 1...plan.relays { add("relay-\(number)") { self.startRelay($0) } }
        for number in 1...plan.consumers { add("consumer-\(number)") { self.startConsumer($0) } }
        let store = SimulatedStore(clients, sender)
        let saying = owners.map { owner in Loop.task { await self.speak(owner, store) } }
        watchRefusals()
        breakThings()
        await LoopWait.pause(.milliseconds(plan.length))
        await calmDown()
        for task in saying { _ = await task.result }
        // Nothing more is said: what was lost must be noticed without a next word that does not fit.
        if !plan.faults.contains(.poison), !plan.faults.contains(.receiverRestores) {
            // The first death cannot be counted, and the third counted attempt is none any more.
            for (number, deaths) in poison.deaths.sorted(by: { $0.key < $1.key }) where deaths > 3 {
                watch.fail("message \(number) killed \(deaths) processes")
            }
        }
        var failures = await rest("the receiver") { self.unrest(self.receiver.state) }
        if failures.isEmpty, watch.violations.isEmpty { failures = await readAfresh() }
        await end()
        return watch.violations + failures
    }

    // MARK: Processes

    private func add(_ name: String, _ make: @escaping @Loop (SimulatedProcess) -> Void) {
        let instance = Instance(name, make)
        instances.append(instance)
        start(instance)
    }

    private func start(_ instance: Instance) {
        let process = SimulatedProcess(instance.name, surroundings)
        instance.process = process
        process.onDeath = {
            self.surroundings.reached("a process died")
            Loop.task {
                await LoopWait.pause(.milliseconds(Int64(50 + self.surroundings.below(self.isCalm ? 200 : 9_000))))
                if instance.process === process, self.ended == 0 { self.start(instance) }
            }
        }
        instance.make(process)
    }

    private func startRelay(_ process: SimulatedProcess) {
        let store = SimulatedStore(process, sender)
        let relay = Relay(
            store: store, service: .sessions, topic: topic, kafka: SimulatedAccess(process, broker),
            log: Self.log("relay"), publication: Word.publication)
        process.run {
            await relay.run()
            store.close()
        }
    }

    private func startConsumer(_ process: SimulatedProcess) {
        startConsumer(process, receiver, Self.group)
    }

    private func startConsumer(_ process: SimulatedProcess, _ database: SimulatedDatabase, _ group: String) {
        let store = SimulatedStore(process, database)
        let consumer = EventConsumer(
            store: store, group: group, topics: [topic], kafka: SimulatedAccess(process, broker),
            log: Self.log("consumer"), handler: Hearer(process, store, poison))
        process.run {
            await consumer.run()
            store.close()
        }
    }

    private static func log(_ label: String) -> Logger { Logger(label: label, descriptor: Self.output) }

    /// Where log lines go: nowhere, unless somebody looks for a fault.
    private static let output: Int32 = getenv("SIMULATION_LOG") == nil ? open("/dev/null", O_WRONLY) : 2

    /// Some process that is alive, by the beginning of its name.
    func process(_ prefix: String) -> SimulatedProcess? {
        surroundings.pick(instances.filter { $0.name.hasPrefix(prefix) }.compactMap(\.process).filter { !$0.isDead })
    }

    /// Ends a process in order and starts it again.
    func restart(_ prefix: String) async {
        let alive = instances.filter { $0.name.hasPrefix(prefix) && $0.process?.isDead == false }
        guard let instance = surroundings.pick(alive), let process = instance.process else { return }
        surroundings.note("\(instance.name) ends in order")
        await process.stop()
        if instance.process === process, ended == 0 { start(instance) }
    }

    // MARK: Saying

    /// An owner whose messages go to a partition, and who is never erased.
    func witness(of partition: Int32, from number: UInt64 = 1_000) -> UUID {
        var low = UInt64(1) << 63 + number
        while topic.partition(of: .owner(UUID(high: 0x7000, low: low))) != partition { low += 1 }
        return UUID(high: 0x7000, low: low)
    }

    func nextNumber() -> Int64 {
        lastNumber += 1
        return lastNumber
    }

    private func speak(_ owner: UUID, _ store: SimulatedStore) async {
        for _ in 0..<plan.words {
            await LoopWait.pause(.milliseconds(Int64(surroundings.below(plan.pause) + 1)))
            if silent.contains(owner) { return }
            if surroundings.happens(150) { await say(.kept(number: nextNumber()), store) }
            let number = nextNumber()
            if plan.faults.contains(.poison), surroundings.happens(100), !isCalm { poison.faults.insert(number) }
            if plan.faults.contains(.killers), surroundings.happens(60), !isCalm {
                poison.killers.insert(number)
            }
            await say(.said(owner: owner, number: number), store)
        }
    }

    /// Says a word, until it stands in the log.
    func say(_ word: Word, _ store: SimulatedStore) async {
        let stream = StreamName("word", UUID(high: 0x7000, low: 1 << 63 | UInt64(word.number)))
        let append = Append(
            id: stream.id!, requestHash: [],
            metadata: EventMetadata(owner: nil, correlation: stream.id!, actor: "client"),
            writes: [StreamWrite(stream, expectedVersion: 0, events: [NewEvent(word)])])
        while true {
            do {
                _ = try await store.append(append)
                return
            } catch {
                if ended != 0 { return }
                await LoopWait.pause(.milliseconds(100))
            }
        }
    }

    // MARK: The operator

    /// Confirms a restore some time after the relay has named it.
    private func watchRefusals() {
        Loop.task {
            while self.ended == 0 {
                await LoopWait.pause(.milliseconds(Int64(1 + self.surroundings.below(1_600))))
                if self.sender.state.refusal != nil { await self.confirmRestore() }
            }
        }
    }

    /// Confirms a restore of the sender, until it has succeeded, and says again what must not come undone.
    func confirmRestore() async {
        if isConfirming { return }
        isConfirming = true
        defer { isConfirming = false }
        let store = SimulatedStore(clients, sender)
        let recovery = Recovery(
            store: store, topic: topic, kafka: SimulatedAccess(clients, broker), publication: Word.publication)
        while true {
            do {
                let outcome = try await recovery.confirm()
                surroundings.note("restore confirmed at \(outcome.fork), \(outcome.undone) undone")
                surroundings.reached("a restore was confirmed")
                if outcome.undone > 0 { surroundings.reached("a restore took messages back") }
                var erased: Set<UUID> = []
                try await recovery.undone { record in
                    guard let message = try? ReceivedMessage(record), message.incoming.type.name == "Gone" else {
                        return
                    }
                    erased.insert(try message.incoming.data.uuid("owner"))
                }
                for owner in owners where erased.contains(owner) {
                    await say(.gone(owner: owner, number: nextNumber()), store)
                }
                return
            } catch {
                if ended != 0 { return }
                await LoopWait.pause(.milliseconds(200))
            }
        }
    }

    /// Releases what is parked, or drops it.
    func release(_ database: SimulatedDatabase, dropping: Bool) {
        database.change { state in
            for index in state.parked.indices where !state.parked[index].isReleased && !state.parked[index].isDropped {
                if state.parked[..<index].contains(where: { $0.key == state.parked[index].key }) { continue }
                surroundings.reached("a parked message was released")
                if dropping, surroundings.happens(300), let number = state.parked[index].number {
                    dropped.insert(number)
                    state.parked[index].isDropped = true
                } else {
                    state.parked[index].isReleased = true
                }
            }
        }
    }

    // MARK: Coming to rest

    /// Nothing breaks any more, and what is away comes back.
    private func calmDown() async {
        isCalm = true
        surroundings.note("nothing breaks any more")
        var odds = Surroundings.Odds()
        odds.latency = 500
        surroundings.odds = odds
        broker.isUp = true
        sender.isUp = true
        receiver.isUp = true
        if broker.isMissing(topic) { broker.make(topic) }
        poison.faults = []
        poison.killers = []
    }

    /// Waits until there is nothing left to say, and acts as the operator meanwhile.
    private func rest(_ who: String, _ unrest: @Loop () -> String?) async -> [String] {
        var left: String?
        for round in 0..<600 {
            left = unrest()
            if left == nil || !watch.violations.isEmpty { return [] }
            if round % 10 == 9 { release(receiver, dropping: false) }
            await LoopWait.pause(.milliseconds(200))
        }
        return ["\(who) did not come to rest: \(left ?? "")"]
    }

    /// What a receiver still lacks; nil when nothing.
    private func unrest(_ state: DatabaseState) -> String? {
        if let refusal = sender.state.refusal { return "the sender refuses appends: \(refusal)" }
        if sender.state.relay.cursor != sender.state.end {
            return "published up to \(sender.state.relay.cursor) of \(sender.state.end)"
        }
        if sender.state.relay.rewindTo != nil { return "a rewind is not done" }
        for (partition, row) in state.partitions {
            if let alarm = row.alarm { return "partition \(partition.partition) is alarmed: \(alarm)" }
        }
        if !state.parked.isEmpty { return "\(state.parked.count) parked" }
        return watch.difference(sender.state, state, dropped)
    }

    /// A receiver that has never heard anything reads the topic from its beginning: it must hear the same.
    private func readAfresh() async -> [String] {
        let fresh = SimulatedDatabase("fresh", DatabaseState(incarnation: owners[0]))
        add("fresh") { self.startConsumer($0, fresh, "fresh") }
        dropped = []
        return await rest("a new receiver") { self.unrest(fresh.state) }
    }

    private func end() async {
        ended = 1
        for instance in instances { instance.process?.die("the end") }
        clients.isImmortal = false
        clients.die("the end")
        // What still waits for something gives up.
        await LoopWait.pause(.seconds(30))
    }
}

extension DatabaseState.ParkedRow {
    /// The number of the word that was parked.
    var number: Int64? { (try? JSONNumber.number(value)) ?? nil }
}
