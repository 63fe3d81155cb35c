import Contracts
import EventSourcing
import EventSourcingTesting
import JSON
import Primitives
import Runtime
import ServiceKit
import Testing

@testable import quota

private let f = Fixture.self
private let everyEvent: [QuotaEvent] = [
    .reserved(
        f.session(1), f.unit(),
        Count(f.basis(), windows: [.init(.localDay, limit: 1, used: 0, reserved: 1)], createdAt: f.noon),
        timeZone: f.berlin, expiresAt: f.noon),
    .refused(
        f.session(1),
        QuotaDenial(
            code: .sessionOpen, window: .localDay, resetsAt: f.midnight,
            heldBy: HeldBy(sessionId: f.id(2), expiresAt: f.noon)), f.basis()),
    .committed(f.session(1), f.unit()),
    .released(f.session(1), f.unit(f.midnight, .extra), .cancelled, isLateCancellation: true),
    .endingNoted(f.session(1)), .planChanged(ownerId: f.owner, .premium, kinds: [.mirrormate]),
    .extraGranted(ownerId: f.owner, kind: .mirrormate, units: 3, plan: .premium),
    .subjectErased(f.owner, .init(rows: 2, objects: 0), kinds: [.mirrormate, f.dance]),
    .planDefined(f.danceTerms, number: 2, .file),
    .reserved(
        f.session(1), f.unit(),
        Count(f.basis(.premium), windows: [.init(.localDay, limit: nil, used: 7, reserved: 1)], createdAt: nil),
        timeZone: "UTC", expiresAt: f.noon),
    .reserved(
        f.session(1),
        HeldUnit(windows: [.init(.hour, endsAt: f.noon), .init(.localDay, endsAt: f.midnight)], source: .extra),
        Count(
            f.dances.terms(of: .free, for: f.dance),
            windows: [.init(.hour, limit: 2, used: 0, reserved: 1), .init(.localDay, limit: 3, used: 1, reserved: 1)],
            createdAt: f.noon), timeZone: "UTC", expiresAt: f.noon),
    .refused(
        f.session(1), QuotaDenial(code: .quotaExceeded, window: .burst, resetsAt: f.midnight), f.basis(.premium)),
    .purchaseNoted(ownerId: f.owner, Bought.state(trial: 7, stops: 20, ended: 21, renews: false)),
    .purchaseNoted(ownerId: f.owner, Bought.state(PurchaseStatus(rawValue: "dormant"), plan: nil, step: .begun)),
    .refundNoted(ownerId: f.owner, Bought.refund(paid: 0)),
]

@Suite("The private events of quota") struct QuotaEventTests {
    @Test("are all in the list, in their newest version")
    func complete() { #expect(Set(everyEvent.map(\.type)) == goldenEvents(of: "quota")) }

    @Test("come back from their stored form", arguments: everyEvent)
    func stored(event: QuotaEvent) throws { #expect(try storedAndRead(event) == event) }

    @Test("are read also when no file could say any more what was recorded")
    func beyondTheLimitsOfFiles() throws {
        let terms = KindTerms(
            windows: [.init(.localDay, 5_000_000)], atOnce: 0,
            burst: .init(units: 1, seconds: KindTerms.longestBurst + 1), lateCancellations: 2_000_000)
        let event = QuotaEvent.planDefined(PlanDefinition(.free, [.mirrormate: terms]), number: 1, .file)
        #expect(try storedAndRead(event) == event)
    }

    @Test("have names that never change")
    func names() {
        #expect(
            everyEvent.prefix(9).map(\.type.description) == [
                "QuotaReserved.v2", "QuotaRefused.v2", "QuotaCommitted.v2", "QuotaReleased.v2", "EndingNoted.v1",
                "PlanChanged.v2", "ExtraGranted.v2", "SubjectErased.v2", "PlanDefined.v1",
            ])
    }

    @Test("of another version stop the reader")
    func unknown() {
        #expect(throws: EventDecodingError.unknownType(EventType("QuotaCommitted", 3))) {
            try QuotaEvent.decode(EventType("QuotaCommitted", 3), everyEvent[2].data)
        }
    }

    @Test("with a unit from nowhere are refused")
    func badSource() {
        var data = everyEvent[2].data
        data["source"] = "elsewhere"
        #expect(throws: EventDecodingError.self) { try QuotaEvent.decode(EventType("QuotaCommitted", 2), data) }
    }
}

@Suite("What quota publishes and consumes") struct QuotaWireTests {
    @Test("is one message or none for each event, under its owner's key")
    func published() {
        let messages = everyEvent.map { PublishedByQuota.outgoing(for: $0) }
        #expect(
            messages.map { $0?.type.description } == [
                "mirrormate.quota.QuotaReserved.v1", "mirrormate.quota.QuotaRefused.v1",
                "mirrormate.quota.QuotaCommitted.v1", "mirrormate.quota.QuotaReleased.v1", nil,
                "mirrormate.quota.PlanChanged.v1", nil, "mirrormate.quota.SubjectErased.v1", nil,
                "mirrormate.quota.QuotaReserved.v1", "mirrormate.quota.QuotaReserved.v2",
                "mirrormate.quota.QuotaRefused.v1", nil, nil, nil,
            ])
        #expect(messages.allSatisfy { $0 == nil || $0?.key == .owner(f.owner) })
    }

    @Test("asks for the local day of the moment of creation")
    @Loop func created() async throws {
        let message = SessionCreated(
            SessionIdentity(sessionId: f.id(1), ownerId: f.owner, kind: .mirrormate), timeZone: f.berlin,
            createdAt: f.noon, expiresAt: f.noon.adding(seconds: 900))
        let resources = QuotaResources { created in
            let isAsked = created.timeZone == f.berlin && created.createdAt == f.noon
            return ReservationTerms(localDayEndsAt: isAsked ? f.midnight : .epoch, plans: .builtIn)
        }
        let reaction = try await Allowance.reactions.reaction(to: incoming(Outgoing(message)), resources)
        #expect(reaction == .apply(Allowance.stream(f.owner), f.request(1)))
        #expect(
            QuotaService.compensation(for: everyEvent[0])
                == .apply(Allowance.stream(f.owner), .orphan(sessionId: f.id(1))))
        #expect(QuotaService.compensation(for: everyEvent[2]) == .ignore)
    }

    @Test("settles on each of the endings")
    func endings() throws {
        let (id, owner, kind) = (f.id(1), f.owner, SessionKind.mirrormate)
        let endings: [(Outgoing, Settlement)] = [
            (Outgoing(SessionCompleted(SessionIdentity(sessionId: id, ownerId: owner, kind: kind))), .completed),
            (
                Outgoing(
                    SessionFailed(
                        SessionIdentity(sessionId: id, ownerId: owner, kind: kind), code: .processingTimeout,
                        retryable: true)),
                .failed
            ),
            (
                Outgoing(
                    SessionFailed(
                        SessionIdentity(sessionId: id, ownerId: owner, kind: kind),
                        code: FailureCode(rawValue: "no-video"),
                        retryable: false)),
                .failed
            ),
            (
                Outgoing(
                    SessionFailed(
                        SessionIdentity(sessionId: id, ownerId: owner, kind: kind), code: .noSpeech, retryable: false)),
                .unusable
            ),
            (Outgoing(SessionExpired(SessionIdentity(sessionId: id, ownerId: owner, kind: kind))), .expired),
            (
                Outgoing(
                    SessionCancelled(SessionIdentity(sessionId: id, ownerId: owner, kind: kind), analysisStarted: true)),
                f.late
            ),
            (
                Outgoing(
                    SessionDeleted(SessionIdentity(sessionId: id, ownerId: owner, kind: kind), wasComplete: false)),
                .deleted
            ),
        ]
        for (message, ending) in endings {
            #expect(
                try Allowance.reactions.reaction(to: incoming(message))
                    == .apply(Allowance.stream(owner), f.end(1, ending)))
        }
    }

    @Test("erases a user at once, and ignores what does not concern it")
    func others() throws {
        #expect(
            try Allowance.reactions.reaction(to: incoming(Outgoing(UserErased(userId: f.owner))))
                == .erase(subject: f.owner))
        let report = ReportReady(SessionReference(sessionId: f.id(1), ownerId: f.owner), reportId: f.id(2))
        #expect(try Allowance.reactions.reaction(to: incoming(Outgoing(report))) == .ignore)
    }

    private func incoming(_ message: Outgoing) -> Incoming {
        Incoming(id: f.id(99), type: message.type, time: f.noon, data: message.data)
    }
}

@Suite("The rows of allowances") struct AllowanceProjectionTests {
    @Test("say the same as the next decision, after every step of a long story")
    func agreement() {
        let key = AllowanceRow.Key(ownerId: f.owner, kind: .mirrormate)
        var commands: [AllowanceCommand] = []
        let endings: [Settlement] = [.completed, .failed, .unusable, f.late, f.early, .expired, .deleted]
        for number in UInt64(1)...60 {
            let moment = f.noon.adding(seconds: Int64(number) * 5 * 3_600)
            let day = (moment - f.midnight).components.seconds / 86_400 + 1
            commands.append(
                f.request(number, at: moment, dayEnds: f.midnight.adding(seconds: max(day, 0) * 86_400)))
            if number % 7 == 0 { commands.append(.grant(ownerId: f.owner, kind: .mirrormate, units: 2)) }
            if number % 23 == 0 { commands.append(.changePlan(ownerId: f.owner, .premium)) }
            if number % 29 == 0 { commands.append(.changePlan(ownerId: f.owner, .free)) }
            if number > 2 { commands.append(f.end(number - 2, endings[Int(number) % endings.count])) }
        }
        var story = f.fresh
        var row: AllowanceRow?
        for command in commands {
            guard case .events(let events) = story.when(command) else { continue }
            for event in events where AllowanceProjection.keys(of: event).contains(key) {
                row = AllowanceProjection.evolve(row, event, key: key, recordedAt: .epoch)
            }
            story = story.after(command)
            for hours in [Int64(0), 100, 400] {
                let moment = f.noon.adding(seconds: hours * 3_600)
                #expect(
                    (row ?? AllowanceRow(key)).standing(in: .builtIn, at: moment)
                        == story.state.standing(of: .mirrormate, at: moment))
            }
        }
        #expect(row?.windows.count == 1)
    }

    @Test("vanish with their owner")
    func erased() {
        let key = AllowanceRow.Key(ownerId: f.owner, kind: .mirrormate)
        let event = QuotaEvent.subjectErased(f.owner, .init(rows: 1, objects: 0), kinds: [.mirrormate])
        #expect(AllowanceProjection.keys(of: event) == [key])
        #expect(AllowanceProjection.evolve(AllowanceRow(key), event, key: key, recordedAt: .epoch) == nil)
    }
}
