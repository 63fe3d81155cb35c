"""Changes of contracts, released files and code, one at a time, with what the contract tests must say of each.

A mutation is a dict: name, level, edits, and either says (patterns that the findings must contain: consumer, field, what to
do) or says=None for a change that must pass. Levels, from cheap to dear:

  data   contract and golden files; `mirrormate contracts check` as it is built
  code   messages and declarations; `mirrormate contracts check` of the copy
  path   relay, services, domain; the stories of the services that the mutation names

An edit is (path, old, new): old stands in the file at least once, and all its occurrences are replaced. old=None writes a
new file, new=None deletes one. All edits of Swift are built together, once: MUTATED in them is true only while it is the
turn of that mutation. One without it is in force always, so nothing may notice.
"""

KEEP = "Keep it as it was released"
MESSAGES = "Shared/Events/Contracts/"
CATALOGUE = "Services/mirrormate/Contracts/ContractChecking/Catalogue"


def breaks(level, name, says, *edits, services=None):
    return {"level": level, "name": name, "says": says, "edits": edits, "services": services}


def passes(level, name, *edits, services=None):
    return {"level": level, "name": name, "says": None, "edits": edits, "services": services}


QUOTA = "Services/quota/Contracts/sessions.contract.json"
REPORTING = "Services/reporting/Contracts/analysis.contract.json"
SESSIONS = "Services/sessions/Contracts/analysis.contract.json"
RELEASED = "Tests/Services/ContractPathTests/released.sha256"
COMPLETED = "Services/analysis/Contracts/published/AnalysisCompleted.v1.json"

ALL = [
    # What consumers ask for.
    breaks("data", "a consumer needs a field that nobody publishes", ["sessions -> quota", "field locale", KEEP],
           (QUOTA, '"timeZone": {', '"locale": {"type": "text", "meaning": "Words."},\n        "timeZone": {')),
    breaks("data", "a consumer needs an optional field always", ["analysis", "maxDurationSeconds", "may be missing"],
           ("Services/analysis/Contracts/sessions.contract.json", '"optional": true,', '')),
    breaks("data", "a consumer narrows a number", ["analysis -> sessions", "field attempt", "may be above 2"],
           (SESSIONS, '"minimum": 1,', '"minimum": 1, "maximum": 2,')),
    breaks("data", "a consumer reads another topic", ["sessions -> quota: topic", "mirrormate.sessions.v2", KEEP],
           (QUOTA, '"mirrormate.sessions.v1"', '"mirrormate.sessions.v2"')),
    breaks("data", "a consumer counts other partitions", ["sessions -> quota: partitioning", "new topic"],
           (QUOTA, '"partitions": 8', '"partitions": 16')),
    breaks("data", "a consumer needs another key rule", ["sessions -> quota", "SessionCreated.v1, key", "sessionId", KEEP],
           (QUOTA, '"key": "ownerId"', '"key": "sessionId"')),
    breaks("data", "a consumer reads milliseconds as seconds", ["analysis -> reporting", "field durationMs", "seconds"],
           (REPORTING, '"unit": "milliseconds"', '"unit": "seconds"')),
    breaks("data", "a consumer spells a code differently", ["quota -> sessions", "field code", "quota_exceeded", KEEP],
           ("Services/sessions/Contracts/quota.contract.json", '"quota-exceeded",', '"quota_exceeded",')),
    breaks("data", "a consumer does not say what an unknown code means", ["sessions -> quota", "field kind", "not known"],
           (QUOTA, '"unknown": "has no allowance: refused as quota-exceeded",', '')),
    breaks("data", "a consumer reads a message that nobody publishes", ["sessions -> quota", "SessionPaused.v1", "does not publish"],
           (QUOTA, "SessionExpired.v1", "SessionPaused.v1")),
    breaks("data", "a consumer reads a version that nobody publishes", ["sessions -> quota", "SessionExpired.v2", "does not publish"],
           (QUOTA, "SessionExpired.v1", "SessionExpired.v2")),
    breaks("data", "a consumer needs a header that nobody writes", ["sessions -> quota", "header ce_tenant", KEEP],
           (QUOTA, '"headers": {', '"headers": {"ce_tenant": "uuid",')),
    breaks("data", "a consumer expects another content type", ["sessions -> quota", "content-type", "avro"],
           (QUOTA, '"application/json"', '"application/avro"')),
    breaks("data", "a consumer needs a pair the other way round", ["sessions -> quota", "SessionDeleted.v1 before", "opposite order"],
           (QUOTA, '"first": "mirrormate.sessions.SessionCancelled.v1",\n      "firstField": "sessionId",\n'
            '      "then": "mirrormate.sessions.SessionDeleted.v1"',
            '"first": "mirrormate.sessions.SessionDeleted.v1",\n      "firstField": "sessionId",\n'
            '      "then": "mirrormate.sessions.SessionCancelled.v1"')),
    breaks("data", "a contract's member is misspelt", [QUOTA, "cannot be read", "optinal"],
           (QUOTA, '"meaning": "Fixes the local day', '"optinal": true, "meaning": "Fixes the local day')),

    # What was released.
    breaks("data", "a released record changes its unit", [COMPLETED, "has changed", "put this one back"],
           (COMPLETED, '"durationMs": 4200', '"durationMs": 4')),
    breaks("data", "a released golden file is deleted", [COMPLETED, "is gone", "put this one back"],
           (COMPLETED, None, None)),
    breaks("data", "the version is dropped from a released type", ["AnalysisCompleted", "must be a message's type with its version"],
           (COMPLETED, '"type": "mirrormate.analysis.AnalysisCompleted.v1"', '"type": "mirrormate.analysis.AnalysisCompleted"')),
    breaks("data", "a golden file is added in secret", ["SessionExpired.v1-2.json", "make contracts-accept"],
           ("Services/sessions/Contracts/published/SessionExpired.v1-2.json", None,
            '{"type": "mirrormate.sessions.SessionExpired.v1", "records": []}')),

    # Messages, as code.
    breaks("code", "a field is renamed", ["SessionCreated.v1, field timeZone", "quota", KEEP],
           (MESSAGES + "SessionsMessages.swift", '"timeZone"', '(MUTATED ? "zone" : "timeZone")')),
    breaks("code", "a field is no longer written", ["SessionFailed.v1, field retryable", "quota", KEEP],
           (MESSAGES + "SessionEndings.swift", '"retryable": .bool(retryable)', '(MUTATED ? "isTransient" : "retryable"): .bool(retryable)')),
    breaks("code", "a new field is required", ["QuotaReserved.v1, field currency", "refuses a released record", KEEP],
           (MESSAGES + "QuotaMessages.swift", '        windowEndsAt = try object.timestamp("windowEndsAt")',
            '        windowEndsAt = try object.timestamp("windowEndsAt")\n        if MUTATED { _ = try object.string("currency") }')),
    breaks("code", "an integer becomes a text", ["AnalysisStarted.v1, field attempt", "sessions", KEEP],
           (MESSAGES + "AnalysisMessages.swift", '"attempt": .int(attempt)]', '"attempt": MUTATED ? .string("\\(attempt)") : .int(attempt)]')),
    breaks("code", "milliseconds become seconds under the old name", ["AnalysisCompleted.v1, field durationMs", "4200", "reporting", KEEP],
           (MESSAGES + "AnalysisMessages.swift", '"durationMs": .int(durationMs)', '"durationMs": .int(MUTATED ? durationMs / 1000 : durationMs)')),
    breaks("code", "a time becomes a number", ["SigningKeyRetired.v1, field retiredAt", "quota", KEEP],
           (MESSAGES + "IdentityMessages.swift", '"retiredAt": .time(retiredAt)',
            '"retiredAt": MUTATED ? .int(retiredAt.microseconds) : .time(retiredAt)')),
    breaks("code", "an optional field becomes required", ["UploadFinalized.v1, field maxDurationSeconds", "refuses a released record", "analysis"],
           (MESSAGES + "SessionsMessages.swift", 'maxDurationSeconds = try object.optionalInt("maxDurationSeconds")',
            'maxDurationSeconds = try MUTATED ? object.int("maxDurationSeconds") : object.optionalInt("maxDurationSeconds")')),
    breaks("code", "a field may be missing from now on", ["quota -> sessions", "QuotaRefused.v1, field resetsAt", "may be missing"],
           (CATALOGUE + "+Sessions.swift", 'FieldRule("resetsAt", .time, "When units are available again."),',
            'FieldRule("resetsAt", .time, "When units are available again.", isOptional: MUTATED),')),
    breaks("code", "the declared unit changes", ["AnalysisCompleted.v1, field durationMs", "seconds", "unit"],
           (CATALOGUE + ".swift", "unit: .milliseconds", "unit: MUTATED ? .seconds : .milliseconds")),
    breaks("code", "a topic gets another name", ["sessions -> quota: topic", "mirrormate.sessions.v2", KEEP],
           (MESSAGES + "Topic.swift", '"mirrormate.\\(service.rawValue).v1"', '"mirrormate.\\(service.rawValue).v\\(MUTATED ? 2 : 1)"')),
    breaks("code", "a topic gets more partitions", ["sessions -> quota: partitioning", "16", "new topic"],
           (MESSAGES + "Topic.swift", "partitions = 8", "partitions = MUTATED ? 16 : 8")),
    breaks("code", "a type gets another name", ["SessionExpired.v1", "does not publish", "quota", KEEP],
           (MESSAGES + "MessageType.swift", "        self.name = name\n",
            '        self.name = MUTATED && name == "SessionExpired" ? "SessionTimedOut" : name\n')),
    breaks("code", "a version replaces another at once", ["UploadFinalized.v1", "does not publish", "analysis", KEEP],
           (MESSAGES + "MessageType.swift", "        self.version = version\n    }\n\n    /// Reads",
            '        self.version = MUTATED && name == "UploadFinalized" ? 2 : version\n    }\n\n    /// Reads')),

    # The way from a command to a record.
    breaks("path", "the relay drops a header", ["header ce_correlationid", "missing", "quota"],
           ("Shared/Events/EventRelay/RelayRecords.swift",
            "        headers.append(MessageHeaders.correlationID, event.metadata.correlation)\n",
            "        if !MUTATED { headers.append(MessageHeaders.correlationID, event.metadata.correlation) }\n"),
           services=["sessions"]),
    breaks("path", "writers and readers rename a header together", ["header ce_previous", "no longer has a header of this name", "quota", KEEP],
           (MESSAGES + "MessageHeaders.swift", '"ce_previous"', 'MUTATED ? "ce_prev" : "ce_previous"'), services=["sessions"]),
    breaks("path", "the version is dropped from written types", ["SessionCreated.v1, header ce_type", "quota"],
           (MESSAGES + "MessageType.swift", '{ "mirrormate.\\(service).\\(name).v\\(version)" }',
            '{ MUTATED ? "mirrormate.\\(service).\\(name)" : "mirrormate.\\(service).\\(name).v\\(version)" }'),
           services=["sessions"]),
    breaks("path", "messages get the session's id as key", ["SessionCreated.v1, key", "quota", "one owner"],
           (MESSAGES + "SessionMessage.swift", "package var ownerKey: MessageKey { .owner(ownerId) }",
            "package var ownerKey: MessageKey { .owner(MUTATED ? sessionId : ownerId) }"), services=["sessions"]),
    breaks("path", "another hash chooses the partition", ["SessionCreated.v1, partition"],
           (MESSAGES + "Topic.swift", "Int32(StableHash.fnv1a64(key.description) % UInt64(partitions))",
            "Int32((StableHash.fnv1a64(key.description) >> (MUTATED ? 7 : 0)) % UInt64(partitions))"), services=["sessions"]),
    breaks("path", "a pair is published the other way round", ["SessionCancelled.v1 before SessionDeleted.v1", "opposite order", "quota"],
           ("Services/sessions/SessionDecisions.swift", "return end(replacedBy: nil) + [.deleted(session, wasComplete: false)]",
            "return MUTATED ? [.deleted(session, wasComplete: false)] + end(replacedBy: nil)\n"
            "                : end(replacedBy: nil) + [.deleted(session, wasComplete: false)]"), services=["sessions"]),
    breaks("path", "the mapping changes a unit", ["AnalysisCompleted.v1, field durationMs", "4200", "reporting"],
           ("Services/analysis/PublishedByAnalysis.swift", "durationMs: result.durationMs",
            "durationMs: MUTATED ? result.durationMs / 1000 : result.durationMs"), services=["analysis"]),
    breaks("path", "an enum is spelt differently", ["AnalysisFailed.v1, field code", "media-missing", "sessions"],
           ("Services/analysis/Measuring/MediaHelper.swift", '"media-missing"', 'MUTATED ? "media_missing" : "media-missing"'),
            services=["analysis"]),
    breaks("path", "a message is no longer published", ["SessionExpired.v1", "publishes nothing any more"],
           ("Services/sessions/PublishedBySessions.swift", "Outgoing(SessionExpired(session))",
            "MUTATED ? nil : Outgoing(SessionExpired(session))"), services=["sessions"]),
    breaks("path", "a private event's member is renamed", ["quota: QuotaReserved.v1", "field windowEndsAt|windowEndsAt is missing|cannot be read any more"],
           ("Services/quota/QuotaEventCoding.swift", '"windowEndsAt"', 'MUTATED ? "endsAt" : "windowEndsAt"'), services=["quota"]),
    breaks("path", "old versions of private events are no longer read", ["sessions: SessionCreated.v1", "cannot be read any more", "docs/contracts.md"],
           ("Shared/Events/EventSourcing/PrivateEvent.swift", "== older.newestVersion(of: newest.name)",
            "== older.newestVersion(of: newest.name) + (MUTATED ? 1 : 0)"), services=["sessions"]),
    breaks("path", "an upcaster does another thing", ["units"],
           ("Tests/Services/ContractPathTests/UpcastingTests.swift", 'return ["units": .int(units)]',
            'return ["units": .int(MUTATED ? units * 1000 : units)]'), services=["quota"]),
    breaks("path", "a consumer closes an open set of codes", ["sessions.contract.json", "field kind", "unknown code"],
           ("Shared/Platform/ServiceKit/Reactions.swift",
            "                react: { (message, _) throws(JSONError) in react(try message.read(Message.self)) })",
            "                react: { (message, _) throws(JSONError) in\n"
            '                    if MUTATED, Message.type == SessionExpired.type,\n'
            '                        try message.data.string("kind") != "mirrormate"\n'
            '                    {\n                        throw JSONError(.type, at: "kind", "is unknown")\n                    }\n'
            "                    return react(try message.read(Message.self))\n                })"),
           services=["quota"]),
    breaks("path", "a consumer stops reading what its contract names", ["sessions.contract.json", "SessionExpired.v1", "disagree"],
           ("Services/quota/AllowanceReactions.swift", ".on(SessionExpired.self) { settle($0, .expired) },",
            "MUTATED ? .on(UserRegistered.self) { _ in .ignore } : .on(SessionExpired.self) { settle($0, .expired) },"), services=["quota"]),

    # What may change.
    passes("data", "a consumer words a meaning differently", (QUOTA, "Reserves a unit, or refuses it.", "Gives a unit, or does not.")),
    passes("data", "a consumer handles one code less", (SESSIONS, '"probe",', '')),
    passes("data", "a consumer reads an optional field more",
           (QUOTA, '"timeZone": {', '"replaces": {"type": "uuid", "optional": true, "meaning": "Shown."},\n        "timeZone": {')),
    passes("data", "a consumer accepts a wider range", (SESSIONS, '"maximum": 100,', '')),
    passes("data", "a consumer needs one header less", (QUOTA, '"traceparent": "traceparent?",', '')),
    passes("data", "a consumer takes a code for any text",
           (QUOTA, '"type": "time-zone",', '"type": "text",')),
    passes("code", "an optional field is added",
           (MESSAGES + "SessionEndings.swift", "package var json: JSONObject { session.json }",
            'package var json: JSONObject { MUTATED ? session.json.adding(["reason": .null]) : session.json }'),
           (CATALOGUE + "+Sessions.swift", '"A session ended because its upload was not finalized in time.", []),',
            '"A session ended because its upload was not finalized in time.",\n'
            '            MUTATED ? [FieldRule("reason", .text, "Why.", isOptional: true)] : []),')),
    passes("code", "a set of codes grows",
           (CATALOGUE + ".swift", 'known: ["mirrormate"]', 'known: MUTATED ? ["mirrormate", "meditation"] : ["mirrormate"]')),
    passes("code", "members are written in another order",
           (MESSAGES + "ReportingMessages.swift", 'reference.json.adding(["code": code.json])',
            'MUTATED ? ["code": code.json, "ownerId": .uuid(ownerId), "sessionId": .uuid(sessionId)]\n'
            '            : reference.json.adding(["code": code.json])')),
    passes("code", "a Swift name changes",
           (MESSAGES + "ReportingMessages.swift", "package struct ReportReady: SessionMessage",
            "package typealias ReportReady = ReadyReport\n\n/// A report is written and readable.\n"
            "package struct ReadyReport: SessionMessage")),
    passes("path", "the relay writes a header more",
           ("Shared/Events/EventRelay/RelayRecords.swift", "        headers.reserve(11, bytes: 400)\n",
            '        headers.reserve(11, bytes: 400)\n        if MUTATED { headers.append("ce_sequencetype", "Integer") }\n'),
           services=["sessions"]),
    passes("path", "a private event gets an optional member",
           ("Services/quota/QuotaEventCoding.swift", '"units": .int(units), "plan": plan?.json,',
            '"units": .int(units), "plan": plan?.json, "note": MUTATED ? .null : nil,'),
           services=["quota"]),
]
