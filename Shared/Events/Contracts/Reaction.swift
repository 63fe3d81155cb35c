package import EventSourcing
package import Primitives

/// What a service does about a message of another service.
package enum Reaction<Command: Sendable>: Sendable {
    /// Nothing: the message, or this version of it, does not concern this service. Only the watermark moves.
    case ignore
    /// Put a command to an aggregate; what it decides enters the log with the watermark.
    case apply(StreamName, Command)
    /// Remove all that belongs to a user and publish when that is done; never waits behind other messages.
    case erase(subject: UUID)
    /// Give an account what an anonymous device has so far.
    ///
    /// - at: the moment of the hand-over as identity has signed it; nil when its release did not sign one.
    case handOver(device: UUID, account: UUID, at: Timestamp?)
    /// Write what the service has of a user, as its part of an export.
    case writeExportPart(ExportRequested)
    /// Remove the service's part of an export.
    case removeExportPart(ExportClosed)
    /// Note that another service has written its part of an export.
    case noteExportPart(ExportPartWritten)
    /// Let a provider have a user's data from now on.
    case learnConsent(ConsentGiven)
    /// Let a provider have no more of a user's data.
    case learnWithdrawal(ConsentWithdrawn)
}

extension Reaction: Equatable where Command: Equatable {}
