import Coaching
import JSON
import Primitives

// Makes reports without a service: reads documents of `mirrormate-media` from standard input, one to a line, and writes the
// document of each, a report and the figures that it is based on. `make truth` judges the reports by it.

while let line = readLine() {
    do {
        let said = try JSONObject.parse(line.utf8)
        let document = try ReportDocument(
            sessionId: .zero, createdAt: .epoch,
            measured: said["result"]?.objectValue ?? said)
        print(String(decoding: document.bytes, as: UTF8.self))
    } catch {
        print(JSONValue.object(["problem": .string("\(error)")]).text)
    }
}
