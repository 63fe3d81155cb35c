import HTTPServer
import JSON
import Primitives
package import Runtime
package import ServiceKit

/// What operators see of providers, and how they try one.
///
/// | Route (admin port) | What it does |
/// |---|---|
/// | `GET /operator/providers` | each provider with its models, what this instance has seen of them since it began, and the limits of a day |
/// | `POST /operator/providers/{name}/try` | sends each model of one a small call: a second of silence, a question, a gray square, a gray square that is uploaded and deleted, a few words, or a look for a voice that is not there; nothing of anybody |
@Loop package struct ProviderOperators {
    private let providers: [Provider]
    private let budget: Budget

    package init(_ providers: [Provider], _ budget: Budget) {
        self.providers = providers
        self.budget = budget
    }

    package func add(to routes: OperatorRoutes) {
        routes.on("GET", "/operator/providers") { _ in
            .json([
                "providers": .array(providers.map(Self.json)),
                "limits": [
                    "ownerDayMicros": .optional(budget.ownerDayMicros), "dayMicros": .optional(budget.dayMicros),
                ],
            ])
        }
        routes.on("POST", "/operator/providers/{name}/try") { request in
            guard let provider = providers.first(where: { $0.declaration.name == request.parameters["name"] }) else {
                throw Problem(.notFound, detail: "PROVIDERS_FILE names no provider of this name.")
            }
            return .json(.object(try await Self.attempt(provider)))
        }
    }

    // MARK: What is there

    private static func json(_ provider: Provider) -> JSONValue {
        let declaration = provider.declaration
        let models = declaration.models.map { json(provider, $0.use, $0.model.model) }
        return [
            "name": .string(declaration.name), "protocol": .string(declaration.speech.rawValue),
            "url": .string(declaration.url), "hasKey": .bool(declaration.key != nil), "off": .bool(declaration.isOff),
            "outside": .bool(declaration.isOutside), "currency": .string(declaration.currency),
            "models": .array(models),
        ]
    }

    private static func json(_ provider: Provider, _ use: ProviderUse, _ model: String) -> JSONValue {
        let figures = provider.figures(of: model)
        let circuit: (String, Timestamp?) =
            switch provider.verdict(of: model, at: .now()) {
            case .pass: ("closed", nil)
            case .trial: ("half-open", nil)
            case .refuse(let until): ("open", until)
            }
        return [
            "purpose": .string(use.rawValue), "model": .string(model),
            "priced": .bool(provider.declaration.hasPrice(for: use)), "circuit": .string(circuit.0),
            "openUntil": .optional(circuit.1), "calls": .int(figures.calls), "answered": .int(figures.answered),
            "costMicros": .int(figures.costMicros),
            "lastFailure": figures.lastFailure.map {
                ["code": .string($0.failure.code), "at": .time($0.at), "advice": .string($0.failure.advice)]
            } ?? .null,
        ]
    }

    // MARK: One small call

    private static func attempt(_ provider: Provider) async throws -> JSONObject {
        var tried: [JSONValue] = []
        if let model = provider.declaration.transcription {
            let outcome = try await provider.transcribe(SilentSound.second, with: model)
            tried.append(json("transcription", model.model, outcome))
        }
        if let model = provider.declaration.chat {
            let question = ModelQuestion(
                instructions: "Answer with the sum.", material: "1 + 1", schemaName: "sum",
                schema: [
                    "type": "object", "properties": ["sum": ["type": "integer"]], "required": ["sum"],
                    "additionalProperties": false,
                ])
            tried.append(json("chat", model.model, try await provider.answer(question, with: model)))
        }
        if let model = provider.declaration.vision {
            tried.append(json("vision", model.model, try await provider.answer(GrayPicture.question, with: model)))
        }
        if let model = provider.declaration.emotions {
            tried.append(
                json("emotions", model.model, try await provider.answer(GrayPicture.question, with: model.vision)))
        }
        if let model = provider.declaration.video {
            let lending = try await provider.answer(GrayPicture.asking(), about: GrayPicture.file(), with: model)
            tried.append(json("video", model.model, lending.outcome))
        }
        if let model = provider.declaration.spoken {
            let outcome = try await provider.speak(SpeechText("Good morning."), with: model)
            tried.append(json("speech", model.model, outcome))
        }
        if let model = provider.declaration.moderation {
            tried.append(
                json("moderation", model.model, try await provider.moderate(["Good morning."], with: model)))
        }
        if let model = provider.declaration.voices {
            // No voice is made for a try: whether the key reaches voices is seen without.
            tried.append(json("voices", model.model, try await provider.voices(named: .v7(), with: model)))
        }
        return [
            "name": .string(provider.declaration.name), "currency": .string(provider.declaration.currency),
            "tried": .array(tried),
        ]
    }

    private static func json<Answer>(
        _ purpose: String, _ model: String, _ outcome: Provider.Outcome<Answer>
    ) -> JSONValue {
        var failure: ProviderFailure?
        if case .failure(let found) = outcome.result { failure = found }
        return [
            "purpose": .string(purpose), "model": .string(model), "code": .string(failure?.code ?? "answered"),
            "advice": failure.map { .string($0.advice) } ?? .null, "durationMs": .int(outcome.took.milliseconds),
            "attempts": .int(Int64(outcome.attempts)), "costMicros": .int(outcome.costMicros),
        ]
    }
}

/// A second of silence, for trying a provider with nothing of anybody.
package enum SilentSound {
    package static let second: ProviderAudio = {
        let (rate, bytes) = (16_000, 32_000)
        func little(_ number: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(number >> (8 * $0) & 0xFF) } }
        let format = little(16, 4) + little(1, 2) + little(1, 2) + little(rate, 4) + little(rate * 2, 4)
        let head = Array("RIFF".utf8) + little(36 + bytes, 4) + Array("WAVEfmt ".utf8) + format + little(2, 2)
        let wave = head + little(16, 2) + Array("data".utf8) + little(bytes, 4) + [UInt8](repeating: 0, count: bytes)
        return ProviderAudio(bytes: wave, contentType: "audio/wav", fileName: "audio.wav", milliseconds: 1_000)
    }()
}

/// A gray square, for trying a provider with nothing of anybody.
private enum GrayPicture {
    static let question = asking(picture)

    /// - Parameter pictures: that go with the question; none where it is about a file.
    static func asking(_ pictures: ProviderPicture...) -> ModelQuestion {
        ModelQuestion(
            instructions: "Answer whether there is a person in the picture.", material: "One picture.",
            pictures: pictures, schemaName: "person",
            schema: [
                "type": "object", "properties": ["person": ["type": "boolean"]], "required": ["person"],
                "additionalProperties": false,
            ])
    }

    /// The same as a file, under a name of its own each time.
    static func file() -> LentFile {
        let bytes = picture.jpeg
        return LentFile(name: .v7(), contentType: "image/jpeg", size: Int64(bytes.count), milliseconds: 1_000) {
            (from, count) in Array(bytes[Int(from)..<Int(from) + count])
        }
    }

    /// A JPEG of 64 by 64 pixels, all gray.
    private static let picture = ProviderPicture(
        jpeg: Base64.decode(
            """
            /9j/4AAQSkZJRgABAgAAAQABAAD/2wBDAAg+Pkk+SVVVVVVVVWRdZGhoaGRkZGRoaGhwcHCDg4NwcHBoaHBwfHyDg4+Tj4eHg4eT\
            k5ubm7q6srLZ2eD/////xABKAAEAAAAAAAAAAAAAAAAAAAAAAQEAAAAAAAAAAAAAAAAAAAAAEAEAAAAAAAAAAAAAAAAAAAAAEQEA\
            AAAAAAAAAAAAAAAAAAAA/8AAEQgAQABAAwEiAAIRAAMRAP/aAAwDAQACEQMRAD8AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA/9k=
            """) ?? [])
}
