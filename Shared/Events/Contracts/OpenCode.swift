package import JSON

/// A code of a set that may grow: readers keep values that they do not know, and treat them as "something else".
package protocol OpenCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible where RawValue == String {
    init(rawValue: String)
}

extension OpenCode {
    package var description: String { rawValue }
    /// The code as a JSON string.
    package var json: JSONValue { .string(rawValue) }
}

extension JSONObject {
    /// A code, known or not.
    ///
    /// - Throws: `JSONError` of code `missing` if the member is missing or null, `type` if it is not a string.
    package func code<Code: OpenCode>(_ key: String, as _: Code.Type = Code.self) throws(JSONError) -> Code {
        Code(rawValue: try string(key))
    }

    /// A code; nil if the member is missing or null.
    ///
    /// - Throws: `JSONError` of code `type` if it is not a string.
    package func optionalCode<Code: OpenCode>(
        _ key: String, as _: Code.Type = Code.self
    ) throws(JSONError) -> Code? {
        guard let text = try optionalString(key) else { return nil }
        return Code(rawValue: text)
    }
}
