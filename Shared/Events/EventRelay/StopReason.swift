import Kafka
import Postgres

/// Why a relay has stopped: a stable code for logs and metrics, a sentence for people.
struct StopReason {
    let code: String
    let sentence: String

    init(_ error: any Error) {
        switch error {
        case let trouble as RelayTrouble: (code, sentence) = (trouble.code, trouble.description)
        case let error as KafkaError: (code, sentence) = (error.code.rawValue, error.description)
        case let error as PostgresError: (code, sentence) = ("database", error.description)
        default: (code, sentence) = ("fault", "\(type(of: error))")
        }
    }
}
