import Configuration
import HTTPClient
import JSON
import Primitives

/// The requests of the Gemini API for developers.
///
/// Shapes: `POST /models/{model}:generateContent` of <https://ai.google.dev/api/generate-content>, the resource `File` of
/// <https://ai.google.dev/api/files>, and the types `GenerateContentResponse` and `File` of github.com/googleapis/python-genai, whose client
/// uploads in the same pieces.
enum GeminiProtocol {
    private static let answerLimit = 1 << 20

    static func answer(
        to question: ModelQuestion, by chat: ProviderDeclaration.Chat, _ provider: ProviderDeclaration
    ) -> HTTPClientRequest {
        answer(to: question, about: nil, by: chat, provider)
    }

    /// - Parameter file: what was uploaded before; the question is about it, too.
    static func answer(
        to question: ModelQuestion, about file: GeminiFile?, by chat: ProviderDeclaration.Chat,
        _ provider: ProviderDeclaration
    ) -> HTTPClientRequest {
        // What is seen stands before what is said of it.
        var parts = question.pictures.map { picture -> JSONValue in
            ["inlineData": ["mimeType": "image/jpeg", "data": .string(Base64.encode(picture.jpeg))]]
        }
        parts.append(["text": .string(question.material)])
        if let file {
            parts.insert(
                ["fileData": ["mimeType": .string(file.contentType), "fileUri": .string(file.address)]], at: 0)
        }
        let body: JSONObject = [
            "systemInstruction": ["parts": [["text": .string(question.instructions)]]],
            "contents": [["role": "user", "parts": .array(parts)]],
            "generationConfig": [
                "responseMimeType": "application/json", "responseJsonSchema": .object(question.schema),
                "maxOutputTokens": .int(chat.mostOutputTokens),
            ],
        ]
        return request(
            "POST", provider.url + "/models/\(chat.model):generateContent", provider,
            json: JSONValue.object(body).bytes)
    }

    // MARK: Files

    /// Begins to upload a file under a name of our own; the answer's head says where its bytes go.
    static func start(_ file: LentFile, _ provider: ProviderDeclaration) -> HTTPClientRequest {
        let origin = origin(of: provider)
        let url = origin + "/upload" + provider.url.dropFirst(origin.count) + "/files"
        let body: JSONObject = ["file": ["name": .string(name(of: file.name))]]
        var request = request("POST", url, provider, json: JSONValue.object(body).bytes)
        request.headers += [
            ("X-Goog-Upload-Protocol", "resumable"), ("X-Goog-Upload-Command", "start"),
            ("X-Goog-Upload-Header-Content-Length", "\(file.size)"),
            ("X-Goog-Upload-Header-Content-Type", file.contentType),
        ]
        return request
    }

    /// Sends the bytes from a place on; the last ones complete the file.
    static func upload(
        _ bytes: [UInt8], from offset: Int64, isLast: Bool, to address: String, _ provider: ProviderDeclaration
    ) -> HTTPClientRequest {
        var request = request("POST", address, provider)
        request.headers += [
            ("X-Goog-Upload-Command", isLast ? "upload, finalize" : "upload"), ("X-Goog-Upload-Offset", "\(offset)"),
        ]
        request.body = .bytes(bytes)
        return request
    }

    /// Asks how much of a file has come.
    static func query(_ address: String, _ provider: ProviderDeclaration) -> HTTPClientRequest {
        var request = request("POST", address, provider)
        request.headers.append(("X-Goog-Upload-Command", "query"))
        request.body = .bytes([])
        return request
    }

    static func look(at name: UUID, _ provider: ProviderDeclaration) -> HTTPClientRequest {
        request("GET", "\(provider.url)/\(self.name(of: name))", provider)
    }

    static func delete(_ name: UUID, _ provider: ProviderDeclaration) -> HTTPClientRequest {
        request("DELETE", "\(provider.url)/\(self.name(of: name))", provider)
    }

    /// Asks for one file of all that the key reaches.
    static func list(_ provider: ProviderDeclaration) -> HTTPClientRequest {
        request("GET", "\(provider.url)/files?pageSize=1", provider)
    }

    /// By this the API knows a file: up to 40 lower-case letters, digits and hyphens.
    static func name(of file: UUID) -> String { "files/\(file)" }

    /// How many tokens a recording can be: 258 for the one frame of a second and 32 for its sound
    /// (<https://ai.google.dev/gemini-api/docs/tokens>), and some for what stands between them.
    static func mostTokens(of file: LentFile) -> Int64 { (max(file.milliseconds, 0) / 1_000 + 2) * 300 }

    /// Scheme, host and port of a provider's URL.
    private static func origin(of provider: ProviderDeclaration) -> String {
        let host = provider.url.firstRange(of: "://")?.upperBound ?? provider.url.startIndex
        return String(provider.url[..<(provider.url[host...].firstIndex(of: "/") ?? provider.url.endIndex)])
    }

    /// Where the bytes of an upload go: to the path that the provider names, but to no other host than that which its operator has named.
    static func address(_ text: String, at provider: ProviderDeclaration) -> String? {
        guard text.utf8.count <= 4_096, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            let parts = text.wholeMatch(of: #/https?:\/\/[^\/?#]+(\/[^#]*)/#)
        else { return nil }
        return origin(of: provider) + parts.1
    }

    private static func request(
        _ method: String, _ url: String, _ provider: ProviderDeclaration, json body: [UInt8]? = nil
    ) -> HTTPClientRequest {
        var headers = [(name: "Accept", value: "application/json")]
        if let key = provider.key { headers.append(("x-goog-api-key", key.reveal())) }
        var request = HTTPClientRequest(method, url, headers: headers)
        if let body {
            request.headers.append(("Content-Type", "application/json"))
            request.body = .bytes(body)
        }
        request.responseLimit = answerLimit
        // Whether it is sent again is decided by what it may have cost.
        request.isSentOnce = true
        return request
    }
}
