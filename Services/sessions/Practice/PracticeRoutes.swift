import HTTPServer
import JSON
import Primitives
import Runtime
import ServiceKit

/// What clients do with logged sessions.
@Loop struct PracticeRoutes {
    private let context: ServiceContext
    private let practice: PracticeLog

    init(_ context: ServiceContext, _ practice: PracticeLog) {
        self.context = context
        self.practice = practice
    }

    func add(to router: Router) {
        let callers = CallerRoutes(router, context.tokens)
        callers.on("POST", "/v1/practice/sessions", log)
        callers.on("POST", "/v1/practice/sessions/batch", logMany)
        callers.on("GET", "/v1/practice/sessions", list)
        callers.on("GET", "/v1/practice/sessions/{id}", read)
        callers.on("PUT", "/v1/practice/sessions/{id}", correct)
        callers.on("DELETE", "/v1/practice/sessions/{id}", delete)
        callers.on("GET", "/v1/practice/export", export)
    }

    // MARK: Telling

    private func log(_ request: Request, _ caller: Caller) async throws -> Response {
        let telling = try practice.telling(try await request.jsonObject(), at: .now())
        let row = try await practice.log(telling, caller, request)
        return .json(row.json, status: 201, headers: ["Location": "/v1/practice/sessions/\(row.id)"])
    }

    /// Sessions that were kept while there was no network: each is judged alone.
    private func logMany(_ request: Request, _ caller: Caller) async throws -> Response {
        let list = try await PracticeBatch.read(request)
        let verdicts = try await PracticeBatch.each(of: list, at: .now()) { element, now in
            try await verdict(element, caller, request, at: now)
        }
        return .json(["verdicts": .array(verdicts)])
    }

    /// What becomes of one session of a batch.
    ///
    /// - Throws: what concerns the whole batch, such as a database that is down: the client repeats it.
    private func verdict(
        _ element: JSONValue, _ caller: Caller, _ request: Request, at now: Timestamp
    ) async throws -> JSONValue {
        let id = element["id"]?.stringValue
        do {
            guard let body = element.objectValue else {
                throw JSONError(.type, at: "sessions", "must be an array of objects")
            }
            let row = try await practice.log(practice.telling(body, at: now), caller, request)
            return ["id": .optional(id), "status": 201, "session": row.json]
        } catch {
            guard let problem = PracticeBatch.refusal(error) else { throw error }
            return ["id": .optional(id), "status": .int(Int64(problem.status)), "problem": problem.json()]
        }
    }

    // MARK: Changing

    private func correct(_ request: Request, _ caller: Caller) async throws -> Response {
        let id = try request.id("id")
        let telling = try practice.telling(try await request.jsonObject(), at: .now())
        return .json(try await practice.correct(id, telling, caller, request).json)
    }

    private func delete(_ request: Request, _ caller: Caller) async throws -> Response {
        try await practice.delete(request.id("id"), caller, request)
        return .noContent
    }

    // MARK: Reading

    private func read(_ request: Request, _ caller: Caller) async throws -> Response {
        let row = try await practice.row(request.id("id"), caller)
        return .tagged("\"\(row.updatedAt.microseconds)\"", request) { .json(row.json, headers: $0) }
    }

    private func list(_ request: Request, _ caller: Caller) async throws -> Response {
        try await practice.page(request, caller, as: "items") { $0.json }
    }

    /// All of the caller's sessions, the oldest first, read page by page as the client takes them.
    private func export(_ request: Request, _ caller: Caller) async throws -> Response {
        let format = request.query("format") ?? "json"
        guard let form = PracticeExport(rawValue: format) else {
            throw Problem.invalidRequest("The format must be json or csv.")
        }
        // The first page before anything is answered, so that a database that is away is a problem and not half a file.
        let first = try await practice.rows(of: caller, after: nil)
        var response = Response.stream(contentType: form.contentType) { writer in
            try await writer.write(form.beginning)
            var rows = first
            var isFirst = true
            while let last = rows.last {
                var text = ""
                for row in rows {
                    text += form.line(row, isFirst: isFirst)
                    isFirst = false
                }
                try await writer.write(text)
                rows = try await practice.rows(of: caller, after: last)
            }
            try await writer.write(form.end)
        }
        response.headers["Content-Disposition"] = "attachment; filename=\"practice.\(form.rawValue)\""
        return response
    }
}
