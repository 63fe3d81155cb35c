package import JSON
package import Primitives
package import Providers

/// What can be asked of a report that a provider may word. Times are given, never taken.
package enum WordingCommand: Sendable, Equatable {
    /// There is a report, and a provider may word it: let it wait. The content is in the words of the catalogue.
    case draft(ReportIdentity, ReportDraft, content: JSONObject)
    /// A provider is about to be asked.
    case begin(ReportIdentity, ProviderCall, giveUpAt: Timestamp)
    /// The call came to nothing that can be used.
    case end(ReportIdentity, ProviderCallOutcome)
    /// The call gave sentences: write the report with them.
    case adopt(ReportIdentity, ProviderCallOutcome, ReportBasis?, content: JSONObject)
    /// Nobody is to be asked any more: write the report in the words of the catalogue.
    case giveUp(ReportIdentity, now: Timestamp, content: JSONObject)
}
