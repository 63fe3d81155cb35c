import CPostgres
package import Primitives

/// The rows of one statement, in binary format. Owns libpq's memory and frees it.
///
/// Columns are numbered from 0 in the order of the statement; reading one as the wrong type is a programming error and
/// traps.
///
/// Any thread may read it: libpq never changes a complete result.
package final class PostgresResult: @unchecked Sendable {
    private let result: OpaquePointer

    init(owning result: OpaquePointer) { self.result = result }

    deinit { PQclear(result) }

    /// The number of rows.
    package var count: Int { Int(PQntuples(result)) }

    /// The number of rows affected by an insert, update or delete.
    package var affected: Int { Int(String(cString: PQcmdTuples(result))) ?? 0 }

    /// The rows in order.
    package var rows: [PostgresRow] { (0..<count).map { PostgresRow(result: self, index: Int32($0)) } }

    /// The first row, if there is one.
    package var first: PostgresRow? { count > 0 ? PostgresRow(result: self, index: 0) : nil }

    /// The names of the columns.
    package var columns: [String] { (0..<PQnfields(result)).map { String(cString: PQfname(result, $0)) } }

    fileprivate func isNull(_ row: Int32, _ column: Int) -> Bool { PQgetisnull(result, row, Int32(column)) == 1 }

    fileprivate func type(_ column: Int) -> UInt32 { PQftype(result, Int32(column)) }

    fileprivate func value(_ row: Int32, _ column: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: PQgetvalue(result, row, Int32(column)), count: Int(PQgetlength(result, row, Int32(column))))
    }
}

/// One row of a result.
package struct PostgresRow: Sendable {
    private let result: PostgresResult
    private let index: Int32

    fileprivate init(result: PostgresResult, index: Int32) {
        self.result = result
        self.index = index
    }

    /// Whether the column is NULL.
    package func isNull(_ column: Int) -> Bool { result.isNull(index, column) }

    /// A `smallint`, `integer` or `bigint`.
    package func int(_ column: Int) -> Int64 {
        let bytes = value(column)
        switch bytes.count {
        case 2: return Int64(bytes.bigEndian(Int16.self))
        case 4: return Int64(bytes.bigEndian(Int32.self))
        case 8: return bytes.bigEndian(Int64.self)
        default: preconditionFailure("Column \(column) is not an integer.")
        }
    }

    /// A `double precision`.
    package func double(_ column: Int) -> Double {
        let bytes = value(column)
        precondition(bytes.count == 8, "Column \(column) is not a double precision.")
        return Double(bitPattern: bytes.bigEndian(UInt64.self))
    }

    /// A `text`, `name`, `varchar` or the text of `json`.
    package func text(_ column: Int) -> String { String(decoding: value(column), as: UTF8.self) }

    /// A `bytea`, or the raw bytes of text and `json`.
    package func bytes(_ column: Int) -> [UInt8] { [UInt8](value(column)) }

    /// Lends the raw bytes of a column without copying them.
    ///
    /// - Throws: what `body` throws.
    package func withBytes<T, Failure: Error>(
        _ column: Int, _ body: (UnsafeRawBufferPointer) throws(Failure) -> T
    ) throws(Failure) -> T {
        try body(value(column))
    }

    /// A `boolean`.
    package func bool(_ column: Int) -> Bool {
        let bytes = value(column)
        precondition(bytes.count == 1, "Column \(column) is not a boolean.")
        return bytes[0] != 0
    }

    /// A `uuid`.
    package func uuid(_ column: Int) -> UUID {
        let bytes = value(column)
        precondition(bytes.count == 16, "Column \(column) is not a uuid.")
        return UUID(
            high: UnsafeRawBufferPointer(rebasing: bytes[0..<8]).bigEndian(UInt64.self),
            low: UnsafeRawBufferPointer(rebasing: bytes[8..<16]).bigEndian(UInt64.self))
    }

    /// A `timestamptz`.
    package func time(_ column: Int) -> Timestamp {
        let bytes = value(column)
        precondition(bytes.count == 8, "Column \(column) is not a timestamptz.")
        return Timestamp(microseconds: bytes.bigEndian(Int64.self) + postgresEpoch)
    }

    /// The value, read by one of the readers above; nil for NULL.
    package func optional<T>(_ column: Int, _ read: (PostgresRow) -> (Int) -> T) -> T? {
        isNull(column) ? nil : read(self)(column)
    }

    private func value(_ column: Int) -> UnsafeRawBufferPointer {
        precondition(!isNull(column), "Column \(column) is NULL.")
        return result.value(index, column)
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func bigEndian<T: FixedWidthInteger>(_: T.Type) -> T { T(bigEndian: loadUnaligned(as: T.self)) }
}
