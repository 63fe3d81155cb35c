package import Contracts
import EventSourcing
package import JSON
package import Primitives

/// A call to a provider that is about to be made, as events of its service have it. No word of what is sent is in it.
package struct ProviderCall: Sendable, Equatable {
    package var scope: ConsentScope
    package var model: String
    /// SHA-256 of what is sent, 64 hexadecimal digits.
    package var requestSHA256: String
    /// What it costs at most, in millionths of the currency.
    package var mostMicros: Int64
    /// ISO 4217.
    package var currency: String
    package var begunAt: Timestamp

    package init(
        scope: ConsentScope, model: String, requestSHA256: String, mostMicros: Int64, currency: String,
        begunAt: Timestamp
    ) {
        self.scope = scope
        self.model = model
        self.requestSHA256 = requestSHA256
        self.mostMicros = mostMicros
        self.currency = currency
        self.begunAt = begunAt
    }
}

/// What a call came to.
package struct ProviderCallOutcome: Sendable, Equatable {
    package var scope: ConsentScope
    /// `answered`, or why there is no answer that can be used.
    package var code: String
    package var durationMs: Int64
    /// How often the request was sent.
    package var attempts: Int64
    /// How long the sound was that was sent; nil where none was.
    package var audioMs: Int64?
    /// What a language model has read and written, as its provider counts; nil where that is not known, or none was asked.
    package var inputTokens: Int64?
    package var outputTokens: Int64?
    /// What is charged, in millionths of the call's currency; where it is not known, what it may be at most.
    package var costMicros: Int64
    /// Where the answer is, when it is stored as a document of its own before anything is made of it.
    package var document: DocumentReference?

    /// There is an answer.
    package static let answered = "answered"

    package init(
        scope: ConsentScope, code: String, durationMs: Int64, attempts: Int64, audioMs: Int64? = nil,
        inputTokens: Int64? = nil, outputTokens: Int64? = nil, costMicros: Int64, document: DocumentReference? = nil
    ) {
        self.scope = scope
        self.code = code
        self.durationMs = durationMs
        self.attempts = attempts
        self.audioMs = audioMs
        self.inputTokens = inputTokens
        self.outputTokens = outputTokens
        self.costMicros = costMicros
        self.document = document
    }
}

/// How they are stored in events.
extension ProviderCall {
    /// - Throws: `JSONError` for a member that is missing or of another type.
    package init(_ object: JSONObject) throws(JSONError) {
        scope = try ConsentScope(object)
        model = try object.string("model")
        requestSHA256 = try object.string("requestSHA256")
        mostMicros = try object.int("mostMicros")
        currency = try object.string("currency")
        begunAt = try object.timestamp("begunAt")
    }

    package var json: JSONObject {
        scope.json.adding([
            "model": .string(model), "requestSHA256": .string(requestSHA256), "mostMicros": .int(mostMicros),
            "currency": .string(currency), "begunAt": .time(begunAt),
        ])
    }
}

extension ProviderCallOutcome {
    /// - Throws: `JSONError` for a member that is missing or of another type.
    package init(_ object: JSONObject) throws(JSONError) {
        scope = try ConsentScope(object)
        code = try object.string("code")
        durationMs = try object.int("durationMs")
        attempts = try object.int("attempts")
        audioMs = try object.optionalInt("audioMs")
        inputTokens = try object.optionalInt("inputTokens")
        outputTokens = try object.optionalInt("outputTokens")
        costMicros = try object.int("costMicros")
        document = try object.optionalObject("document").map(DocumentReference.init)
    }

    package var json: JSONObject {
        scope.json.adding([
            "code": .string(code), "durationMs": .int(durationMs), "attempts": .int(attempts),
            "audioMs": audioMs.map(JSONValue.int), "inputTokens": inputTokens.map(JSONValue.int),
            "outputTokens": outputTokens.map(JSONValue.int), "costMicros": .int(costMicros),
            "document": document.map { .object($0.json) },
        ])
    }
}
