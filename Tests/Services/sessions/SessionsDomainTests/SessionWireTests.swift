import Contracts
import EventSourcing
import EventSourcingTesting
import JSON
import Primitives
import ServiceKit
import Testing

@testable import sessions

private let f = Fixture.self
private let everyEvent: [SessionEvent] = [
    f.created, f.admitted, f.refused, f.declined, f.stored, f.finalized, f.started, f.progressed, f.completed,
    f.failed, f.cancelled, f.expired, f.deleted, f.erased, f.subjectErased, Logged.logged, Logged.corrected,
    Logged.moved, Logged.withdrawn,
    .completed(f.session, reportId: nil), .cancelled(f.session, analysisStarted: true, replacedBy: f.other),
    .uploadFinalized(f.session, f.sealed, maxDurationSeconds: nil, deadline: f.deadline),
    .uploadFinalized(f.session, f.sealed, maxDurationSeconds: 60, deadline: f.deadline, brief: f.brief),
    .refused(f.session, QuotaDenial(code: .quotaExceeded, resetsAt: f.deadline)),
    .created(
        f.session,
        SessionCreation(
            timeZone: "UTC", createdAt: f.start, expiresAt: f.expiry, contentType: "video/webm", contentLength: 1,
            replaces: f.other, brief: f.brief)),
    .created(
        f.session,
        SessionCreation(
            timeZone: "UTC", createdAt: f.start, expiresAt: f.expiry, contentType: "video/mp4", contentLength: 9,
            isAnnounced: false)),
    Handed.begun, Handed.finished,
    f.mediaKept, f.mediaRemoved, f.retentionChosen, f.uploadRemoved,
]

@Suite("The private events of sessions") struct SessionEventTests {
    @Test("are all in the list, in their newest version")
    func complete() { #expect(Set(everyEvent.map(\.type)) == goldenEvents(of: "sessions")) }

    @Test("come back from their stored form", arguments: everyEvent)
    func stored(event: SessionEvent) throws { #expect(try storedAndRead(event) == event) }

    @Test("of another version or name stop the reader")
    func unknown() {
        #expect(throws: EventDecodingError.unknownType(EventType("SessionCreated", 2))) {
            try SessionEvent.decode(EventType("SessionCreated", 2), f.created.data)
        }
        #expect(throws: EventDecodingError.unknownType(EventType("SessionPainted"))) {
            try SessionEvent.decode(EventType("SessionPainted"), f.created.data)
        }
    }

    @Test("that miss a member are named")
    func malformed() {
        #expect(
            throws: EventDecodingError.malformed(
                EventType("SessionFailed"), JSONError(.missing, at: "code", "is missing"))
        ) {
            try SessionEvent.decode(EventType("SessionFailed"), f.session.asData)
        }
    }

    @Test("have names that never change")
    func names() {
        #expect(
            everyEvent.prefix(19).map(\.type.description) == [
                "SessionCreated.v1", "SessionAdmitted.v1", "SessionRefused.v1", "ReservationDeclined.v1",
                "UploadStored.v1", "UploadFinalized.v1", "AnalysisStarted.v1", "AnalysisProgressed.v1",
                "SessionCompleted.v1", "SessionFailed.v1", "SessionCancelled.v1", "SessionExpired.v1",
                "SessionDeleted.v1", "SessionErased.v1", "SubjectErased.v1", "SessionLogged.v1", "SessionCorrected.v1",
                "SessionWithdrawn.v1", "SessionWithdrawn.v1",
            ])
    }
}

extension SessionIdentity {
    fileprivate var asData: JSONObject { SessionEvent.expired(self).data }
}

@Suite("What sessions publishes and consumes") struct SessionWireTests {
    @Test("is one message or none for each event, under its owner's key")
    func published() {
        let messages = everyEvent.prefix(19).map { PublishedBySessions.outgoing(for: $0) }
        #expect(
            messages.map { $0?.type.description } == [
                "mirrormate.sessions.SessionCreated.v1", nil, nil, "mirrormate.sessions.SessionCancelled.v1", nil,
                "mirrormate.sessions.UploadFinalized.v1", nil, nil, "mirrormate.sessions.SessionCompleted.v1",
                "mirrormate.sessions.SessionFailed.v1", "mirrormate.sessions.SessionCancelled.v1",
                "mirrormate.sessions.SessionExpired.v1", "mirrormate.sessions.SessionDeleted.v1", nil,
                "mirrormate.sessions.SubjectErased.v1", "mirrormate.sessions.SessionLogged.v1",
                "mirrormate.sessions.SessionCorrected.v1", "mirrormate.sessions.SessionWithdrawn.v1",
                "mirrormate.sessions.SessionWithdrawn.v1",
            ])
        #expect(messages.allSatisfy { $0 == nil || $0?.key == .owner(f.owner) })
    }

    @Test("is nothing of a hand-over itself: each session tells what becomes of it")
    func handovers() {
        #expect([Handed.begun, Handed.finished].allSatisfy { PublishedBySessions.outgoing(for: $0) == nil })
    }

    @Test("begins a hand-over with the moment that was signed, and without one where none was")
    func handedOver() throws {
        let said = DeviceHandedOverV2(userId: f.owner, accountId: f.other, handedOverAt: f.expiry)
        #expect(
            try Session.reactions.reaction(to: incoming(Outgoing(said)))
                == .handOver(device: f.owner, account: f.other, at: f.expiry))
        let old = DeviceHandedOver(userId: f.owner, accountId: f.other)
        #expect(
            try Session.reactions.reaction(to: incoming(Outgoing(old)))
                == .handOver(device: f.owner, account: f.other, at: nil))
    }

    @Test("says until when a recording is kept, and nothing of where it lies or of what its owner chose")
    func media() throws {
        let kept = try #require(PublishedBySessions.outgoing(for: f.mediaKept))
        #expect(kept.type == MediaKept.type && kept.key == .owner(f.owner))
        #expect(Set(kept.data.keys) == ["sessionId", "ownerId", "until"])
        #expect(try MediaKept(kept.data).until == f.period.until)
        #expect(PublishedBySessions.outgoing(for: f.mediaRemoved)?.type == MediaRemoved.type)
        #expect(PublishedBySessions.outgoing(for: f.retentionChosen) == nil)
        #expect(PublishedBySessions.outgoing(for: f.uploadRemoved) == nil)
    }

    @Test("finds again for how long a recording was kept, for replays")
    func recalled() throws {
        let message = incoming(Outgoing(ReportReady(f.session.reference, reportId: f.report)))
        #expect(
            try Session.reactions.reaction(to: message, recalledFrom: [f.completed, f.mediaKept])
                == .apply(Session.stream(f.id), f.kept))
        #expect(
            try Session.reactions.reaction(to: message, recalledFrom: [f.completed])
                == .apply(Session.stream(f.id), f.ready))
    }

    @Test("names the sealed object, never the one that a client can reach")
    func sealed() throws {
        let message = try #require(PublishedBySessions.outgoing(for: f.finalized))
        #expect(try UploadFinalized(message.data).media == f.sealed)
    }

    @Test(
        "becomes a command for the session",
        arguments: [
            f.reserved, f.reservedInWindows, f.denied, f.start(1), f.progress(1, 5), f.noAnalysis, f.ready, f.kept,
            f.noReport,
        ])
    func reactions(command: SessionCommand) throws {
        let outgoing: Outgoing =
            switch command {
            case .quotaReserved(let message): Outgoing(message)
            case .quotaReservedInWindows(let message): Outgoing(message)
            case .quotaRefused(let message): Outgoing(message)
            case .analysisStarted(let message): Outgoing(message)
            case .analysisProgressed(let message): Outgoing(message)
            case .analysisFailed(let message): Outgoing(message)
            case .reportReady(let message, _): Outgoing(message)
            case .reportFailed(let message): Outgoing(message)
            default: try #require(nil as Outgoing?)
            }
        // What is looked up before: here of a report alone.
        var found: (any Sendable)?
        if case .reportReady(_, let period) = command { found = period }
        #expect(
            try Session.reactions.reaction(to: incoming(outgoing), found: found)
                == .apply(Session.stream(f.id), command))
    }

    @Test("erases a user at once, and ignores what it does not know")
    func others() throws {
        #expect(
            try Session.reactions.reaction(to: incoming(Outgoing(UserErased(userId: f.owner))))
                == .erase(subject: f.owner))
        let unknown = Outgoing(
            type: MessageType(.quota, "QuotaReserved", 3), key: .owner(f.owner), subject: "", data: [:])
        #expect(try Session.reactions.reaction(to: incoming(unknown)) == .ignore)
    }

    @Test("says what is wrong with a known message")
    func malformed() {
        let broken = Outgoing(type: ReportReady.type, key: .owner(f.owner), subject: "", data: [:])
        #expect(throws: JSONError(.missing, at: "sessionId", "is missing")) {
            try Session.reactions.reaction(to: incoming(broken), found: MediaPeriod.none)
        }
    }

    private func incoming(_ message: Outgoing) -> Incoming {
        Incoming(id: f.report, type: message.type, time: f.start, data: message.data)
    }
}

@Suite("The list of sessions") struct SessionProjectionTests {
    private func row(_ given: Given) -> SessionRow? {
        given.history.reduce(nil as SessionRow?) {
            SessionProjection.evolve($0, $1, key: f.id, recordedAt: f.start.adding(seconds: 5))
        }
    }

    @Test("shows each status")
    func statuses() {
        let stories: [(Given, SessionRow.Status?)] = [
            (f.absent, nil), (f.queued, .queued), (f.open, .awaitingUpload), (f.uploaded, .awaitingUpload),
            (f.processing, .processing), (f.analyzing, .processing), (f.analyzing.after(f.ready), .complete),
            (f.analyzing.after(f.noReport), .error), (f.open.after(.cancel(by: f.owner)), .cancelled),
            (f.open.after(.expire(at: f.expiry)), .expired), (f.queued.after(f.denied), .refused),
            (f.open.after(.delete(by: f.owner)), nil), (f.open.after(.erase), nil),
        ]
        for (given, status) in stories { #expect(row(given)?.status == status) }
    }

    @Test("shows progress that never goes back")
    func progress() {
        #expect(row(f.open)?.progressPercent == 0)
        #expect(row(f.processing)?.progressPercent == 10)
        #expect(row(f.analyzing)?.progressPercent == 42)
        #expect(row(f.analyzing.after([f.start(3), f.progress(3, 5)]))?.progressPercent == 42)
        #expect(row(f.analyzing.after(f.progress(2, 100)))?.progressPercent == 90)
        #expect(row(f.analyzing.after(f.ready))?.progressPercent == 100)
    }

    @Test("says since when nothing has begun, and then what is under way, which never goes back")
    func stages() {
        #expect(row(f.open)?.stage == nil && row(f.open)?.waitingSince == nil)
        #expect(row(f.processing)?.stage == nil && row(f.processing)?.waitingSince == f.start.adding(seconds: 5))
        let begun = row(f.processing.after(f.start(1)))
        #expect(begun?.stage == .probe && begun?.waitingSince == nil)
        #expect(row(f.analyzing)?.stage == .picture)
        #expect(row(f.analyzing.after([f.start(3), f.progress(3, 5)]))?.stage == .picture)
        // The first message of an attempt may be its progress.
        let early = row(f.processing.after(f.progress(1, 40)))
        #expect(early?.stage == .picture && early?.waitingSince == nil)
    }

    @Test("keeps its stage when one is done that is not known")
    func unknownStage() {
        let unknown = SessionEvent.analysisProgressed(
            f.session, attempt: 2, stage: AnalysisStage(rawValue: "gestures"), progressPercent: 60)
        let next = SessionProjection.evolve(row(f.analyzing), unknown, key: f.id, recordedAt: f.start)
        #expect(next?.stage == .picture && next?.progressPercent == 58)
    }

    @Test("tells neither a stage nor a wait of what has ended")
    func endings() {
        let ends = [f.ready, f.noReport, .cancel(by: f.owner), .failOverdue(at: f.deadline)]
        for given in [f.processing, f.analyzing] {
            for end in ends {
                let ended = row(given.after(end))
                #expect(ended?.status.isFinal == true && ended?.stage == nil && ended?.waitingSince == nil)
            }
        }
    }

    @Test("tells why it failed or was refused, and which report came of it")
    func details() {
        let failed = row(f.analyzing.after(f.noAnalysis))
        #expect(failed?.errorCode?.rawValue == "no-speech")
        #expect(failed?.errorRetryable == false)
        #expect(row(f.queued.after(f.denied))?.refusal == f.denial)
        #expect(row(f.analyzing.after(f.ready))?.reportId == f.report)
        #expect(row(f.processing)?.deadline == f.deadline)
        #expect(row(f.queued)?.createdAt == f.start)
        #expect(row(f.queued)?.updatedAt == f.start.adding(seconds: 5))
    }

    @Test("shows until when a recording is kept, and that it is not any more")
    func media() {
        let kept = f.analyzing.after(f.kept)
        #expect(row(kept)?.mediaSince == f.period.since && row(kept)?.mediaUntil == f.period.until)
        let nearer = f.period.until - .seconds(60)
        #expect(row(kept.after(.limitMedia(until: nearer, at: f.period.since)))?.mediaUntil == nearer)
        let removed = row(kept.after(.limitMedia(until: f.period.since, at: f.deadline)))
        #expect(removed?.status == .complete && removed?.mediaSince == nil && removed?.mediaUntil == nil)
        #expect(row(f.analyzing.after(f.ready))?.mediaUntil == nil)
        #expect(
            SessionProjection.keys(of: f.mediaKept) == [f.id] && SessionProjection.keys(of: f.retentionChosen) == [])
    }

    @Test("has one row for each session event and none for a subject")
    func keys() {
        #expect(everyEvent.prefix(14).allSatisfy { SessionProjection.keys(of: $0) == [f.id] })
        #expect(SessionProjection.keys(of: f.subjectErased) == [])
    }
}
