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

    /// The lines, the header first.
    func text(_ style: Style) -> String {
        let all = [header] + rows
        let widths = header.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        let lines = all.map { cells in
            let line = cells.enumerated().map { column, cell in
                let blanks = Self.pad(widths[column] - cell.count)
                return right.contains(column) ? blanks + cell : cell + blanks
            }.joined(separator: "  ")
            // Empty cells at the end leave nothing behind.
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
        return ([style.dim(lines[0])] + lines.dropFirst()).joined(separator: "\n")
    }

    private static func pad(_ count: Int) -> String { String(repeating: " ", count: max(count, 0)) }
}
