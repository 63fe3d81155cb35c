struct SubmitCommand { init(_ a: Arguments, _ c: Console) throws {} ; func run() async throws -> ExitCode { .failure } }
struct DemoCommand { init(_ a: Arguments, _ c: Console) throws {} ; func run() async throws -> ExitCode { .failure } }
