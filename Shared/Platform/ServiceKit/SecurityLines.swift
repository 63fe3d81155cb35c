import Runtime

/// How many lines of a kind the security log has in a minute. What anybody can bring about without having shown anything would
/// else fill the disk, and hide what happens meanwhile.
struct SecurityLineBound {
    /// What is counted together.
    struct Kind: Hashable {
        let event: SecurityEvent
        let code: String?
        /// The client network as the log tells it; nil for all that there is no room to count apart.
        var network: String?
    }

    /// How many lines of a kind are written in a minute.
    static let most = 30
    /// How many kinds are counted apart, whatever networks come.
    static let mostKinds = 512

    private var counts: [Kind: Int] = [:]

    /// Counts one, and says whether its line is written.
    mutating func admits(_ kind: Kind) -> Bool {
        var kind = kind
        if counts[kind] == nil, counts.count >= Self.mostKinds { kind.network = nil }
        counts[kind, default: 0] += 1
        return counts[kind, default: 0] <= Self.most
    }

    /// Ends the minute.
    ///
    /// - Returns: how many lines of a kind were not written, where any was not.
    mutating func end() -> [(kind: Kind, leftOut: Int)] {
        defer { counts = [:] }
        return counts.filter { $0.value > Self.most }
            .map { (kind: $0.key, leftOut: $0.value - Self.most) }
            .sorted { Self.order($0.kind) < Self.order($1.kind) }
    }
}

extension SecurityLineBound {
    private static func order(_ kind: Kind) -> (String, String, String) {
        (kind.event.rawValue, kind.code ?? "", kind.network ?? "")
    }
}

/// The lines of the present minute, which begins with its first.
@Loop final class SecurityLines {
    private var bound = SecurityLineBound()
    private var isCounting = false
    private let tell: @Loop (SecurityLineBound.Kind, Int) -> Void

    private static let minute = Duration.seconds(60)

    /// - Parameter tell: writes how many lines of a kind were left out.
    init(_ tell: @escaping @Loop (SecurityLineBound.Kind, Int) -> Void) { self.tell = tell }

    /// Counts one, and says whether its line is written.
    func admits(_ kind: SecurityLineBound.Kind) -> Bool {
        if !isCounting {
            isCounting = true
            _ = EventLoop.shared.schedule(after: Self.minute) { [weak self] in self?.end() }
        }
        return bound.admits(kind)
    }

    /// Ends the minute, and tells what was left out in it.
    func end() {
        isCounting = false
        for (kind, count) in bound.end() { tell(kind, count) }
    }
}
