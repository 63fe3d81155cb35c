import JSON
import Practice
import Testing

@Suite("Practice by hour of the day") struct HourTotalsTests {
    private func totals(_ columns: String...) throws(JSONError) -> HourTotals {
        var totals = HourTotals()
        for column in columns { try totals.add([UInt8](column.utf8)) }
        return totals
    }

    @Test("days are added up hour by hour, however they are spaced")
    func sum() throws {
        let totals = try totals(#"{"7":600,"21":900}"#, "{ }", #"{ "7" : 60 , "0" : 1 }"#)
        #expect(totals.practised.map(\.hour) == [0, 7, 21])
        #expect(totals.practised.map(\.seconds) == [1, 660, 900])
    }

    @Test("the best hour is the earlier one of equals")
    func best() throws {
        #expect(try totals(#"{"21":600,"7":600,"8":599}"#).best == 7)
        #expect(try totals("{}").best == nil)
    }

    @Test(
        "anything else is an error",
        arguments: [
            "", "[]", "{", #"{"7"}"#, #"{"7":}"#, #"{"7":-1}"#, #"{"7":1.5}"#, #"{"24":1}"#, #"{"x":1}"#, #"{"7":1"#,
            #"{"7":1 "8":1}"#, #"{"7":1,}"#, #"{"7":1234567890123456}"#,
        ])
    func unreadable(column: String) {
        #expect(throws: JSONError.self) { _ = try totals(column) }
    }
}
