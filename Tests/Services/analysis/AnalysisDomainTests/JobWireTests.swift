import Contracts
import EventSourcing
import EventSourcingTesting
import JSON
import Primitives
import ServiceKit
import Testing

@testable import analysis

private let f = Fixture.self
private let everyEvent: [JobEvent] = [
    f.queued, f.begun(1), f.extended, f.staged, f.completed, f.missed(1), f.failed, f.cancelled, f.discarded, f.erased,
    f.subjectErased,
    .queued(f.job, JobOrder(kind: .mirrormate, media: f.media), maxAttempts: 1),
    .queued(
        f.job,
        JobOrder(kind: .mirrormate, media: f.media, brief: RecordingBrief(language: "de", scenario: .interview)),
        maxAttempts: 3),
    .attemptFailed(f.job, attempt: 3, code: .workerLost, retryable: false, retryAt: nil),
    .completed(f.job, attempt: 2, f.otherResult), .completed(f.job, attempt: 1, f.readyResult), f.returned,
    f.called, f.answered, f.unanswered,
]

@Suite("The private events of analysis") struct JobEventTests {
    @Test("are all in the list, in their newest version")
    func complete() { #expect(Set(everyEvent.map(\.type)) == goldenEvents(of: "analysis")) }

    @Test("come back from their stored form", arguments: everyEvent)
    func stored(event: JobEvent) throws { #expect(try storedAndRead(event) == event) }

    @Test("of another version or name stop the reader")
    func unknown() {
        #expect(throws: EventDecodingError.unknownType(EventType("JobQueued", 2))) {
            try JobEvent.decode(EventType("JobQueued", 2), f.queued.data)
        }
        #expect(throws: EventDecodingError.unknownType(EventType("JobPainted"))) {
            try JobEvent.decode(EventType("JobPainted"), f.queued.data)
        }
    }

    @Test("that miss a member are named")
    func malformed() {
        #expect(
            throws: EventDecodingError.malformed(
                EventType("JobFailed"), JSONError(.missing, at: "attempt", "is missing"))
        ) { try JobEvent.decode(EventType("JobFailed"), f.erased.data) }
    }

    @Test("have names that never change")
    func names() {
        #expect(
            everyEvent.prefix(11).map(\.type.description) == [
                "JobQueued.v1", "AttemptStarted.v1", "LeaseExtended.v1", "StageReached.v1", "JobCompleted.v2",
                "AttemptFailed.v1", "JobFailed.v1", "JobCancelled.v1", "ResultDiscarded.v1", "JobErased.v1",
                "SubjectErased.v1",
            ])
    }

    @Test("name an attempt that was given back AttemptReturned and publish nothing of it")
    func returned() {
        #expect(f.returned.type.description == "AttemptReturned.v1")
        #expect(PublishedByAnalysis.outgoing(for: f.returned) == nil)
    }

    @Test("of a call to a provider have names of their own, no word of what was said, and are published to nobody")
    func calls() {
        #expect(f.called.type.description == "ProviderCallBegun.v1")
        #expect(f.answered.type.description == "ProviderCalled.v1")
        for event in [f.called, f.answered, f.unanswered] { #expect(PublishedByAnalysis.outgoing(for: event) == nil) }
        #expect(f.unanswered.data["document"] == nil)
    }

    @Test("of an attempt that made the report itself are read and published as then")
    func ready() throws {
        var data = JobEvent.completed(f.job, attempt: 1, f.readyResult).data
        data["content"] = nil
        let event = try JobEvent.decode(EventType("JobCompleted", 1), data)
        #expect(event == .completed(f.job, attempt: 1, f.readyResult))
        #expect(PublishedByAnalysis.outgoing(for: event)?.type == AnalysisCompleted.type)
        data["content"] = "poem"
        #expect(throws: EventDecodingError.self) { try JobEvent.decode(EventType("JobCompleted", 2), data) }
    }

    @Test("are published as at most one message")
    func published() {
        #expect(
            everyEvent.prefix(11).map { PublishedByAnalysis.outgoing(for: $0)?.type.description ?? "-" } == [
                "-", "mirrormate.analysis.AnalysisStarted.v1", "-", "mirrormate.analysis.AnalysisProgressed.v1",
                "mirrormate.analysis.AnalysisCompleted.v2", "-", "mirrormate.analysis.AnalysisFailed.v1", "-", "-",
                "-", "mirrormate.analysis.SubjectErased.v1",
            ])
        for event in everyEvent {
            guard let message = PublishedByAnalysis.outgoing(for: event) else { continue }
            #expect(message.key == .owner(f.owner))
        }
    }
}

@Suite("The messages that analysis reads") struct JobReactionTests {
    private func incoming<M: PublishedMessage>(_ message: M) -> Incoming {
        Incoming(id: f.id, type: M.type, time: f.start, data: message.json)
    }

    private let finalized = UploadFinalized(
        SessionIdentity(sessionId: f.id, ownerId: f.owner, kind: .mirrormate), media: f.media, maxDurationSeconds: 60)

    @Test("become commands to the session's job")
    func reactions() throws {
        let stream = Job.stream(f.id)
        #expect(try Job.reactions.reaction(to: incoming(finalized)) == .apply(stream, .queue(f.job, f.order)))
        let id = f.id, owner = f.owner, kind = SessionKind.mirrormate
        #expect(
            try Job.reactions.reaction(
                to: incoming(
                    SessionCancelled(SessionIdentity(sessionId: id, ownerId: owner, kind: kind), analysisStarted: false)
                ))
                == .apply(stream, .cancel(f.job, .cancelled)))
        #expect(
            try Job.reactions.reaction(
                to: incoming(
                    SessionFailed(
                        SessionIdentity(sessionId: id, ownerId: owner, kind: kind), code: .processingTimeout,
                        retryable: true)))
                == .apply(stream, .cancel(f.job, .failed)))
        #expect(
            try Job.reactions.reaction(
                to: incoming(SessionExpired(SessionIdentity(sessionId: id, ownerId: owner, kind: kind))))
                == .apply(stream, .cancel(f.job, .expired)))
        #expect(
            try Job.reactions.reaction(
                to: incoming(
                    SessionDeleted(SessionIdentity(sessionId: id, ownerId: owner, kind: kind), wasComplete: true)))
                == .apply(stream, .cancel(f.job, .deleted)))
        #expect(try Job.reactions.reaction(to: incoming(UserErased(userId: owner))) == .erase(subject: owner))
    }

    @Test("that do not concern it, are unknown or of another kind are ignored")
    func ignored() throws {
        var meditation = finalized
        meditation.session.kind = SessionKind(rawValue: "meditation")
        #expect(try Job.reactions.reaction(to: incoming(meditation)) == .ignore)
        #expect(
            try Job.reactions.reaction(to: incoming(UserRegistered(userId: f.owner, kind: .device))) == .ignore)
        let unknown = Incoming(id: f.id, type: MessageType(.sessions, "UploadFinalized", 2), time: f.start, data: [:])
        #expect(try Job.reactions.reaction(to: unknown) == .ignore)
    }

    @Test("that miss a member are refused")
    func malformed() {
        let broken = Incoming(id: f.id, type: UploadFinalized.type, time: f.start, data: ["sessionId": .uuid(f.id)])
        #expect(throws: JSONError.self) { try Job.reactions.reaction(to: broken) }
    }

    @Test("cancel the job of a recording that sessions has forgotten after a restore")
    func orphan() {
        #expect(AnalysisService.compensation(for: f.queued) == .apply(Job.stream(f.id), .cancel(f.job, .orphaned)))
        #expect(AnalysisService.compensation(for: f.completed) == .ignore)
    }
}

@Suite("The work queue") struct JobProjectionTests {
    private func row(after events: [JobEvent]) -> JobQueueRow? {
        events.reduce(nil) { JobProjection.evolve($0, $1, key: f.id, recordedAt: f.start) }
    }

    private func row(
        _ state: JobQueueRow.State, _ runnableAt: Timestamp?, _ leaseEndsAt: Timestamp?, _ attempt: Int64
    ) -> JobQueueRow {
        JobQueueRow(
            sessionId: f.id, ownerId: f.owner, state: state, runnableAt: runnableAt, leaseEndsAt: leaseEndsAt,
            attempt: attempt)
    }

    @Test("shows what can be done with a job at each step of its life")
    func life() {
        let retry = f.start.adding(seconds: 5)
        #expect(row(after: [f.queued]) == row(.queued, f.start, nil, 0))
        #expect(row(after: f.running.history) == row(.running, f.leaseEnd, f.leaseEnd, 1))
        #expect(row(after: f.running.history + [f.extended]) == row(.running, f.later, f.later, 1))
        #expect(row(after: f.waiting.history) == row(.waiting, retry, nil, 1))
        for end in [f.completed, f.failed, f.cancelled] {
            #expect(row(after: f.running.history + [end]) == row(.done, nil, nil, 1))
        }
    }

    @Test("has no row for a job without an order and none of an erased user")
    func noRow() {
        #expect(row(after: [f.cancelled]) == nil)
        #expect(row(after: f.running.history + [f.erased]) == nil)
        #expect(JobProjection.keys(of: f.subjectErased) == [])
        #expect(JobProjection.keys(of: f.queued) == [f.id])
    }
}
