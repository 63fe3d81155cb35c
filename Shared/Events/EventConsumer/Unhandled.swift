package import EventStore

/// Why a message is not handled, however often it is tried.
package enum Unhandled: Error, Equatable {
    /// Its owner's data were erased.
    case erased
    /// A record that the publisher cannot have written.
    case doubted(RecordDoubt)
    /// A record whose part of this name cannot be read.
    case unreadable(String)
    /// An earlier message of its key is parked.
    case successor
    /// It ended the process each time it was handled.
    case endsTheProcess
    /// Its append's id was used with other content.
    case idReused
    /// A row function refused.
    case refused(RowRefusal)
    /// Its data broke a constraint of the store.
    case data(String)
    /// The service says that it cannot handle it, by this code.
    case fault(String)

    /// The code that a parked message's row and the log carry.
    package var code: String {
        switch self {
        case .erased: "erased"
        case .doubted(let doubt): doubt.rawValue
        case .unreadable(let part): part
        case .successor: "successor"
        case .endsTheProcess: "killed-the-process"
        case .idReused: "id-reused"
        case .refused(let refusal): refusal.description
        case .data(let constraint): "data-\(constraint)"
        case .fault(let code): code
        }
    }
}
