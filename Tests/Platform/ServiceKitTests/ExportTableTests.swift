import JSON
import Primitives
import Testing

@testable import ServiceKit

@Suite struct `A table of an export` {
    private let table = ExportTable(
        "things", "Things.", [ExportColumn("id", .id, "Which."), ExportColumn("words", .text, "What it says.")])

    @Test(arguments: [
        ("plain", "plain"), ("a, b", "\"a, b\""), ("say \"so\"", "\"say \"\"so\"\"\""),
        ("two\nlines", "\"two\nlines\""),
        ("=1+1", "'=1+1"), ("+49", "'+49"), ("-2", "'-2"), ("@x", "'@x"), ("\ttab", "'\ttab"),
        ("=HYPERLINK(\"x\",\"y\")", "\"'=HYPERLINK(\"\"x\"\",\"\"y\"\")\""), ("", ""),
    ]) func `has text in cells that no spreadsheet runs`(text: String, cell: String) {
        #expect(ExportCSV.cell(.string(text)) == cell)
    }

    @Test func `has numbers as they are, and what is missing as an empty cell`() {
        let line = ExportCSV.line([.int(-2), .double(0.5), .bool(true), .null, ["a": 1], .string("x")])
        #expect(String(decoding: line, as: UTF8.self) == "-2,0.5,true,,\"{\"\"a\"\":1}\",x\r\n")
    }

    @Test func `has each column in each row, in their order, and no other member`() {
        let row = table.row(["words": "w", "secret": "s"])
        #expect(row.keys == ["id", "words"] && row["id"] == .null && row["words"] == "w")
    }

    @Test func `says in its schema what each column means`() throws {
        let schema = table.schema(of: "quota")
        let rows = try schema.object("properties").object("rows").object("items")
        #expect(try rows.array("required") == ["id", "words"])
        #expect(try rows.object("properties").object("words").string("description") == "What it says.")
        #expect(rows["additionalProperties"] == false)
    }
}

@Suite struct `A file of an export` {
    private let export = UUID.v7()
    private let owner = UUID.v7()

    private func file(_ key: String, _ name: String = "quota/a.json", size: Int64 = 1, crc: Int64 = 0) -> ExportFile {
        ExportFile(name: name, key: key, sizeBytes: size, sha256: String(repeating: "ab", count: 32), crc32: crc)
    }

    @Test func `belongs to it only where its service may write`() {
        func isPart(_ file: ExportFile) -> Bool { file.isPart(of: export, owner: owner, by: "quota") }
        let good = "export-quota/\(owner)/\(export)/1"
        #expect(isPart(file(good)))
        for key in [
            "media/\(owner)/1", "export-identity/\(owner)/\(export)/1", "export-quota/\(UUID.v7())/\(export)/1",
            "export-quota/\(owner)/\(UUID.v7())/1", "export-quota/\(owner)/\(export)/../../x",
        ] { #expect(!isPart(file(key)), "\(key)") }
        for name in ["identity/a.json", "quota/../a", "quota/a b", "quota/\u{7}", "a.json"] {
            #expect(!isPart(file(good, name)), "\(name)")
        }
        #expect(!isPart(file(good, size: -1)) && !isPart(file(good, size: .max)) && !isPart(file(good, crc: 1 << 32)))
    }

    @Test func `comes back from the index`() throws {
        let files = [file("a"), file("b", "quota/b.csv", size: 9, crc: 7)]
        #expect(try ExportIndex.files(ExportIndex.bytes(files)) == files)
    }
}
