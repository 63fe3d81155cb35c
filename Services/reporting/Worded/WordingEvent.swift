package import Contracts
package import EventSourcing
import JSON
package import Primitives
package import Providers

/// A report that waits for sentences of a provider, as events have it: what ``ReportEvent/written(_:_:_:_:_:_:)`` will say.
package struct ReportDraft: Sendable, Equatable {
    package var document: DocumentReference
    package var summary: ReportSummary
    package var wording: ReportWording?
    package var basis: ReportBasis?

    package init(
        _ document: DocumentReference, _ summary: ReportSummary, _ wording: ReportWording?, _ basis: ReportBasis?
    ) {
        self.document = document
        self.summary = summary
        self.wording = wording
        self.basis = basis
    }

    init(_ object: JSONObject) throws(JSONError) {
        document = try DocumentReference(object.object("document"))
        summary = try ReportSummary(object.object("summary"))
        wording = try object.optionalObject("wording").map(ReportWording.init)
        basis = try object.optionalObject("basis").map(ReportBasis.init)
    }

    var json: JSONObject {
        JSONObject().adding([
            "document": .object(document.json), "summary": .object(summary.json),
            "wording": wording.map { .object($0.json) }, "basis": basis.map { .object($0.json) },
        ])
    }
}

/// What happens to a report before it is written, when a provider may word it. No sentence is in it.
package enum WordingEvent: Sendable, Equatable {
    /// A report is made, in the words of the catalogue, and waits for those of a provider.
    case drafted(ReportIdentity, ReportDraft)
    /// A provider is about to be asked; whatever happens, it is asked no second time for this. From `giveUpAt` on nobody waits for the answer.
    case callBegun(ReportIdentity, ProviderCall, giveUpAt: Timestamp)
    /// What a call came to.
    case callEnded(ReportIdentity, ProviderCallOutcome)

    package var report: ReportIdentity {
        switch self {
        case .drafted(let report, _), .callBegun(let report, _, _), .callEnded(let report, _): report
        }
    }

    package var type: EventType {
        switch self {
        case .drafted: EventType("ReportDrafted")
        case .callBegun: EventType("ProviderCallBegun")
        case .callEnded: EventType("ProviderCalled")
        }
    }

    var data: JSONObject {
        let common = report.reference.json
        return switch self {
        case .drafted(_, let draft): common.adding(membersOf: draft.json)
        case .callBegun(_, let call, let giveUpAt):
            common.adding(membersOf: call.json).adding(["giveUpAt": .time(giveUpAt)])
        case .callEnded(_, let outcome): common.adding(membersOf: outcome.json)
        }
    }

    /// An event of these; nil for an unknown name.
    static func read(_ name: String, _ data: JSONObject) throws(JSONError) -> WordingEvent? {
        func report() throws(JSONError) -> ReportIdentity { ReportIdentity(try SessionReference(data)) }
        return switch name {
        case "ReportDrafted": try .drafted(report(), ReportDraft(data))
        case "ProviderCallBegun":
            try .callBegun(report(), ProviderCall(data), giveUpAt: data.timestamp("giveUpAt"))
        case "ProviderCalled": try .callEnded(report(), ProviderCallOutcome(data))
        default: nil
        }
    }
}
