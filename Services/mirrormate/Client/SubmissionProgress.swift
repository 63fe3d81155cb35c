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
        let before = session["queuePosition"]?.intValue.map { "waiting, \($0 - 1) before it" }
        show(before ?? "analyzing", share: session["progress"]?.doubleValue ?? 0)
    }

    /// Ends the line.
    func finish(_ what: String) {
        let tenths = (ContinuousClock.now - start) / .milliseconds(100)
        console.done("\(what) in \(Int(tenths) / 10).\(Int(tenths) % 10) s")
    }
}
