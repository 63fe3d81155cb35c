import JSON
import Runtime

/// How far a video is: a bar that moves on a terminal, a line for each new stage elsewhere.
@Loop final class ProgressLine {
    private let console: Console
    private let start = ContinuousClock.now
    private var shown = ""

    init(console: Console) { self.console = console }

    /// Shows a stage and a share of it.
    func show(_ stage: String, share: Double?) {
        let percent = share.map { " \(Chart.bar($0, width: 30)) \(Int(($0 * 100).rounded())) %" } ?? ""
        if console.isInteractive {
            console.progress("\(stage)\(percent)")
        } else if stage != shown {
            console.note("  \(stage)")
        }
        shown = stage
    }

    /// Shows what a session document says.
    func show(_ session: JSONObject) {
        let progress = session["progress"]?.objectValue ?? session
        let stage = progress["stage"]?.stringValue ?? session["status"]?.stringValue ?? "processing"
        let percent = progress["progressPercent"]?.doubleValue ?? progress["percent"]?.doubleValue
        show(ScoreParts.spoken(stage), share: percent.map { $0 / 100 })
    }

    /// Ends the line.
    func finish(_ what: String) {
        let tenths = (ContinuousClock.now - start) / .milliseconds(100)
        console.done("\(what) in \(Int(tenths) / 10).\(Int(tenths) % 10) s")
    }
}
