import Contracts
import Glibc
import JSON
import Primitives
import Runtime

/// One video on its way from a file to a report.
@Loop struct Submission {
    let server: Server
    let console: Console

    /// Sends the video with what is said of it, follows its analysis and gives the report.
    func report(of video: String, _ brief: RecordingBrief) async throws -> JSONObject {
        guard let size = Files.size(video) else {
            throw Failure(
                .usage, "no-video", "\(video) is no file that can be read.",
                advice: "Name a video file (MP4, MOV or WebM).")
        }
        let session = try await server.call(
            "POST", "/v1/sessions", Self.wish(video, size, brief), key: UUID.v7())
        guard let id = session["id"]?.stringValue ?? session["sessionId"]?.stringValue else {
            throw Failure(
                .failure, "no-session", "The server's answer names no session.",
                advice: "Update the server or this client so that both know the same API.")
        }
        if let ending = Ending(session), ending.status != "complete" { throw ending.failure }
        console.done("session \(id)")
        let bar = SubmissionProgress(console: console)
        try await server.upload(video, to: try await address(id, session)) { sent, total in
            bar.show("uploading", share: total > 0 ? Double(sent) / Double(total) : 1)
        }
        console.done("uploaded \(video), \(size / 1_024) KiB")
        _ = try await server.call("POST", "/v1/sessions/\(id)/finalize", JSONObject(), key: UUID.v7())
        try await follow(id, bar)
        return try await server.call("GET", "/v1/reports/\(id)")
    }

    /// Where to upload; a session that waits for its turn gets the address a little later.
    private func address(_ id: String, _ session: JSONObject) async throws -> JSONValue {
        var session = session
        for _ in 0..<60 {
            if let upload = session["upload"], !upload.isNull { return upload }
            if let ending = Ending(session) { throw ending.failure }
            console.progress("waiting for the allowance to be decided")
            try await Loop.sleep(for: .seconds(1))
            session = try await server.call("GET", "/v1/sessions/\(id)")
        }
        throw Failure(
            .unavailable, "still-queued", "The session \(id) was not admitted within a minute.",
            advice: "The service `quota` may be down; see `mirrormate status`.")
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
                    if let ending = Ending(session) {
                        guard ending.status == "complete" else { throw ending.failure }
                        bar.finish("analyzed")
                        return
                    }
                    bar.show(session)
                }
            } catch let failure as Failure where failure.exit != .unavailable {
                throw failure
            } catch  where breaks < 20 {
                // A broken stream is taken up again where it stopped.
            }
            breaks += 1
            if breaks > 20 {
                throw Failure(
                    .unavailable, "no-progress", "The server does not tell how the analysis goes.",
                    advice: "The session \(id) goes on by itself; ask for /v1/reports/\(id) later.")
            }
            try await Loop.sleep(for: .milliseconds(500))
        }
    }

    /// The body of the request for a session.
    nonisolated static func wish(_ video: String, _ size: Int64, _ brief: RecordingBrief) -> JSONObject {
        let wish: JSONObject = [
            "kind": "mirrormate", "contentType": .string(contentType(video)), "contentLength": .int(size),
        ]
        return wish.adding(membersOf: brief.json)
    }

    /// The media type by the file's name.
    nonisolated static func contentType(_ path: String) -> String {
        switch path.split(separator: ".").last?.lowercased() {
        case "mov": "video/quicktime"
        case "webm": "video/webm"
        default: "video/mp4"
        }
    }
}
