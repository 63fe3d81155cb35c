import Glibc
import JSON

/// The terminal: results on standard output, everything else on standard error.
struct Console {
    /// Whether standard error is a terminal, so that a line may be rewritten.
    let isInteractive: Bool
    /// How results are coloured.
    let style: Style
    /// How notes on standard error are coloured.
    let noteStyle: Style
    /// The width of a line in characters.
    let width: Int
    /// How many characters a line of a result has room for; nil when it goes into a file or another program.
    let room: Int?
    /// Whether only results and failures are written.
    let isQuiet: Bool
    /// The name of the command, as answers for programs have it.
    var kind = "mirrormate"
    /// What `--state` was told, for the commands that are advised; nil without it.
    var place: String?

    /// The process's own terminal; `NO_COLOR` (no-color.org) and `TERM=dumb` are kept.
    init(_ manner: Manner = Manner()) {
        let plain = manner.isPlain || !(Variables["NO_COLOR"] ?? "").isEmpty || Variables["TERM"] == "dumb"
        isQuiet = manner.isQuiet
        isInteractive = isatty(STDERR_FILENO) == 1 && Variables["TERM"] != "dumb"
        style = Style(isColoured: !plain && isatty(STDOUT_FILENO) == 1)
        noteStyle = Style(isColoured: !plain && isatty(STDERR_FILENO) == 1)
        var size = winsize()
        let known = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col >= 40
        width = known ? min(Int(size.ws_col), 100) : 80
        room = known ? Int(size.ws_col) : nil
    }

    /// Writes a result.
    func print(_ text: String) { write(text + "\n", to: STDOUT_FILENO) }

    /// Writes a result for programs, in the envelope that all of them have: `version`, `kind`, `data`.
    ///
    /// - Parameter onOneLine: whether it is one of several, a line each.
    func answer(_ data: JSONValue, onOneLine: Bool = false) {
        let envelope: JSONValue = ["version": 1, "kind": .string(kind), "data": data]
        print(onOneLine ? envelope.text : envelope.prettyText)
    }

    /// Writes for programs why a command stopped, in the same envelope with `problem` in the place of `data`.
    func answer(_ failure: Failure) {
        let problem: JSONValue = [
            "code": .string(failure.code), "message": .string(failure.message),
            "advice": .string(placed(failure.advice)),
            "exit": .int(Int64(failure.exit.rawValue)),
        ]
        print((["version": 1, "kind": .string(kind), "problem": problem] as JSONValue).prettyText)
    }

    /// Writes a note for the person in front of the screen.
    func note(_ text: String) { if !isQuiet { say(placed(text)) } }

    /// A text whose commands are for the stack that this one was told to look at.
    func placed(_ text: String) -> String { Advice.placed(text, at: place) }

    /// Writes to the person in front of the screen what may not be left out.
    private func say(_ text: String) { write((isInteractive ? "\r\u{1B}[K" : "") + text + "\n", to: STDERR_FILENO) }

    /// Asks the person in front of the screen; never left out, because an answer is waited for.
    func ask(_ text: String) { say(text) }

    /// Shows what is going on now on a line that the next note replaces; nothing without a terminal.
    func progress(_ text: String) {
        if isInteractive, !isQuiet { write("\r\u{1B}[K" + String(text.prefix(width - 1)), to: STDERR_FILENO) }
    }

    /// Notes that a step is done.
    func done(_ text: String) { note("\(noteStyle.green("✓")) \(text)") }

    /// Shows why a command stopped.
    func show(_ failure: Failure) {
        say("\(noteStyle.red("✗")) \(failure.message)")
        say("  \(placed(failure.advice))")
    }

    private func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            // Nobody reads any more; there is nowhere to say so.
            if count <= 0 { return }
            bytes = bytes.dropFirst(count)
        }
    }
}
