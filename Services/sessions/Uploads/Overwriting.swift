/// A stretch of a file that is to be overwritten, so that nothing else moves: some bytes, and zeros behind them.
package struct Overwriting: Sendable, Hashable {
    /// Where it lies in the file.
    package let range: Range<Int64>
    /// What stands at its beginning; not longer than it is.
    package let start: [UInt8]

    package init(_ range: Range<Int64>, _ start: [UInt8] = []) {
        self.range = range
        self.start = start
    }

    /// Overwrites what lies in a piece of the file.
    ///
    /// - Parameter offset: where in the file the piece begins.
    package func apply(to piece: inout [UInt8], at offset: Int64) {
        let part = range.clamped(to: offset..<offset + Int64(piece.count))
        for place in part {
            let within = place - range.lowerBound
            piece[Int(place - offset)] = within < start.count ? start[Int(within)] : 0
        }
    }
}
