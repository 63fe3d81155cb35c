import Runtime

/// Something that runs until it is cancelled, with a way to end it.
@Loop struct Running<Part: Sendable> {
    let part: Part
    let task: Task<Void, any Error>

    /// Ends it cleanly.
    func stop() async {
        task.cancel()
        _ = await task.result
    }
}
