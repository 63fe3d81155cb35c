import JSON
import Primitives

/// A file that the Gemini API has, as it says itself.
struct GeminiFile: Equatable {
    enum State: Equatable { case processing, active, failed }

    /// By this questions name it.
    var address: String
    var contentType: String
    var state: State

    /// Reads the resource `File`.
    ///
    /// - Parameter name: what it was named here.
    /// - Throws: ``AnswerFault`` for one that is not it.
    init(_ value: JSONValue?, named name: UUID) throws(AnswerFault) {
        guard let file = value?.objectValue, file["name"]?.stringValue == GeminiProtocol.name(of: name),
            let address = file["uri"]?.stringValue, (1...2_000).contains(address.utf8.count),
            let contentType = file["mimeType"]?.stringValue, (1...100).contains(contentType.utf8.count)
        else { throw .form }
        self.address = address
        self.contentType = contentType
        switch file["state"]?.stringValue {
        case "ACTIVE": state = .active
        case "FAILED": state = .failed
        case "PROCESSING", "STATE_UNSPECIFIED", nil: state = .processing
        default: throw .form
        }
    }
}
