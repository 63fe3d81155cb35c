import Contracts
import HTTPServer
import ServiceKit
import analysis
import identity
import notifications
import quota
import reporting
import sessions

/// Every service's declaration.
let services: [any Service.Type] = [
    IdentityService.self, SessionsService.self, QuotaService.self, AnalysisService.self, ReportingService.self,
    NotificationsService.self,
]

/// Every list of problems, by its owner.
let problemLists: [(owner: String, codes: [ProblemCode])] =
    [("HTTPServer", ProblemCode.http), ("ServiceKit", ProblemCode.platform)]
    + services.map { ($0.name.rawValue, $0.problems) }

/// What a test says of a service by.
extension ServiceName {
    var declaration: any Service.Type { services.first { $0.name == self }! }
}
