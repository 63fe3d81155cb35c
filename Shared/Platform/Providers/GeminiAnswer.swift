import JSON

extension ModelAnswer {
    private static let limits = JSONLimits(depth: 16, values: 10_000)

    /// Reads an answer of the Gemini API's `generateContent`. What the object itself must hold, the caller checks.
    ///
    /// - Throws: ``AnswerFault`` for anything but one whole JSON object that the model gave.
    init(readingGemini bytes: [UInt8]) throws(AnswerFault) {
        guard let value = try? JSONValue.parse(bytes, limits: Self.limits) else { throw .notJSON }
        guard let answer = value.objectValue else { throw .form }
        if answer["promptFeedback"]?["blockReason"]?.stringValue != nil { throw .withheld }
        guard let candidate = answer["candidates"]?.arrayValue?.first?.objectValue else { throw .form }
        // A model that was stopped may have written nothing at all.
        switch candidate["finishReason"]?.stringValue {
        case "STOP": break
        case "MAX_TOKENS", nil: throw .truncated
        default: throw .withheld
        }
        guard let parts = candidate["content"]?["parts"]?.arrayValue else { throw .form }
        var text = ""
        for part in parts {
            guard let part = part.objectValue else { throw .form }
            // What it thought on the way is no answer.
            if part["thought"]?.boolValue == true { continue }
            guard let said = part["text"] else { continue }
            guard let said = said.stringValue else { throw .form }
            text += said
        }
        object = try Self.object(in: text)
        let usage = answer["usageMetadata"]?.objectValue
        inputTokens = try Self.count(usage?["promptTokenCount"])
        if inputTokens != nil {
            // Numbers that are zero are left out; thoughts are charged as what is written.
            let written = try Self.count(usage?["candidatesTokenCount"]) ?? 0
            outputTokens = try written + (Self.count(usage?["thoughtsTokenCount"]) ?? 0)
        }
    }
}
