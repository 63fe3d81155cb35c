package import HTTPServer
package import JSON
package import Primitives

/// What values look like on the compatible surface.
package enum CompatibleValue {
    /// A moment: UTC, with a `T` and always a fraction, without which the app cannot read it.
    package static func time(_ moment: Timestamp) -> JSONValue { .string(moment.rfc3339) }

    /// A moment, or null.
    package static func time(_ moment: Timestamp?) -> JSONValue { moment.map { time($0) } ?? .null }

    /// A moment as clients write it: RFC 3339, or with a space for the `T`, an offset of hours alone, no offset (UTC), or a day alone;
    /// nil for anything else.
    package static func moment(_ text: String) -> Timestamp? {
        if let moment = Timestamp(rfc3339: text) { return moment }
        guard let match = text.wholeMatch(of: #/(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d:\d\d(?:\.\d+)?) ?(.*))?/#) else {
            return nil
        }
        let offset: Substring? =
            switch match.3 ?? "" {
            case "", "Z", "z": "Z"
            case let text where text.wholeMatch(of: #/[+-]\d\d/#) != nil: text + ":00"
            case let text where text.wholeMatch(of: #/[+-]\d{4}/#) != nil:
                text.prefix(3) + ":" + text.suffix(2)
            case let text where text.wholeMatch(of: #/[+-]\d\d:\d\d/#) != nil: text
            default: nil
            }
        guard let offset else { return nil }
        return Timestamp(rfc3339: "\(match.1)T\(match.2 ?? "00:00:00")\(offset)")
    }

    /// A UUID in either case; nil for anything else. It is written in lower case.
    package static func uuid(_ text: String) -> UUID? { UUID(text) }
}

extension Request {
    /// The body as a JSON object without the members that are null, which count as absent; an empty body is an object without members,
    /// and whatever media type is announced, it is JSON.
    ///
    /// - Throws: ``CompatibleError`` 400 for what is no JSON object, with the code of the prefix; a problem 413.
    package func compatibleObject(
        limitBytes: Int = 65_536, orElse code: String = "bad_json"
    ) async throws -> JSONObject {
        let bytes = try await body.collect(limit: limitBytes)
        if bytes.isEmpty { return [:] }
        guard let object = try? JSONObject.parse(bytes, limits: .foreign) else {
            throw CompatibleError(400, code, "Could not parse request body as JSON: send one object.")
        }
        return JSONObject(object.members.filter { !$0.value.isNull }.map { ($0.key, $0.value) })
    }
}
