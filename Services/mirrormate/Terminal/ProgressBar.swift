import Primitives
import Runtime

/// A bar with rate and time left, for what takes longer than a second; on a terminal only.
@Loop final class ProgressBar {
    private let console: Console
    private let verb: String
    private let start = ContinuousClock.now
    private var lastShown = ContinuousClock.now
    private var isShown = false

    init(_ console: Console, _ verb: String) {
        self.console = console
        self.verb = verb
    }

    /// Shows how much is done, from 0 to 1, and how many things that were.
    func show(_ what: String, _ share: Double, done: Int64, _ noun: String = "events") {
        let now = ContinuousClock.now
        guard console.isInteractive, now - start > .seconds(1), now - lastShown > .milliseconds(100) else { return }
        lastShown = now
        isShown = true
        let seconds = Double((now - start).milliseconds) / 1_000
        console.progress(
            Self.text("\(verb) \(what)", share, done, noun, seconds: seconds, width: console.width - 1))
    }

    /// The line: what is done, a bar as long as there is room for, the share, the rate and the time left at this rate.
    nonisolated static func text(
        _ what: String, _ share: Double, _ done: Int64, _ noun: String, seconds: Double, width: Int
    ) -> String {
        var figures = "\(Int(share * 100)) %, \(Int(Double(done) / seconds)) \(noun)/s"
        // Before that it would be a guess.
        if share > 0.02 { figures += ", \(Int((seconds / share * (1 - share)).rounded(.up))) s left" }
        let room = min(width - what.count - figures.count - 2, 24)
        return room < 4 ? "\(what) \(figures)" : "\(what) \(Chart.bar(share, width: room)) \(figures)"
    }

    /// Takes the bar away.
    func end() { if isShown { console.progress("") } }
}
