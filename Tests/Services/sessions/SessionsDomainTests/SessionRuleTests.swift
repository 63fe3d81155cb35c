import Contracts
import EventSourcingTesting
import JSON
import Primitives
import Testing

@testable import sessions

@Suite("A session") struct SessionRuleTests {
    private let f = Fixture.self

    @Test("refuses another creation under its id") func otherCreation() {
        var creation = f.creation
        creation.contentLength += 1
        #expect(f.queued.when(.create(f.session, creation)) == .refusal(.exists))
        #expect(f.queued.when(f.create) == .events([]))
    }

    @Test("takes the newest upload before it is finalized") func newestUpload() {
        let newer = f.media("uploads/2")
        let given = f.uploaded.after(.storeUpload(by: f.owner, newer))
        #expect(given.history.last == .uploadStored(f.session, newer))
        #expect(given.when(f.finalize) == .refusal(.uploadChanged))
        let finalize = SessionCommand.finalize(
            by: f.owner, uploaded: "uploads/2", sealed: "sealed/2", deadline: f.deadline)
        #expect(
            given.when(finalize)
                == .events([
                    .uploadFinalized(f.session, f.media("sealed/2"), maxDurationSeconds: 60, deadline: f.deadline)
                ]))
    }

    @Test(
        "takes any file up to the limit when nothing was announced",
        arguments: [(0, false), (1, true), (1_000, true), (1_001, false)])
    func unannounced(size: Int64, isTaken: Bool) {
        var creation = f.creation
        creation.isAnnounced = false
        creation.sha256 = nil
        creation.contentLength = 1_000
        let media = f.media("uploads/1", size: size)
        let given = Given([.created(f.session, creation), .admitted(f.session)])
        #expect(
            given.when(.storeUpload(by: f.owner, media))
                == (isTaken ? .events([.uploadStored(f.session, media)]) : .refusal(.uploadMismatch)))
        #expect(creation.json["announced"] == false && f.creation.json["announced"] == nil)
    }

    @Test("takes so many uploads and no more, and none twice") func mostUploads() {
        var given = f.open
        for number in 1...Session.mostUploads {
            given = given.after(.storeUpload(by: f.owner, f.media("uploads/\(number)")))
        }
        #expect(given.history.count == f.open.history.count + Session.mostUploads)
        let last = f.media("uploads/\(Session.mostUploads)")
        #expect(given.when(.storeUpload(by: f.owner, last)) == .events([]))
        #expect(given.when(.storeUpload(by: f.owner, f.media("uploads/more"))) == .refusal(.uploadsUsedUp))
        // The last one can still be finalized.
        let finalize = SessionCommand.finalize(
            by: f.owner, uploaded: last.key, sealed: "sealed/1", deadline: f.deadline)
        #expect(given.when(finalize) == .events([f.finalized]))
    }

    @Test("hands on with the recording what the client said of it") func brief() throws {
        var creation = f.creation
        creation.brief = f.brief
        let given = Given([.created(f.session, creation), f.admitted, f.stored])
        guard case .events(let events) = given.when(f.finalize), let finalized = events.first else {
            Issue.record("it was not finalized")
            return
        }
        guard case .uploadFinalized(_, _, _, _, let brief) = finalized else {
            Issue.record("\(finalized)")
            return
        }
        #expect(brief == f.brief)
        let message = try #require(PublishedBySessions.outgoing(for: finalized))
        #expect(message.data["language"] == "pt-BR" && message.data["scenario"] == "pitch")
        // Nothing is made up of a client that says nothing.
        #expect(f.finalized.data["language"] == nil && f.finalized.data["scenario"] == nil)
    }

    @Test("refuses an upload of another size or hash than announced") func mismatch() {
        #expect(
            f.open.when(.storeUpload(by: f.owner, f.media("u", size: 999))) == .refusal(.uploadMismatch))
        #expect(
            f.open.when(.storeUpload(by: f.owner, f.media("u", hash: "00"))) == .refusal(.uploadMismatch))
    }

    @Test("takes any hash when none was announced") func noHash() {
        var creation = f.creation
        creation.sha256 = nil
        let given = Given([.created(f.session, creation), f.admitted])
        let media = f.media("u", hash: "00")
        #expect(given.when(.storeUpload(by: f.owner, media)) == .events([.uploadStored(f.session, media)]))
    }

    @Test("seals the upload under its own key and says until when work may last") func finalize() {
        #expect(f.uploaded.when(f.finalize) == .events([f.finalized]))
    }

    @Test("says whether analysis had started when it is cancelled") func cancellation() {
        #expect(
            f.processing.when(.cancel(by: f.owner))
                == .events([.cancelled(f.session, analysisStarted: false, replacedBy: nil)]))
        #expect(
            f.analyzing.when(.cancel(by: f.owner))
                == .events([.cancelled(f.session, analysisStarted: true, replacedBy: nil)]))
    }

    @Test("that never started but reported progress counts as started") func progressFirst() {
        #expect(
            f.processing.after(f.progress(1, 10)).when(.cancel(by: f.owner))
                == .events([.cancelled(f.session, analysisStarted: true, replacedBy: nil)]))
    }

    @Test("keeps the reason of a failure") func failure() {
        #expect(
            f.analyzing.when(f.noAnalysis)
                == .events([.failed(f.session, FailureCode(rawValue: "no-speech"), retryable: false)]))
        #expect(
            f.analyzing.when(.failOverdue(at: f.deadline))
                == .events([.failed(f.session, .processingTimeout, retryable: true)]))
    }

    @Test("clamps progress to a percentage") func clamped() {
        #expect(
            f.processing.when(f.progress(1, 400))
                == .events([.analysisProgressed(f.session, attempt: 1, stage: .voice, progressPercent: 100)]))
        #expect(f.processing.after(f.start(1)).when(f.progress(1, -5)) == .events([]))
    }

    @Test("forgets the progress of an older attempt") func nextAttempt() {
        let given = f.analyzing.after(f.start(3))
        #expect(given.when(f.progress(2, 90)) == .events([]))
        #expect(
            given.when(f.progress(3, 10))
                == .events([.analysisProgressed(f.session, attempt: 3, stage: .voice, progressPercent: 10)]))
    }

    @Test("that was finalized and failed answers a late repeated finalize as before") func lateFinalize() {
        #expect(f.processing.after(f.noReport).when(f.finalize) == .events([]))
        #expect(f.uploaded.after(f.noReport).when(f.finalize) == .refusal(.ended))
    }

    @Test("that is complete is deleted as such") func deleteComplete() {
        #expect(
            f.processing.after(f.ready).when(.delete(by: f.owner))
                == .events([.deleted(f.session, wasComplete: true)]))
    }

    // MARK: Replacing

    @Test("gives way to its successor") func replaced() {
        #expect(
            f.open.when(.giveWay(by: f.owner, to: f.other))
                == .events([.cancelled(f.session, analysisStarted: false, replacedBy: f.other)]))
    }

    @Test("that has ended stays as it is when it is replaced") func replacedAfterEnd() {
        #expect(f.processing.after(f.ready).when(.giveWay(by: f.owner, to: f.other)) == .events([]))
    }

    @Test("of another owner, or an unknown one, cannot be replaced") func replaceStranger() {
        #expect(f.open.when(.giveWay(by: f.other, to: f.other)) == .refusal(.unknown))
        #expect(f.absent.when(.giveWay(by: f.owner, to: f.other)) == .refusal(.unknown))
    }
}
