import Contracts
import Runtime

@testable import analysis
@testable import quota
@testable import reporting
@testable import sessions

extension House {
    /// Puts 20,000 random commands, to all services that have read models, and folds these.
    func live(seed: UInt64) async throws {
        var dice = Dice(seed: seed)
        try await RandomHistory<Session>.sessions.write(5_000, to: logs[.sessions]!, &dice)
        try await RandomHistory<Allowance>.allowances.write(5_000, to: logs[.quota]!, &dice)
        try await RandomHistory<Job>.jobs.write(5_000, to: logs[.analysis]!, &dice)
        try await RandomHistory<Report>.reports.write(5_000, to: logs[.reporting]!, &dice)
        try await fold(SessionProjection.self, of: .sessions)
        try await fold(AllowanceProjection.self, of: .quota)
        try await fold(JobProjection.self, of: .analysis)
        try await fold(ReportProjection.self, of: .reporting)
    }
}
