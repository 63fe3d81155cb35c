import Contracts
import EventRelay
import EventSourcing
import EventStore
import Observability
import Postgres
import Primitives
import Replay
import Runtime
import ServiceKit
import Testing

@Suite struct `The times in which no instance of a service ran` {
    private static func time(_ second: Int64) -> Timestamp { Timestamp.epoch + .seconds(second) }

    private static func life(
        _ start: Int64, _ seen: Int64, clean: Bool = false, runs: Bool = false, silent: Bool = false
    ) -> InstanceLife {
        InstanceLife(startedAt: time(start), seenAt: time(seen), isClean: clean, runs: runs, isSilent: silent)
    }

    private static func gap(_ from: Int64, _ until: Int64?, clean: Bool = false, silent: Bool = false) -> Outage {
        Outage(service: .quota, from: time(from), until: until.map(time), silent ? .silent : clean ? .clean : .killed)
    }

    private static let cases: [(String, [InstanceLife], [Outage])] = [
        ("nobody ever started", [], []),
        ("it runs", [life(0, 9, runs: true)], []),
        ("killed, and started again", [life(0, 10), life(130, 140, runs: true)], [gap(10, 130)]),
        ("ended in order, and not started again", [life(0, 10, clean: true)], [gap(10, nil, clean: true)]),
        ("one of two killed: the other ran", [life(0, 100, runs: true), life(1, 10)], []),
        ("one of two killed, then the other", [life(0, 50), life(1, 10), life(60, 70, runs: true)], [gap(50, 60)]),
        (
            "the longer one began first", [life(0, 90), life(5, 40, clean: true), life(50, 60, clean: true)],
            [gap(90, nil)]
        ),
        (
            "twice", [life(0, 10), life(20, 30), life(45, 50, clean: true)],
            [gap(10, 20), gap(30, 45), gap(50, nil, clean: true)]
        ),
        ("it stands still", [life(0, 10, silent: true)], [gap(10, nil, silent: true)]),
        ("one of two stands still: the other runs", [life(0, 10, silent: true), life(1, 90, runs: true)], []),
        (
            "it stood still twice, and was killed while it did so again",
            life(0, 60).parted(by: [(time(10), time(20)), (time(30), time(50))]),
            [gap(10, 20, silent: true), gap(30, 50, silent: true), gap(60, nil)]
        ),
        (
            "it stood still, and goes on", life(0, 60, runs: true).parted(by: [(time(10), time(20))]),
            [gap(10, 20, silent: true)]
        ),
    ]

    @Test(arguments: cases)
    func `follow from its instances, in whatever order they are read`(_: String, lives: [InstanceLife], gaps: [Outage])
    {
        #expect(ServiceLives(service: .quota, instances: lives).outages == gaps)
        #expect(ServiceLives(service: .quota, instances: lives.reversed()).outages == gaps)
    }

    private static func lives(_ service: ServiceName, heardOf second: Int64, silent: Bool = false) -> ServiceLives {
        ServiceLives(service: service, instances: [life(0, second, runs: !silent, silent: silent)])
    }

    @Test func `are looked for again only where somebody is not heard of`() {
        var watch = SilenceWatch()
        #expect(watch.next([Self.lives(.quota, heardOf: 9), Self.lives(.sessions, heardOf: 10)]) == nil)
        watch = SilenceWatch(known: [.quota])
        #expect(watch.next([Self.lives(.quota, heardOf: 9, silent: true)]) == nil, "the machine has said it")
    }

    @Test func `begin for one that is silent at two looks, while others are heard of`() {
        var watch = SilenceWatch()
        #expect(
            watch.next([Self.lives(.quota, heardOf: 9, silent: true), Self.lives(.sessions, heardOf: 12)])
                == .seconds(4))
        #expect(watch.next([Self.lives(.quota, heardOf: 9, silent: true), Self.lives(.sessions, heardOf: 13)]) == nil)
        watch = SilenceWatch()
        #expect(
            watch.next([Self.lives(.quota, heardOf: 9, silent: true), Self.lives(.sessions, heardOf: 12)])
                == .seconds(4))
        #expect(
            watch.next([Self.lives(.quota, heardOf: 13), Self.lives(.sessions, heardOf: 13)]) == nil, "it was only late"
        )
    }

    @Test func `begin a look later where others are late as well: the machine or the database may be`() {
        var watch = SilenceWatch()
        let late = [Self.lives(.quota, heardOf: 9, silent: true), Self.lives(.sessions, heardOf: 10)]
        #expect(watch.next(late) == .seconds(4))
        #expect(watch.next(late) == .seconds(5))
        #expect(watch.next(late) == nil, "and that is all the patience there is")
        watch = SilenceWatch()
        let alone = [Self.lives(.quota, heardOf: 9, silent: true)]
        #expect([watch.next(alone), watch.next(alone), watch.next(alone)] == [.seconds(4), .seconds(5), nil])
    }

    @Test func `are told of the broker once, whoever could not reach it`() {
        func told(_ service: ServiceName, _ from: Int64, _ until: Int64) -> BrokerOutage {
            BrokerOutage(from: Self.time(from), until: Self.time(until), services: [service])
        }
        let merged = BrokerOutage.merged([
            told(.quota, 100, 120), told(.identity, 12, 31), told(.quota, 10, 30), told(.sessions, 29, 33),
        ])
        #expect(
            merged == [
                BrokerOutage(
                    from: Self.time(10), until: Self.time(33), services: [.identity, .sessions, .quota]),
                told(.quota, 100, 120),
            ])
        #expect(merged[1].description.hasSuffix("(by quota)"))
    }
}

@Suite(.timeLimit(.minutes(10))) @Loop struct `The lives of a service's instances` {
    /// An instance over the schema of quota, as a process has it, without anything else of the service.
    private final class Instance {
        let life: ServiceLife
        let store: EventStore

        @Loop init(_ schemas: AllSchemas) {
            let id = UUID.v7()
            var settings = schemas.roles["quota"]!
            settings.applicationName = "quota \(id)"
            store = EventStore(settings)
            life = ServiceLife(id, store, log: schemas.log)
        }
    }

    private func lives(_ schemas: AllSchemas) async throws -> ServiceLives {
        try await schemas.stores.first { $0.service == .quota }!.lives()
    }

    /// Waits until the server has noticed that an instance's connections are gone.
    private func gone(_ schemas: AllSchemas) async throws {
        while try await lives(schemas).instances.contains(where: \.runs) { try await Loop.sleep(for: .milliseconds(5)) }
    }

    private func told(_ schemas: AllSchemas) async throws -> [LifeEvent] {
        try await schemas.logs[.quota]!.readLog(after: 0, limit: 100).map { try $0.decoded(as: LifeEvent.self) }
    }

    @Test func `are told at the next start: who was killed, who ended in order, and each once`() async throws {
        try await AllSchemas.run { schemas in
            let first = Instance(schemas)
            try await first.life.begin()
            try await first.life.beat()
            #expect(try await lives(schemas).outages == [])
            await first.store.close()
            try await gone(schemas)
            // Some time after the last heartbeat, since all lose their connections when the database starts anew.
            while try await lives(schemas).outages.isEmpty { try await Loop.sleep(for: .milliseconds(20)) }
            let down = try #require(try await lives(schemas).outages.first)
            #expect(down.until == nil && down.ending == .killed)

            let second = Instance(schemas)
            let third = Instance(schemas)
            try await withThrowingTaskGroup { group in
                for life in [second.life, third.life] { group.addTask { try await life.begin() } }
                try await group.waitForAll()
            }
            var told = try await told(schemas)
            #expect(told.count == 4 && told.filter { if case .ended = $0 { true } else { false } }.count == 1)
            guard case .ended(let instance, .killed, _, let lastSeenAt) = told[1] else {
                Issue.record("\(told[1])")
                return
            }
            #expect(instance == first.life.instance && lastSeenAt == down.from)
            #expect(try await lives(schemas).outages.first?.until != nil)

            for instance in [second, third] {
                await instance.life.end()
                await instance.store.close()
            }
            try await gone(schemas)
            #expect(try await lives(schemas).outages.last?.ending == .clean)
            let untold = Instance(schemas)
            _ = try await untold.store.pool.query("select 1")
            #expect(try await lives(schemas).outages.last?.until != nil, "One that could not tell its start runs.")
            await untold.store.close()
            let fourth = Instance(schemas)
            try await fourth.life.begin()
            told = try await self.told(schemas)
            #expect(told.count == 7)
            for case .ended(_, let ending, _, _) in told[4...] { #expect(ending == .clean) }
            await fourth.store.close()
        }
    }

    @Test func `go on when an instance comes back that was taken for dead`() async throws {
        try await AllSchemas.run { schemas in
            let first = Instance(schemas)
            try await first.life.begin()
            let pool = PostgresPool(schemas.administrator, size: 1)
            defer { pool.close() }
            _ = try await pool.query("update quota.service_instances set told = true")
            try await first.life.beat()
            #expect(try await told(schemas).last == .returned(instance: first.life.instance))
            #expect(try await lives(schemas).outages == [])
            try await first.life.beat()
            #expect(try await told(schemas).count == 2)
            await first.store.close()
        }
    }

    @Test func `tell of a time in which they stood still, as soon as they go on`() async throws {
        try await AllSchemas.run { schemas in
            let first = Instance(schemas)
            try await first.life.begin()
            try await first.life.beat(after: .seconds(20))
            #expect(try await told(schemas).count == 1, "By the database's clock a heartbeat came a moment ago.")
            let pool = PostgresPool(schemas.administrator, size: 1)
            defer { pool.close() }
            _ = try await pool.query(
                "update quota.service_instances set started_at = started_at - interval '1 min', beat_at = beat_at - interval '20 s'"
            )
            let down = try #require(try await lives(schemas).outages.first)
            #expect(down.until == nil && down.ending == .silent, "It is connected, and nothing is heard of it.")
            try await first.life.beat(after: .seconds(20))
            let events = try await told(schemas)
            #expect(events.count == 3 && events[2] == .returned(instance: first.life.instance))
            guard case .ended(first.life.instance, .silent, _, down.from) = events[1] else {
                Issue.record("\(events[1])")
                return
            }
            try await first.life.beat(after: .seconds(20))
            #expect(try await told(schemas).count == 3)
            let kept = try await lives(schemas).outages
            #expect(kept.count == 1 && kept[0].from == down.from && kept[0].until != nil && kept[0].ending == .silent)
            let (since, until) = (Timestamp.now() - .seconds(20), Timestamp.now())
            for _ in 1...2 { try await first.life.tellBrokerReturned(awaySince: since, until: until) }
            let away = try await schemas.store(.quota).brokerOutages(since: .now() - .seconds(60))
            #expect(
                away.map(\.services) == [[.quota]] && abs((away[0].from - since).milliseconds) < 2, "told once: \(away)"
            )
            await first.store.close()
        }
    }

    @Test func `tell who publishes and what a topic had lost, each once`() async throws {
        try await AllSchemas.run { schemas in
            let first = Instance(schemas)
            try await first.life.begin()
            for change in [.taken(epoch: 4), .reset(epoch: 4, partitions: 8, from: 120), .lost(epoch: 4)]
                as [RelayChange]
            {
                first.life.note(change)
            }
            for _ in 1...2 { try await first.life.tellNotes() }
            let id = first.life.instance
            #expect(
                try await told(schemas).dropFirst() == [
                    .leaseTaken(instance: id, epoch: 4),
                    .topicReset(instance: id, epoch: 4, partitions: 8, from: 120), .leaseLost(instance: id, epoch: 4),
                ])
            let changes = try await schemas.store(.quota).publishingChanges(since: .now() - .seconds(60))
            #expect(changes.map(\.kind) == [.leaseTaken, .topicReset, .leaseLost])
            #expect(changes[1].words.contains("behind position 120"))
            #expect(try await schemas.store(.quota).publishingChanges(since: .now() + .seconds(60)) == [])
            await first.store.close()
        }
    }

    @Test func `tell of a time in which the heartbeat itself hung`() async throws {
        try await AllSchemas.run { schemas in
            let first = Instance(schemas)
            try await first.life.begin()
            let pool = PostgresPool(schemas.administrator, size: 1)
            defer { pool.close() }
            // As if it had been sent right after the one before, and had come about twenty seconds later.
            _ = try await pool.query(
                "update quota.service_instances set started_at = started_at - interval '1 min', beat_at = beat_at - interval '20 s'"
            )
            let down = try #require(try await lives(schemas).outages.first)
            try await first.life.beat(after: .zero)
            let events = try await told(schemas)
            #expect(events.count == 3 && events.last == .returned(instance: first.life.instance))
            guard events.count == 3, case .ended(first.life.instance, .silent, _, down.from) = events[1] else {
                Issue.record("\(events)")
                return
            }
            try await first.life.beat(after: .zero)
            #expect(try await told(schemas).count == 3)
            await first.store.close()
        }
    }

    @Test func `have beside them what was done to the store, told once by whichever instance looks`() async throws {
        try await AllSchemas.run { schemas in
            let first = Instance(schemas)
            let second = Instance(schemas)
            try await first.life.begin()
            try await second.life.begin()
            let pool = PostgresPool(schemas.administrator, size: 1)
            defer { pool.close() }
            _ = try await pool.query(
                """
                insert into quota.rebuilds (model, state, started_by, code, events)
                values ('allowances', 'switched', 'ada', 'x', 12), ('allowances', 'building', 'ada', 'x', 3)
                """)
            _ = try await pool.query(
                """
                insert into quota.incarnations (incarnation, parent, fork)
                select gen_random_uuid(), incarnation, 2 from quota.head
                """)
            func upkeep() async throws -> [String] {
                try await told(schemas).compactMap { event in
                    switch event {
                    case .incarnationBegun(_, _, let fork, _): "begun behind \(fork)"
                    case .readModelRebuilt(_, let model, let state, let events, _): "\(model) \(state) \(events)"
                    default: nil
                    }
                }
            }
            try await first.life.tellUpkeep()
            try await second.life.tellUpkeep()
            #expect(try await upkeep() == ["begun behind 2", "allowances switched 12"])
            _ = try await pool.query("update quota.rebuilds set state = 'undone' where state = 'switched'")
            for instance in [second, first] { try await instance.life.tellUpkeep() }
            #expect(try await upkeep() == ["begun behind 2", "allowances switched 12", "allowances undone 12"])
            await first.store.close()
            await second.store.close()
        }
    }

    @Test func `are events whose stored form stays`() throws {
        let id = try #require(UUID("01890000-0000-7000-8000-000000000001"))
        let instance = #""instance":"01890000-0000-7000-8000-000000000001""#
        let ended = LifeEvent.ended(instance: id, .killed, startedAt: .epoch, lastSeenAt: .epoch + .seconds(61))
        let silent = LifeEvent.ended(instance: id, .silent, startedAt: .epoch, lastSeenAt: .epoch + .seconds(61))
        let times = #""startedAt":"1970-01-01T00:00:00.000000Z","lastSeenAt":"1970-01-01T00:01:01.000000Z""#
        let incarnation = #""incarnation":"01890000-0000-7000-8000-000000000001""#
        let begun = #""begunAt":"1970-01-01T00:00:00.000000Z""#
        let away = #""awaySince":"1970-01-01T00:00:00.000000Z","until":"1970-01-01T00:01:01.000000Z""#
        for (event, name, text) in [
            (LifeEvent.started(instance: id), "ServiceStarted", "{\(instance)}"),
            (.returned(instance: id), "ServiceReturned", "{\(instance)}"),
            (
                .brokerReturned(instance: id, awaySince: .epoch, until: .epoch + .seconds(61)), "BrokerReturned",
                "{\(instance),\(away)}"
            ),
            (.leaseTaken(instance: id, epoch: 7), "LeaseTaken", "{\(instance),\"epoch\":7}"),
            (.leaseLost(instance: id, epoch: 7), "LeaseLost", "{\(instance),\"epoch\":7}"),
            (
                .topicReset(instance: id, epoch: 7, partitions: 8, from: 120), "TopicReset",
                "{\(instance),\"epoch\":7,\"partitions\":8,\"from\":120}"
            ),
            (
                .incarnationBegun(instance: id, incarnation: id, fork: 120, begunAt: .epoch), "IncarnationBegun",
                "{\(instance),\(incarnation),\"fork\":120,\(begun)}"
            ),
            (
                .readModelRebuilt(
                    instance: id, model: "goals", state: "switched", events: 9, begunAt: .epoch),
                "ReadModelRebuilt",
                "{\(instance),\"model\":\"goals\",\"state\":\"switched\",\"events\":9,\(begun)}"
            ),
            (ended, "ServiceEnded", "{\(instance),\"ending\":\"killed\",\(times)}"),
            (silent, "ServiceEnded", "{\(instance),\"ending\":\"silent\",\(times)}"),
        ] {
            #expect(event.type.name == name)
            #expect(String(decoding: NewEvent(event).data, as: UTF8.self) == text)
            #expect(try LifeEvent.decode(event.type, event.data) == event)
        }
    }
}
