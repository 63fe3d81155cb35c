/// Small pictures made of characters.
enum Chart {
    /// A bar of `width` characters for a share of 1, in eighths of a character.
    static func bar(_ share: Double, width: Int) -> String {
        let eighths = Int((min(max(share, 0), 1) * Double(width * 8)).rounded())
        let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
        let bar = String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
        return bar + String(repeating: "░", count: width - bar.count)
    }

    /// One character for each value between 0 and 1; a dot where there is none.
    static func line(_ values: [Double?]) -> String {
        let steps = Array("▁▂▃▄▅▆▇█")
        return String(
            values.map { value in
                value.map { steps[min(max(Int($0 * Double(steps.count)), 0), steps.count - 1)] } ?? "·"
            })
    }

    /// Seconds as minutes and seconds.
    static func clock(_ seconds: Int64) -> String {
        "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
    }

    /// Text in lines of at most `width` characters, broken between words, all but the first after `indent` blanks.
    static func wrap(_ text: String, width: Int, indent: Int) -> String {
        var lines: [String] = []
        var line = ""
        for word in text.split(whereSeparator: \.isWhitespace) {
            if !line.isEmpty, line.count + 1 + word.count > width - indent {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        if !line.isEmpty { lines.append(line) }
        return lines.joined(separator: "\n" + String(repeating: " ", count: indent))
    }
}
