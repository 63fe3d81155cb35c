package import Contracts
import Crypto
package import JSON
package import Primitives

/// The document that an analysis produces: the report and the figures it is based on.
///
/// `{"report": …, "measured": …}`; `measured` is the helper's document without the transcript, which is in the report. It
/// names the engines and the version of the thresholds; the report names the version of the rules.
package struct ReportDocument: Sendable {
    /// The document itself.
    package let bytes: [UInt8]
    /// Why nobody should get it: the recording cannot be used at all; nil when it can.
    package let unusable: FailureCode?
    /// Names and versions of the engines, by task.
    package let engines: [String: String]

    /// - Parameter brief: what the client said of the recording.
    /// - Throws: which member of the helper's document is missing or malformed.
    package init(
        sessionId: UUID, createdAt: Timestamp, measured: JSONObject, brief: RecordingBrief = RecordingBrief()
    ) throws(JSONError) {
        var findings = try Findings(measured)
        unusable = findings.unusable
        if !brief.isEnglish { findings.leaveOutWords() }
        var report = ReportBuilder.report(
            sessionId: sessionId, createdAt: createdAt, findings, scenario: Scenario(brief.scenario))
        report["spokenLanguage"] = .optional(brief.language)
        var rest = measured
        rest["transcript"] = nil
        bytes = JSONValue.object(["report": .object(report), "measured": .object(rest)]).bytes
        var engines: [String: String] = [:]
        // They become part of an event, so names must be short and few.
        for (task, name) in (measured["engines"]?.objectValue?.members ?? []).prefix(16) {
            let text = name.stringValue ?? name.intValue.map(String.init) ?? ""
            if !text.isEmpty, text.utf8.count <= 64 { engines[task] = text }
        }
        self.engines = engines
    }

    /// The reference to the document in events, for its key in the object store.
    package func reference(_ key: String) -> DocumentReference {
        DocumentReference(key: key, sha256: Hex.encode(SHA256.digest(bytes)), sizeBytes: Int64(bytes.count))
    }
}
