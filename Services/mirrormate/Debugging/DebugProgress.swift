import Primitives
import Runtime

/// A bar with rate and time left, for what takes longer than a second; on a terminal only.
@Loop final class DebugProgress {
    private let console: Console
    private let verb: String
    private let start = ContinuousClock.now
    private var lastShown = ContinuousClock.now
    private var isShown = false

    init(_ console: Console, _ verb: String) {
        self.console = console
        self.verb = verb
    }

    /// Shows how much is done, from 0 to 1, and of how many things when that is known.
    func show(_ what: String, _ share: Double, of total: Int64 = 0) {
        let now = ContinuousClock.now
        guard console.isInteractive, now - start > .seconds(1), now - lastShown > .milliseconds(100) else { return }
        lastShown = now
        isShown = true
        let seconds = Double((now - start).milliseconds) / 1_000
        var text = "\(verb) \(what) \(Chart.bar(share, width: 24)) \(Int(share * 100)) %"
        if total > 0 { text += ", \(Int(Double(total) * share / seconds)) events/s" }
        if share > 0.02 { text += ", \(Int(seconds / share * (1 - share)) + 1) s left" }
        console.progress(text)
    }

    /// Takes the bar away.
    func end() { if isShown { console.progress("") } }
}
