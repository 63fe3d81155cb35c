import EventSourcing
import JSON
import Primitives
import Projections

/// The rows of one read model in memory.
final class RowFold<Model: ReadModel>: RowFolding {
    struct Step: Sendable {
        let event: Model.Event
        let recordedAt: Timestamp
        let keys: [Model.Key]
    }

    struct Content: Sendable {
        var steps: [Step] = []
        var keys: [String: Model.Key] = [:]
    }

    private var rows: [Model.Key: Model.Row?] = [:]
    private var names: [String: Model.Key] = [:]

    var count: Int { rows.count }

    static func steps(
        of entries: [LogEntry], foreign: (EventType) -> Bool
    ) throws(FoldError) -> FoldSteps {
        var content = Content()
        content.steps.reserveCapacity(entries.count)
        var seen: Set<Model.Key> = []
        for entry in entries where !foreign(entry.type) {
            let event: Model.Event
            do throws(EventDecodingError) {
                event = try Model.Event.decode(entry.type, stored: entry.data)
            } catch {
                throw FoldError(position: entry.position, reason: error)
            }
            let keys = Model.keys(of: event)
            if keys.isEmpty { continue }
            for key in keys where seen.insert(key).inserted { content.keys[Model.text(key)] = key }
            content.steps.append(Step(event: event, recordedAt: entry.recordedAt, keys: keys))
        }
        return FoldSteps(content: content, keys: Array(content.keys.keys))
    }

    func knows(_ key: String) -> Bool { names[key] != nil }

    func supply(_ key: String, _ columns: JSONObject?, for steps: FoldSteps) throws(JSONError) {
        guard let name = (steps.content as? Content)?.keys[key] else { return }
        rows[name] = .some(try columns.map { (value) throws(JSONError) in try Model.decode(value) })
        names[key] = name
    }

    func fold(_ steps: FoldSteps, only wanted: ((String) -> Bool)?) {
        guard let content = steps.content as? Content else { return }
        var kept: Set<Model.Key>?
        if let wanted {
            let chosen = content.keys.filter { wanted($0.key) }
            kept = Set(chosen.values)
            for (text, key) in chosen { names[text] = key }
        } else {
            for (text, key) in content.keys { names[text] = key }
        }
        for step in content.steps {
            for key in step.keys where kept?.contains(key) ?? true {
                Self.evolve(&rows[key, default: nil], step, key)
            }
        }
    }

    /// Takes the row out of its place meanwhile: nobody else holds it, so nothing of it has to be copied to change it.
    private static func evolve(_ row: inout Model.Row?, _ step: Step, _ key: Model.Key) {
        row = Model.evolve(row.take(), step.event, key: key, recordedAt: step.recordedAt)
    }

    func normalised(_ columns: JSONObject) throws(JSONError) -> JSONObject {
        Model.encode(try Model.decode(columns))
    }

    func row(_ key: String) -> JSONObject? {
        guard let name = names[key], let row = rows[name] ?? nil else { return nil }
        return Model.encode(row)
    }

    func drain(by count: Int) -> [RowPiece] {
        var pieces: [RowPiece] = []
        var piece: [(key: Model.Key, row: Model.Row?)] = []
        for (key, row) in rows {
            piece.append((key, row))
            if piece.count == count {
                pieces.append(Self.encoding(piece))
                piece = []
            }
        }
        if !piece.isEmpty { pieces.append(Self.encoding(piece)) }
        rows = [:]
        names = [:]
        return pieces
    }

    private static func encoding(_ rows: [(key: Model.Key, row: Model.Row?)]) -> RowPiece {
        RowPiece { body in
            for (key, row) in rows { body(Model.text(key), row.map { Model.encode($0) }) }
        }
    }
}
