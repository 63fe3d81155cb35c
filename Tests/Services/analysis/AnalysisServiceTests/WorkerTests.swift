import Contracts
import Crypto
import EventSourcing
import EventStore
import Glibc
import JSON
import Measuring
import ObjectStorage
import Primitives
import Runtime
import ServiceKit
import Testing

@testable import analysis

@Suite(.timeLimit(.minutes(10))) @Loop struct `A worker` {
    private let job = SessionReference.fresh()
    private let past = Timestamp.now().adding(seconds: -60)

    @Test func `completes a job once, though two instances look for it, with the document that it names`() async throws
    {
        try await Workshop.run(.succeed) { shop in
            try await shop.startInstance()
            try await shop.startInstance()
            try await shop.order(job: job)
            try await shop.wait(job, until: ["JobCompleted", "JobFailed"])
            #expect(try await shop.story(job) == ["JobQueued", "AttemptStarted", "JobCompleted"])
            let history = try await shop.history(job)
            let stages = history.compactMap { event -> String? in
                if case .stageReached(_, _, let stage, _) = event { stage.rawValue } else { nil }
            }
            #expect(stages == ["probe", "decode", "transcribe", "voice", "picture"])
            // A minute was promised; what a timer has stopped is a little longer.
            #expect(shop.helper.orders.contains(" --max-seconds 65 "))
            guard case .completed(_, let attempt, let result) = history.last else { return }
            #expect(attempt == 1)
            #expect(result.engines == ["asr": "moonshine", "face": "dlib-hog 19.24", "thresholds": "3"])
            let bytes = try await shop.objects.read(result.document.key, limit: 1 << 20)
            #expect(Hex.encode(SHA256.digest(bytes)) == result.document.sha256)
            #expect(result.document.sizeBytes == Int64(bytes.count))
            #expect(result.document.key.hasPrefix("documents/\(job.ownerId)/\(job.sessionId)/"))
            let document = try JSONObject.parse(bytes)
            let measured = try MeasurementDocument(document)
            #expect(measured.measurements.text.contains(FakeHelper.spokenWord))
            #expect(try document.object("measured").object("engines").int("thresholds") == 3)
            #expect(measured.brief == RecordingBrief(language: "en-GB", scenario: .pitch))
            #expect(document["report"] == nil)
            let intents = try await shop.intents()
            #expect(intents.map(\.key) == [result.document.key])
            #expect(intents.allSatisfy { !$0.isUnwanted && !$0.hasDeadline })
        }
    }

    @Test func `writes nothing that was said into the log`() async throws {
        try await Workshop.run(.succeed) { shop in
            try await shop.startInstance()
            try await shop.order(job: job)
            try await shop.wait(job, until: ["JobCompleted"])
            for event in try await shop.store.read(Job.stream(job.sessionId)) {
                #expect(!String(decoding: event.data, as: UTF8.self).contains(FakeHelper.spokenWord))
            }
        }
    }

    @Test func `fails a job at once when the helper says that the file can never be analyzed`() async throws {
        try await Workshop.run(.refuse(code: "no-video")) { shop in
            try await shop.startInstance()
            try await shop.order(job: job)
            try await shop.wait(job, until: ["JobFailed", "JobCompleted"])
            #expect(try await shop.story(job) == ["JobQueued", "AttemptStarted", "AttemptFailed", "JobFailed"])
            #expect(
                try await shop.history(job).last
                    == .failed(job, attempt: 1, code: FailureCode(rawValue: "no-video"), retryable: false))
            #expect(shop.helper.runs == 1)
        }
    }

    @Test func `fails a job at once, without a document, when the recording cannot be used at all`() async throws {
        try await Workshop.run(.hearNothing) { shop in
            try await shop.startInstance()
            try await shop.order(job: job)
            try await shop.wait(job, until: ["JobFailed", "JobCompleted"])
            #expect(try await shop.history(job).last == .failed(job, attempt: 1, code: .noSpeech, retryable: false))
            #expect(shop.helper.runs == 1)
            #expect(try await shop.objects.keys(under: "documents/").isEmpty)
            #expect(try await shop.intents().isEmpty)
        }
    }

    @Test(arguments: [
        (FakeHelper.Behaviour.crash, FailureCode.analysisCrashed), (.babble, .analysisUnreadable),
        (.repeatItself, .analysisCrashed), (.findNothing, .analysisUnreadable),
        (.refuse(code: "DROP TABLE"), .analysisCrashed),
        (.reachNobody, .helperMissing),
    ])
    func `counts an attempt that came to nothing and names what went wrong`(
        behaviour: FakeHelper.Behaviour, code: FailureCode
    ) async throws {
        try await Workshop.run(behaviour) { shop in
            try await shop.startInstance()
            try await shop.order(job: job)
            try await shop.wait(job, until: ["AttemptFailed", "JobFailed"])
            let failures = try await shop.history(job).compactMap { event -> FailureCode? in
                if case .attemptFailed(_, 1, let code, _, _) = event { code } else { nil }
            }
            #expect(failures == [code])
            #expect(try await shop.intents().isEmpty)
        }
    }

    @Test func `gives up after the third attempt`() async throws {
        try await Workshop.run(.crash) { shop in
            let missed = { (attempt: Int64) -> [JobEvent] in
                [
                    .attemptStarted(job, attempt: attempt, worker: "gone", leaseEndsAt: past),
                    .attemptFailed(job, attempt: attempt, code: .analysisCrashed, retryable: true, retryAt: past),
                ]
            }
            try await shop.order(missed(1) + missed(2), job: job)
            try await shop.startInstance()
            try await shop.wait(job, until: ["JobFailed"])
            #expect(
                try await shop.history(job).last
                    == .failed(job, attempt: 3, code: .analysisCrashed, retryable: true))
            #expect(shop.helper.runs == 1)
        }
    }

    @Test func `takes over from one that died once the lease is over`() async throws {
        try await Workshop.run(.succeed) { shop in
            let end = try await WorkerCommands<Job>.now(shop.store) + .milliseconds(700)
            try await shop.order(
                [.attemptStarted(job, attempt: 1, worker: "dead", leaseEndsAt: end)], job: job)
            try await shop.startInstance()
            try await shop.wait(job, until: ["JobCompleted"])
            #expect(
                try await shop.story(job) == [
                    "JobQueued", "AttemptStarted", "AttemptFailed", "AttemptStarted", "JobCompleted",
                ])
            let events = try await shop.store.read(Job.stream(job.sessionId))
            #expect(events[3].recordedAt >= end)
            guard case .completed(_, let attempt, _) = try await shop.history(job).last else { return }
            #expect(attempt == 2)
        }
    }

    @Test func `fails a job whose recording is gone, without trying again`() async throws {
        try await Workshop.run(.succeed) { shop in
            try await shop.startInstance()
            try await shop.order(media: false, job: job)
            try await shop.wait(job, until: ["JobFailed", "JobCompleted"])
            #expect(
                try await shop.history(job).last == .failed(job, attempt: 1, code: .mediaMissing, retryable: false))
            #expect(shop.helper.runs == 0)
        }
    }

    @Test func `works on no more jobs at a time than it may`() async throws {
        try await Workshop.run(.hang) { shop in
            shop.settings = shop.settings.with(workers: 1)
            let instance = try await shop.startInstance()
            let other = SessionReference.fresh()
            try await shop.order(job: job)
            try await shop.order(job: other)
            try await eventually { shop.helper.hangingProcess != nil }
            #expect(try await shop.history(other).count == 1)
            instance.cancel()
            _ = await instance.result
            #expect(shop.helper.runs == 1)
        }
    }
}
