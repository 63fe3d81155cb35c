import Glibc

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

    /// The process's own terminal; `NO_COLOR` (no-color.org) and `TERM=dumb` are kept.
    init() {
        let plain = !(Variables["NO_COLOR"] ?? "").isEmpty || Variables["TERM"] == "dumb"
        isInteractive = isatty(STDERR_FILENO) == 1 && Variables["TERM"] != "dumb"
        style = Style(isColoured: !plain && isatty(STDOUT_FILENO) == 1)
        noteStyle = Style(isColoured: !plain && isatty(STDERR_FILENO) == 1)
        var size = winsize()
        let known = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col >= 40
        width = known ? min(Int(size.ws_col), 100) : 80
    }

    /// Writes a result.
    func print(_ text: String) { write(text + "\n", to: STDOUT_FILENO) }

    /// Writes a note for the person in front of the screen.
    func note(_ text: String) { write((isInteractive ? "\r\u{1B}[K" : "") + text + "\n", to: STDERR_FILENO) }

    /// Shows what is going on now on a line that the next note replaces; nothing without a terminal.
    func progress(_ text: String) {
        if isInteractive { write("\r\u{1B}[K" + String(text.prefix(width - 1)), to: STDERR_FILENO) }
    }

    /// Notes that a step is done.
    func done(_ text: String) { note("\(noteStyle.green("✓")) \(text)") }

    /// Shows why a command stopped.
    func show(_ failure: Failure) {
        note("\(noteStyle.red("✗")) \(failure.message)")
        note("  \(failure.advice)")
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
