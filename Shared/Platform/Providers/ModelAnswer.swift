package import JSON

/// What a language model answered that was asked for one JSON object: a stranger's words.
package struct ModelAnswer: Sendable, Equatable {
    package var object: JSONObject
    /// What the provider counted; nil when it does not say.
    package var inputTokens: Int64?
    package var outputTokens: Int64?

    package init(object: JSONObject, inputTokens: Int64? = nil, outputTokens: Int64? = nil) {
        self.object = object
        self.inputTokens = inputTokens
        self.outputTokens = outputTokens
    }
}

extension ModelAnswer {
    private static let limits = JSONLimits(depth: 16, values: 10_000)

    /// Reads an answer of the OpenAI API's chat completions. What the object itself must hold, the caller checks.
    ///
    /// - Throws: ``AnswerFault`` for anything but one whole JSON object that the model gave.
    package init(reading bytes: [UInt8]) throws(AnswerFault) {
        guard let value = try? JSONValue.parse(bytes, limits: Self.limits) else { throw .notJSON }
        guard let object = value.objectValue, let choice = object["choices"]?.arrayValue?.first?.objectValue,
            let message = choice["message"]?.objectValue
        else { throw .form }
        switch choice["finish_reason"]?.stringValue {
        case "length": throw .truncated
        case "content_filter": throw .withheld
        default: break
        }
        if let refusal = message["refusal"]?.stringValue, !refusal.isEmpty { throw .withheld }
        guard let text = message["content"]?.stringValue else { throw .form }
        self.object = try Self.object(in: text)
        let usage = object["usage"]?.objectValue
        inputTokens = try Self.count(usage?["prompt_tokens"])
        outputTokens = try Self.count(usage?["completion_tokens"])
    }

    /// The one JSON object that a text is, perhaps within a fence of Markdown, as models like to write it. Nothing may stand around it.
    ///
    /// - Throws: ``AnswerFault``: `notJSON`, `truncated` for what looks like the beginning of one, `form` for another value.
    package static func object(in text: String) throws(AnswerFault) -> JSONObject {
        var body = Substring(text).trimmed
        if body.hasPrefix("```") {
            guard body.count > 6, body.hasSuffix("```"), let line = body.firstIndex(where: \.isNewline) else {
                throw body.hasSuffix("```") ? .notJSON : .truncated
            }
            let name = body[..<line].dropFirst(3).trimmed
            guard name.isEmpty || name.lowercased() == "json" else { throw .notJSON }
            body = body[line...].dropLast(3).trimmed
        }
        guard let value = try? JSONValue.parse(Array(body.utf8), limits: limits) else {
            throw body.hasPrefix("{") && !body.hasSuffix("}") ? .truncated : .notJSON
        }
        guard let object = value.objectValue else { throw .form }
        return object
    }

    /// A count of tokens; nil where there is none.
    static func count(_ value: JSONValue?) throws(AnswerFault) -> Int64? {
        guard let value, value != .null else { return nil }
        guard let count = value.intValue else { throw .form }
        guard (0...1_000_000_000).contains(count) else { throw .range }
        return count
    }
}
