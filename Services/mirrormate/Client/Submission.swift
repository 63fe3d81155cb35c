import Contracts
import Glibc
import JSON
import Primitives
import Runtime

/// One video on its way from a file to a report.
@Loop struct Submission {
    let server: Server
    let console: Console

    /// Sends the video with what is said of it, follows its analysis and gives the report. Ctrl-C cancels what is not sent yet,
    /// and says how to go on with what is.
    ///
    /// - Parameter isReplacing: whether a session that is open gives way to this one.
    func report(of video: VideoFile, _ brief: RecordingBrief, isReplacing: Bool = false) async throws -> JSONObject {
        let begun = Begun()
        return try await goingOn(begun) {
            let session = try await created(video, brief, isReplacing: isReplacing, begun)
            guard let id = Self.id(of: session) else {
                throw Failure(
                    .failure, "no-session", "The server's answer names no session.",
                    advice: "Update the server or this client so that both know the same API.")
            }
            begun.id = id
            if let ending = Ending(session, again: server.again), ending.status != "complete" { throw ending.failure }
            // Only now, when Ctrl-C does what is said of it.
            console.done("session \(id)")
            return try await send(video, id, session)
        }
    }

    /// The session that a submission is about, as far as it is known.
    @Loop private final class Begun {
        /// Its id, once the server has told it.
        var id: String?
        /// What was asked for last: who repeats it with its key begins no second session.
        var request: (wish: JSONObject, key: UUID)?

        init(_ id: String? = nil) { self.id = id }
    }

    private nonisolated static func id(of session: JSONObject) -> String? {
        session["id"]?.stringValue ?? session["sessionId"]?.stringValue
    }

    /// Goes on with a session: sends the video where it waits for one, follows its analysis and gives the report.
    func report(ofSession id: String, _ video: VideoFile?) async throws -> JSONObject {
        let session = try await own(id)
        if let ending = Ending(session, again: server.again) {
            guard ending.status == "complete" else { throw ending.failure }
            return try await server.call("GET", "/v1/reports/\(id)")
        }
        let isWaiting = ["queued", "awaitingUpload"].contains(session["status"]?.stringValue)
        if isWaiting, video == nil {
            throw Failure(
                .usage, "video-missing", "The session \(id) waits for its video.",
                advice: "`mirrormate submit VIDEO --continue \(id)\(server.again)` sends it.")
        }
        return try await goingOn(Begun(id)) {
            if isWaiting, let video { return try await send(video, id, session) }
            return try await finished(id, SubmissionProgress(console: console))
        }
    }

    /// A session as it is now.
    private func own(_ id: String) async throws -> JSONObject {
        do {
            return try await server.call("GET", "/v1/sessions/\(id)")
        } catch let failure as Failure where failure.code == "not-found" {
            throw Failure(
                .failure, failure.code, "This account has no session \(id).",
                advice:
                    "Name the account whose it is with --email EMAIL; `mirrormate sessions show \(id)` says who owns it."
            )
        }
    }

    private func created(
        _ video: VideoFile, _ brief: RecordingBrief, isReplacing: Bool, _ begun: Begun
    ) async throws -> JSONObject {
        do {
            return try await create(Self.wish(video, brief), begun)
        } catch let failure as Failure where isReplacing && failure.code == "session-open" {
            let open = try await server.call("GET", "/v1/sessions")
            let holder = (open["items"]?.arrayValue ?? []).first { item in
                item.objectValue.map { Ending($0) == nil } ?? false
            }
            guard let holder = holder?["id"]?.stringValue else { throw failure }
            return try await create(Self.wish(video, brief, replacing: holder), begun)
        }
    }

    private func create(_ wish: JSONObject, _ begun: Begun) async throws -> JSONObject {
        let key = UUID.v7()
        begun.request = (wish, key)
        return try await server.call("POST", "/v1/sessions", wish, key: key)
    }

    private func send(_ video: VideoFile, _ id: String, _ session: JSONObject) async throws -> JSONObject {
        let bar = SubmissionProgress(console: console)
        try await server.upload(video.path, to: try await address(id, session)) { sent, total in
            bar.show("uploading", share: total > 0 ? Double(sent) / Double(total) : 1)
        }
        console.done("uploaded \(video.path), \(video.size / 1_024) KiB")
        _ = try await server.call("POST", "/v1/sessions/\(id)/finalize", JSONObject(), key: UUID.v7())
        return try await finished(id, bar)
    }

    private func finished(_ id: String, _ bar: SubmissionProgress) async throws -> JSONObject {
        try await follow(id, bar)
        return try await server.call("GET", "/v1/reports/\(id)")
    }

    /// Does work on a session that Ctrl-C ends: then the session is cancelled, or goes on by itself.
    private func goingOn(_ begun: Begun, _ work: @escaping @Loop () async throws -> JSONObject) async throws
        -> JSONObject
    {
        do {
            return try await Interrupt.cancelling(work)
        } catch is CancellationError {
            do {
                throw try await Interrupt.cancelling {
                    let id = try await found(begun)
                    console.note("Ending the session \(id); Ctrl-C again leaves it as it is.")
                    return try await ended(id)
                }
            } catch is CancellationError {
                throw Failure(
                    .failure, "interrupted",
                    begun.id.map { "Whether the session \($0) was cancelled is not known." }
                        ?? "Whether a session was begun is not known.", advice: advice(begun))
            } catch let failure as Failure where failure.code != "interrupted" {
                throw Failure(
                    failure.exit, "interrupted",
                    begun.id.map { "The session \($0) could not be cancelled: \(failure.message)" }
                        ?? "Whether a session was begun is not known: \(failure.message)", advice: advice(begun))
            }
        }
    }

    /// How to go on after an interruption that left a session as it was.
    private func advice(_ begun: Begun) -> String {
        guard let id = begun.id else {
            return
                "`mirrormate submit VIDEO --replace\(server.again)` sends the video in the place of one that was begun."
        }
        return "`mirrormate sessions cancel \(id)\(server.again)` ends it; "
            + "`mirrormate submit VIDEO --continue \(id)\(server.again)` goes on with it."
    }

    /// The session that was begun. Who was interrupted before the server's answer asks again with the same key: it names the session that
    /// the first request has begun, or begins it, so that it can be ended.
    ///
    /// - Throws: `Failure` with the code `interrupted` when there is none.
    private func found(_ begun: Begun) async throws -> String {
        if let id = begun.id { return id }
        let none = Failure(
            .failure, "interrupted", "No session was begun, and none is paid for.",
            advice: "`mirrormate submit` sends the video again.")
        guard let request = begun.request else { throw none }
        console.note("Finding out whether a session was begun; Ctrl-C again leaves it as it is.")
        do {
            let session = try await server.call("POST", "/v1/sessions", request.wish, key: request.key)
            guard let id = Self.id(of: session) else { throw none }
            begun.id = id
            return id
        } catch let failure as Failure where failure.code == "session-open" || failure.code.hasPrefix("quota") {
            // A request that had begun one would be known by its key.
            throw none
        }
    }

    /// Cancels a session unless its video is there already.
    ///
    /// - Returns: the failure that the interruption is for whoever waits.
    private func ended(_ id: String) async throws -> Failure {
        let session = try await server.call("GET", "/v1/sessions/\(id)")
        guard session["status"]?.stringValue == "processing" || Ending(session) != nil else {
            _ = try await server.call("POST", "/v1/sessions/\(id)/cancel", JSONObject(), key: UUID.v7())
            return Failure(
                .failure, "interrupted", "The session \(id) was cancelled and costs nothing.",
                advice: "`mirrormate submit` sends the video again.")
        }
        return Failure(
            .failure, "interrupted", "The session \(id) is analysed further, without anybody looking on.",
            advice: "`mirrormate submit --continue \(id)\(server.again)` shows its report; "
                + "`mirrormate sessions cancel \(id)\(server.again)` ends it.")
    }

    /// Where to upload; a session that waits for its turn gets the address a little later.
    private func address(_ id: String, _ session: JSONObject) async throws -> JSONValue {
        var session = session
        for _ in 0..<60 {
            if let upload = session["upload"], !upload.isNull { return upload }
            if let ending = Ending(session, again: server.again) { throw ending.failure }
            console.progress("waiting for the allowance to be decided")
            try await Loop.sleep(for: .seconds(1))
            session = try await server.call("GET", "/v1/sessions/\(id)")
        }
        throw Failure(
            .unavailable, "still-queued", "The session \(id) was not admitted within a minute.",
            advice:
                "The service `quota` may be down; see `mirrormate status`. `mirrormate submit VIDEO --continue \(id)\(server.again)` goes on."
        )
    }

    private func follow(_ id: String, _ bar: SubmissionProgress) async throws {
        var last: String?
        var breaks = 0
        while true {
            do {
                let events = try await server.events("/v1/sessions/\(id)/events", after: last)
                while let event = try await events.next() {
                    breaks = 0
                    last = event.id ?? last
                    guard let session = try? JSONObject.parse(event.data.utf8) else { continue }
                    if let ending = Ending(session, again: server.again) {
                        guard ending.status == "complete" else { throw ending.failure }
                        bar.finish("analyzed")
                        return
                    }
                    bar.show(session)
                }
            } catch let failure as Failure where failure.exit != .unavailable {
                throw failure
            } catch is CancellationError {
                throw CancellationError()
            } catch  where breaks < 20 {
                // A broken stream is taken up again where it stopped.
            }
            breaks += 1
            if breaks > 20 {
                throw Failure(
                    .unavailable, "no-progress", "The server does not tell how the analysis goes.",
                    advice:
                        "The session \(id) goes on by itself; `mirrormate submit --continue \(id)\(server.again)` shows its report."
                )
            }
            try await Loop.sleep(for: .milliseconds(500))
        }
    }

    /// The body of the request for a session.
    ///
    /// - Parameter replacing: the session that gives way to this one.
    nonisolated static func wish(
        _ video: VideoFile, _ brief: RecordingBrief, replacing: String? = nil
    ) -> JSONObject {
        let wish: JSONObject = [
            "kind": "mirrormate", "contentType": .string(video.contentType), "contentLength": .int(video.size),
        ]
        return wish.adding(membersOf: brief.json).adding(["replaces": replacing.map(JSONValue.string)])
    }
}
