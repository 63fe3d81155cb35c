import JSON

/// What a service of Google says of an error besides its status: `google.rpc.Status` in JSON, see <https://google.aip.dev/193>.
struct GoogleError: Equatable {
    /// The key is not one that it knows, which it calls a bad request (400).
    var isOfKey = false
    /// How long it wants to be left alone; it sends no `Retry-After`.
    var pause: Duration?

}

extension GoogleError {
    /// The longest pause that is believed.
    private static let most: Int64 = 86_400

    /// What an answer says of that; nothing for one that has another form.
    init(reading body: [UInt8]) {
        let details = (try? JSONValue.parse(body, limits: .foreign))?["error"]?["details"]?.arrayValue ?? []
        for detail in details {
            switch detail["@type"]?.stringValue {
            case "type.googleapis.com/google.rpc.ErrorInfo":
                if detail["reason"]?.stringValue == "API_KEY_INVALID" { isOfKey = true }
            case "type.googleapis.com/google.rpc.RetryInfo":
                pause = detail["retryDelay"]?.stringValue.flatMap(Self.duration)
            default: break
            }
        }
    }

    /// Seconds as `google.protobuf.Duration` writes them, such as `34.074824224s`; a part of a second counts as a whole one.
    private static func duration(_ text: String) -> Duration? {
        guard let parts = text.wholeMatch(of: #/(\d{1,9})(\.\d{1,9})?s/#), let seconds = Int64(parts.1) else {
            return nil
        }
        return .seconds(min(parts.2 == nil ? seconds : seconds + 1, most))
    }
}
