import Contracts
import HTTPServer
import JSON
import Postgres
import Primitives
import Runtime
import ServiceKit

/// Logged sessions as the practice timer's own client tells and reads them (`docs/practice.md`, "The app's own routes"): the native
/// routes in other words.
///
/// | Route | Answer |
/// |---|---|
/// | `POST /api/sessions` | logs one session, or up to 500 with a verdict for each |
/// | `GET /api/sessions` | the caller's, newest first |
/// | `PUT`, `DELETE /api/sessions/{id}` | corrects or deletes one |
@Loop struct AppPracticeRoutes {
    private let context: ServiceContext
    private let practice: PracticeLog

    init(_ context: ServiceContext, _ practice: PracticeLog) {
        self.context = context
        self.practice = practice
    }

    func add(to router: Router) {
        let routes = AppRoutes(router, context, .practice, refusals: SessionsService.problem(of:))
        routes.on("POST", "/api/sessions", orElse: "Failed to save session", save)
        routes.on("GET", "/api/sessions", orElse: "Failed to read sessions", list)
        routes.on("PUT", "/api/sessions/{id}", orElse: "Failed to save session", correct)
        routes.on("DELETE", "/api/sessions/{id}", orElse: "Failed to delete session", delete)
    }

    private func save(_ request: Request, _ caller: Caller) async throws -> Response {
        let body = try await request.jsonObject(limitBytes: PracticeBatch.limitBytes, PracticeBatch.limits)
        guard let list = body["sessions"] else {
            let row = try await practice.log(telling(body, caller, at: .now()), caller, request)
            return .json(Self.saved(row), status: 201)
        }
        guard let list = list.arrayValue, (1...PracticeBatch.most).contains(list.count) else {
            throw Problem.invalidRequest("Invalid session data: sessions must be 1 to \(PracticeBatch.most).")
        }
        let verdicts = try await PracticeBatch.each(of: list, at: .now()) { element, now in
            try await verdict(element, caller, request, at: now)
        }
        return .json(["results": .array(verdicts)])
    }

    private func verdict(
        _ element: JSONValue, _ caller: Caller, _ request: Request, at now: Timestamp
    ) async throws -> JSONValue {
        do {
            let telling = try telling(element.objectValue ?? [:], caller, at: now)
            return .object(
                try await (["status": 201] as JSONObject).adding(
                    membersOf: Self.saved(practice.log(telling, caller, request)).objectValue ?? [:]))
        } catch {
            guard let problem = PracticeBatch.refusal(error) else { throw error }
            return [
                "status": .int(Int64(problem.status)), "id": .optional(element["id"]?.stringValue),
                "error": .string(problem.detail), "code": .string(problem.code.description),
            ]
        }
    }

    private func correct(_ request: Request, _ caller: Caller) async throws -> Response {
        let id = try request.id("id")
        let body = try await request.jsonObject().adding(["id": .uuid(id)])
        let row = try await practice.correct(id, telling(body, caller, at: .now()), caller, request)
        return .json(Self.saved(row))
    }

    private func delete(_ request: Request, _ caller: Caller) async throws -> Response {
        try await practice.delete(request.id("id"), caller, request)
        return .json(["message": "Session deleted successfully"])
    }

    private func list(_ request: Request, _ caller: Caller) async throws -> Response {
        try await practice.page(request, caller, as: "sessions", Self.form)
    }

    // MARK: Form

    private static func saved(_ row: PracticeRow) -> JSONValue {
        ["sessionId": .uuid(row.id), "message": "Session saved successfully"]
    }

    /// A session as the original's table has it, with what is known beyond.
    private static func form(_ row: PracticeRow) -> JSONValue {
        let time = row.practice.time
        return [
            "session_id": .uuid(row.id), "session_start_time": .time(time.startedAt),
            "session_end_time": .time(time.endedAt), "duration_seconds": .int(time.activeSeconds),
            "pauses": .array(
                row.practice.pauses.map { ["start_time": .time($0.startedAt), "end_time": .time($0.endedAt)] }),
            "time_zone": .string(time.timeZone), "local_date": .string(time.day.description),
            "created_at": .time(row.loggedAt), "updated_at": .time(row.updatedAt),
        ]
    }

    /// What the client tells, in the native form.
    ///
    /// - Throws: a problem 400 in the client's words and names, or as `PracticeTelling.init`.
    private func telling(_ body: JSONObject, _ caller: Caller, at now: Timestamp) throws -> PracticeTelling {
        guard let start = try Self.time(body, "session_start_time") else {
            throw Problem.invalidRequest(
                "Invalid session data: session_start_time is required and must be a valid ISO string.")
        }
        guard let seconds = body["duration_seconds"].flatMap(Self.seconds), seconds > 0 else {
            throw Problem.invalidRequest(
                "Invalid session data: duration_seconds is required and must be a positive number.")
        }
        let pauses = try Self.pauses(body["pauses"])
        let paused = pauses.reduce(Duration.zero) { $0 + ($1.endedAt - $1.startedAt) }
        let end = try Self.time(body, "session_end_time") ?? start + .seconds(seconds) + paused
        // Told again by a client without ids of its own, it is the same session, wherever the client is by now.
        let ownID = try body.optionalUUID("id")
        let id = ownID ?? UUID.v5(namespace: caller.user, name: "practice \(start) \(seconds)")
        let native: JSONObject = [
            "id": .uuid(id), "kind": SessionKind.meditation.json, "startedAt": .time(start), "endedAt": .time(end),
            "activeSeconds": .int(seconds),
            "pauses": .array(pauses.map { ["startedAt": .time($0.startedAt), "endedAt": .time($0.endedAt)] }),
            "timeZone": .optional(try body.optionalString("time_zone")),
        ]
        do {
            var telling = try practice.telling(native, at: now)
            telling.isZoneTold = telling.isZoneTold && ownID != nil
            return telling
        } catch let problem as Problem where problem.code == .invalidRequest {
            throw Problem.invalidRequest("Invalid session data: \(Self.inItsNames(problem.detail))")
        }
    }

    /// A sentence about native members with the client's names for them.
    private static func inItsNames(_ text: String) -> String {
        text.replacing("activeSeconds", with: "duration_seconds").replacing("startedAt", with: "session_start_time")
            .replacing("endedAt", with: "session_end_time")
    }

    /// Whole seconds, also written as `60.0`; nil for anything else.
    private static func seconds(_ value: JSONValue) -> Int64? {
        value.intValue ?? value.doubleValue.flatMap { Int64(exactly: $0) }
    }

    /// A time as the client's languages write it; nil without one.
    ///
    /// - Throws: a problem 400 for what is none, and for one that could be several moments because it has no time of day or offset.
    private static func time(_ object: JSONObject, _ member: String) throws(Problem) -> Timestamp? {
        guard let value = object[member], !value.isNull else { return nil }
        let text = value.stringValue ?? ""
        if let time = Timestamp(rfc3339: text) { return time }
        if Timestamp(rfc3339: text + "Z") != nil || LocalDay(text) != nil {
            throw .invalidRequest(
                "Invalid session data: \(member) needs a time of day and an offset, such as 2026-11-23T08:00:00+01:00.")
        }
        let isRequired = member == "session_start_time"
        throw .invalidRequest(
            "Invalid session data: \(member) \(isRequired ? "is required and " : "")must be a valid ISO string.")
    }

    private static func pauses(_ value: JSONValue?) throws -> [LoggedPractice.Pause] {
        guard let value, !value.isNull else { return [] }
        guard let list = value.arrayValue else {
            throw Problem.invalidRequest("Invalid session data: pauses must be a list.")
        }
        var pauses: [LoggedPractice.Pause] = []
        for element in list {
            guard let pause = element.objectValue, let start = try time(pause, "start_time"),
                let end = try time(pause, "end_time")
            else {
                throw Problem.invalidRequest("Invalid session data: each of the pauses needs start_time and end_time.")
            }
            pauses.append(LoggedPractice.Pause(startedAt: start, endedAt: end))
        }
        return pauses
    }
}
