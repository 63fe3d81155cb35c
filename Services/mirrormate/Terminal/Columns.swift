/// Columns of text, as wide as their widest cell.
struct Columns {
    private var rows: [[String]] = []
    private let header: [String]
    /// The columns that are set to the right.
    private let right: Set<Int>

    init(_ header: [String], right: Set<Int> = []) {
        self.header = header
        self.right = right
    }

    mutating func add(_ cells: [String]) { rows.append(cells) }

    /// How many characters its longest line has.
    var width: Int { widths.reduce(0, +) + 2 * (header.count - 1) }

    private var widths: [Int] {
        header.indices.map { column in ([header] + rows).map { $0[column].count }.max() ?? 0 }
    }

    /// The lines, the header first.
    ///
    /// - Parameter room: how many characters a line may have; the last column gives way, down to a few words. Nil for as many as
    ///   there are, as for a file.
    func text(_ style: Style, within room: Int? = nil) -> String {
        var widths = self.widths
        if let room, let last = widths.last, width > room {
            widths[widths.count - 1] = max(last - (width - room), min(last, 16))
        }
        let lines = ([header] + rows).map { cells in
            let line = cells.enumerated().map { column, cell in
                let cell = cell.count > widths[column] ? String(cell.prefix(widths[column] - 1)) + "…" : cell
                let blanks = Self.pad(widths[column] - cell.count)
                return right.contains(column) ? blanks + cell : cell + blanks
            }.joined(separator: "  ")
            // Empty cells at the end leave nothing behind.
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
        return ([style.dim(lines[0])] + lines.dropFirst()).joined(separator: "\n")
    }

    /// The lines, the header first; where they are wider than the room, a paragraph for each row instead: its first cell, and below it
    /// each other one that says something, behind its column's name. So nothing is cut off that somebody may want to copy.
    ///
    /// - Parameter room: how many characters a line may have; nil for as many as there are, as for a file.
    func paragraphs(_ style: Style, within room: Int?) -> String {
        guard let room, width > room else { return text(style) }
        let names = header.dropFirst().map(\.count).max() ?? 0
        return rows.flatMap { cells in
            [style.bold(cells[0])]
                + zip(header, cells).dropFirst().filter { !$0.1.isEmpty && $0.1 != "–" }.map { name, cell in
                    "  \(style.dim(name.lowercased() + Self.pad(names - name.count)))  \(cell)"
                }
        }.joined(separator: "\n")
    }

    private static func pad(_ count: Int) -> String { String(repeating: " ", count: max(count, 0)) }
}
