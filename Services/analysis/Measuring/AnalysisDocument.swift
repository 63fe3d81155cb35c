package import Contracts
import Crypto
package import JSON
import Primitives

/// What an attempt hands in: a ``MeasurementDocument`` with the helper's findings, as bytes.
package struct AnalysisDocument: Sendable {
    /// The document itself.
    package let bytes: [UInt8]
    /// Why nobody should get it: the recording cannot be used at all; nil when it can.
    package let unusable: FailureCode?
    /// Names and versions of the engines, by task.
    package let engines: [String: String]

    /// - Parameters:
    ///   - measured: the helper's document.
    ///   - brief: what the client said of the recording.
    /// - Throws: which member of the helper's document is missing or malformed.
    package init(_ measured: JSONObject, brief: RecordingBrief = RecordingBrief()) throws(JSONError) {
        let document = try MeasurementDocument(measured, brief: brief)
        bytes = JSONValue.object(document.json).bytes
        unusable = document.measurements.unusable
        var engines: [String: String] = [:]
        // They become part of an event, so names must be short and few.
        for (task, name) in document.measurements.engines.members.prefix(16) {
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
