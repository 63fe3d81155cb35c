import Contracts
import JSON
import Primitives
import Testing

private let session = UUID(high: 0x019A_9C60_0000_7000, low: 0x8000_0000_0000_0001)
private let owner = UUID(high: 0x019A_9C60_0000_7000, low: 0x8000_0000_0000_0002)
private let other = UUID(high: 0x019A_9C60_0000_7000, low: 0x8000_0000_0000_0003)
private let moment = Timestamp(microseconds: 1_795_000_000_123_456)
private let hash = String(repeating: "ab", count: 32)
private let media = MediaReference(key: "sealed/1", sha256: hash, sizeBytes: 1_048_576, contentType: "video/mp4")
private let document = DocumentReference(key: "findings/1", sha256: hash, sizeBytes: 4_096)

/// A message that comes back from its bytes as it was, under the key and subject it should have.
private func comesBack<Message: PublishedMessage>(_ message: Message) throws {
    let read = try Message(JSONObject.parse(JSONValue.object(message.json).bytes))
    #expect(read == message)
    #expect(!message.subject.isEmpty)
}

/// Every member that is written, and not optional, is required when reading, and must have its type.
private func namesWhatIsWrong<Message: PublishedMessage>(_ message: Message, optional: Set<String> = []) {
    for key in message.json.keys where !optional.contains(key) {
        var object = message.json
        object[key] = nil
        #expect(throws: JSONError(.missing, at: key, "is missing")) { try Message(object) }
        object[key] = .array([])
        #expect(throws: JSONError.self) { try Message(object) }
    }
}

@Suite("Published messages") struct MessageTests {
    @Test("of sessions come back as they were") func sessions() throws {
        var created = SessionCreated(
            SessionIdentity(sessionId: session, ownerId: owner, kind: .mirrormate), timeZone: "Europe/Berlin",
            createdAt: moment, expiresAt: moment.adding(seconds: 900))
        try comesBack(created)
        created.replaces = other
        try comesBack(created)
        namesWhatIsWrong(created, optional: ["replaces"])
        let finalized = UploadFinalized(
            SessionIdentity(sessionId: session, ownerId: owner, kind: .mirrormate), media: media,
            maxDurationSeconds: 60,
            brief: RecordingBrief(language: "pt-BR", scenario: .casual))
        try comesBack(finalized)
        namesWhatIsWrong(finalized, optional: ["maxDurationSeconds", "language", "scenario"])
        try comesBack(
            SessionCompleted(SessionIdentity(sessionId: session, ownerId: owner, kind: .mirrormate), reportId: other))
        try comesBack(SessionCompleted(SessionIdentity(sessionId: session, ownerId: owner, kind: .mirrormate)))
        let failed = SessionFailed(
            SessionIdentity(sessionId: session, ownerId: owner, kind: .mirrormate), code: .processingTimeout,
            retryable: true)
        try comesBack(failed)
        namesWhatIsWrong(failed)
        let cancelled = SessionCancelled(
            SessionIdentity(sessionId: session, ownerId: owner, kind: .mirrormate), analysisStarted: true,
            replacedBy: other)
        try comesBack(cancelled)
        namesWhatIsWrong(cancelled, optional: ["replacedBy"])
        try comesBack(SessionExpired(SessionIdentity(sessionId: session, ownerId: owner, kind: .mirrormate)))
        try comesBack(
            SessionDeleted(SessionIdentity(sessionId: session, ownerId: owner, kind: .mirrormate), wasComplete: true))
    }

    @Test("of quota come back as they were, also without a limit") func quota() throws {
        var reserved = QuotaReserved(
            SessionIdentity(sessionId: session, ownerId: owner, kind: .mirrormate), plan: .free, limit: 1, used: 0,
            reserved: 1, windowEndsAt: moment)
        try comesBack(reserved)
        namesWhatIsWrong(reserved, optional: ["limit"])
        reserved.limit = nil
        try comesBack(reserved)
        #expect(reserved.json["limit"] == .null)
        let refused = QuotaRefused(
            SessionIdentity(sessionId: session, ownerId: owner, kind: .mirrormate),
            QuotaDenial(code: .sessionOpen, resetsAt: moment, heldBy: HeldBy(sessionId: other, expiresAt: moment)))
        try comesBack(refused)
        namesWhatIsWrong(refused, optional: ["heldBy"])
        try comesBack(QuotaCommitted(SessionIdentity(sessionId: session, ownerId: owner, kind: .mirrormate)))
        try comesBack(
            QuotaReleased(SessionIdentity(sessionId: session, ownerId: owner, kind: .mirrormate), reason: .orphaned))
        try comesBack(PlanChanged(ownerId: owner, plan: .premium))
        let met = GoalMet(ownerId: owner, goalId: other)
        try comesBack(met)
        namesWhatIsWrong(met)
    }

    @Test("of analysis and reporting come back as they were") func work() throws {
        try comesBack(AnalysisStarted(SessionReference(sessionId: session, ownerId: owner), attempt: 2))
        let progressed = AnalysisProgressed(
            SessionReference(sessionId: session, ownerId: owner), attempt: 2, stage: .transcribe, progressPercent: 40)
        try comesBack(progressed)
        namesWhatIsWrong(progressed)
        let completed = AnalysisCompleted(
            SessionReference(sessionId: session, ownerId: owner), attempt: 2, document: document, durationMs: 4_200)
        try comesBack(completed)
        namesWhatIsWrong(completed)
        try comesBack(
            AnalysisFailed(
                SessionReference(sessionId: session, ownerId: owner), attempt: 3, code: .processingTimeout,
                retryable: false))
        try comesBack(ReportReady(SessionReference(sessionId: session, ownerId: owner), reportId: other))
        try comesBack(
            ReportFailed(SessionReference(sessionId: session, ownerId: owner), code: FailureCode(rawValue: "x")))
        try comesBack(ReportDeleted(SessionReference(sessionId: session, ownerId: owner)))
    }

    @Test("of identity come back as they were; keys belong to the system") func identity() throws {
        try comesBack(UserRegistered(userId: owner, kind: .device))
        try comesBack(UserProfileChanged(userId: owner, timeZone: "Asia/Tokyo"))
        try comesBack(UserErased(userId: owner))
        let key = SigningKeyPublished(kid: "k1", x: "eA", y: "eQ", notBefore: moment, expiresAt: moment)
        try comesBack(key)
        namesWhatIsWrong(key)
        #expect(key.ownerKey == .system)
        #expect(SigningKeyRetired(kid: "k1", retiredAt: moment).ownerKey == .system)
        try comesBack(SigningKeyRetired(kid: "k1", retiredAt: moment))
        #expect(UserErased(userId: owner).ownerKey == .owner(owner))
    }

    @Test("about an erasure carry the name of the service that finished it") func erasure() throws {
        let outgoing = SubjectErased.outgoing(owner, from: .quota, removed: .init(rows: 2, objects: 0))
        #expect(outgoing.type.description == "mirrormate.quota.SubjectErased.v1")
        #expect(outgoing.key == .owner(owner))
        let read = try SubjectErased(JSONObject.parse(JSONValue.object(outgoing.data).bytes))
        #expect(read == SubjectErased(subjectId: owner, service: .quota, removed: .init(rows: 2, objects: 0)))
    }

    @Test("keep codes that this build does not know") func openCodes() throws {
        let object = try JSONObject.parse(
            #"{"sessionId":"\#(session)","ownerId":"\#(owner)","kind":"dance","code":"new","retryable":true,"more":1}"#
                .utf8)
        let message = try SessionFailed(object)
        #expect(message.kind.rawValue == "dance")
        #expect(message.code.rawValue == "new")
        #expect(message.json["kind"] == "dance")
    }

    @Test("write the value byte for byte as pinned") func goldenBytes() {
        let message = SessionCancelled(
            SessionIdentity(sessionId: session, ownerId: owner, kind: .mirrormate), analysisStarted: false,
            replacedBy: other)
        #expect(
            JSONValue.object(message.json).text
                == #"{"sessionId":"019a9c60-0000-7000-8000-000000000001","#
                + #""ownerId":"019a9c60-0000-7000-8000-000000000002","kind":"mirrormate","analysisStarted":false,"#
                + #""replacedBy":"019a9c60-0000-7000-8000-000000000003"}"#)
        #expect(Outgoing(message).subject == session.description)
        #expect(Outgoing(message).key == .owner(owner))
    }
}
