import Foundation
import MirrorMateClient

/// Notes each quarter of the way once.
final class Meter: @unchecked Sendable {
    private let lock = NSLock()
    private var last = ""

    func show(_ step: MirrorMate.Step) {
        let text =
            switch step {
            case .created(let session): "session \(session.id.uuidString.lowercased())"
            case .begun: "uploading"
            case .uploading(let share): "uploading, \(quarter(share)) %"
            case .analysing(let share): "analysing, \(quarter(share)) %"
            }
        let isNew = lock.withLock {
            defer { last = text }
            return text != last
        }
        if isNew { note(text) }
    }

    private func quarter(_ share: Double) -> Int { Int(share * 4) * 25 }
}
