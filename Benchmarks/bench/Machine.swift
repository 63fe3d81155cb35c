import Glibc
import Kafka
import Postgres
import PostgresTesting
import Runtime

/// The machine that the figures were measured on.
enum Machine {
    @Loop static func figures(_ stage: Stage) async throws -> [Figure] {
        let kafka = Figure(
            name: "machine.kafka", value: stage.kafka.kind == .apache ? 1 : 0, unit: "Apache Kafka",
            command: "KAFKA_HOME=… infra/bench",
            note: stage.kafka.kind == .apache
                ? "a single Apache Kafka node"
                : "the development broker in memory, which does not write to disk: not Kafka's figures; set KAFKA_HOME")
        return [
            Figure(
                name: "machine.cores", value: Double(sysconf(Int32(_SC_NPROCESSORS_ONLN))), unit: "", command: "nproc"),
            Figure(
                name: "machine.fdatasync", value: try fdatasyncMilliseconds(beside: TestPostgres.administrator.host),
                unit: "ms", command: "infra/bench",
                note: "median of 300 times 8 KiB written and flushed, beside the database"
            ),
            kafka,
        ]
    }

    private static func fdatasyncMilliseconds(beside folder: String) throws -> Double {
        let path = "\(folder)/fdatasync"
        let file = open(path, O_CREAT | O_RDWR, 0o600)
        guard file >= 0 else { throw BenchError("\(path) cannot be created (error \(errno)).") }
        defer {
            close(file)
            unlink(path)
        }
        let block = [UInt8](repeating: 1, count: 8192)
        var times: [Double] = []
        for round in 0..<320 {
            let start = monotonicNanoseconds()
            guard pwrite(file, block, block.count, off_t((round % 16) * 8192)) == block.count, fdatasync(file) == 0
            else { throw BenchError("\(path) cannot be flushed (error \(errno)).") }
            // The first rounds extend the file, which costs more.
            if round >= 20 { times.append(Double(monotonicNanoseconds() - start) / 1e6) }
        }
        return times.median
    }
}
