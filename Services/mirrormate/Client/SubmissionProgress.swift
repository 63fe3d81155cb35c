import JSON
import Runtime

/// How far a video is: a bar that moves on a terminal, a line for each new stage elsewhere.
@Loop final class SubmissionProgress {
    private let console: Console
    private let start = ContinuousClock.now
    private var shown = ""

    init(console: Console) { self.console = console }

    /// Shows a stage and how much of it is done, from 0 to 1.
    func show(_ stage: String, share: Double) {
        let percent = Int((share * 100).rounded())
        if console.isInteractive {
            console.progress("\(stage) \(Chart.bar(share, width: 30)) \(percent) %")
            return
        }
        // Elsewhere every quarter is enough.
        let line = "\(stage), \(percent / 25 * 25) %"
        if line != shown { console.note("  \(line)") }
        shown = line
    }

    /// Shows what a session document says.
    func show(_ session: JSONObject) {
        show(Self.words(session), share: session["progress"]?.doubleValue ?? 0)
    }

    /// What is under way, of a session document.
    nonisolated static func words(_ session: JSONObject) -> String {
        if let place = session["queuePosition"]?.intValue { return "waiting, \(place - 1) before it" }
        return session["stage"]?.stringValue.flatMap { stages[$0] } ?? "analyzing"
    }

    /// Of a stage that a later server has the others say enough.
    nonisolated private static let stages = [
        "probe": "opening the recording", "decode": "reading sound and picture",
        "transcribe": "writing down what is said", "voice": "listening to the voice",
        "picture": "looking at the face and the camera", "report": "writing the report",
    ]

    /// Ends the line.
    func finish(_ what: String) {
        let tenths = (ContinuousClock.now - start) / .milliseconds(100)
        console.done("\(what) in \(Int(tenths) / 10).\(Int(tenths) % 10) s")
    }
}
