import CCurl
import Glibc
import Runtime

/// Where the bytes of a request's body come from while libcurl sends it.
@Loop class UploadSource {
    /// Exactly so many bytes are announced and sent.
    let size: Int64

    init(size: Int64) { self.size = size }

    /// Fills a part of the buffer.
    ///
    /// - Returns: how many bytes; 0 at the end; or one of libcurl's words for "not now" and "never".
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int { Int(CURL_READFUNC_ABORT) }

    /// Goes back to an earlier place, because a request is sent once more.
    func seek(to offset: Int64) -> Bool { false }
}

/// A body whose bytes are handed over one piece after another, each when the one before it has been taken.
@Loop final class PieceUpload: UploadSource {
    private var piece: ArraySlice<UInt8> = []
    private var sent: Int64 = 0
    private var taken: LoopWait?
    private var hasEnded = false

    /// Offers a piece.
    ///
    /// - Returns: what waits until all of it has been taken.
    func offer(_ bytes: [UInt8]) -> LoopWait {
        let wait = LoopWait()
        piece = bytes[...]
        if piece.isEmpty || hasEnded { wait.resume() } else { taken = wait }
        return wait
    }

    /// Nothing is taken any more; whoever waits goes on.
    func end() {
        hasEnded = true
        piece = []
        taken?.resume()
        taken = nil
    }

    override func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        if sent == size { return 0 }
        if piece.isEmpty { return Int(CURL_READFUNC_PAUSE) }
        let count = min(buffer.count, piece.count, Int(size - sent))
        piece.prefix(count).withUnsafeBytes { buffer.copyMemory(from: $0) }
        piece = piece.dropFirst(count)
        sent += Int64(count)
        if piece.isEmpty || sent == size {
            piece = []
            taken?.resume()
            taken = nil
        }
        return count
    }

    /// What was handed over is gone, so only a request of which nothing was sent can begin again.
    override func seek(to offset: Int64) -> Bool { offset == sent }
}

func curlWantsData(
    _ data: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context else { return Int(CURL_READFUNC_ABORT) }
    let upload = Unmanaged<UploadSource>.fromOpaque(context).takeUnretainedValue()
    // Unsafe only to the compiler: callee and caller are on the same thread.
    nonisolated(unsafe) let buffer = UnsafeMutableRawBufferPointer(start: data, count: size * count)
    return Loop.assumeIsolated { upload.read(into: buffer) }
}

func curlSeeks(_ context: UnsafeMutableRawPointer?, _ offset: curl_off_t, _ origin: Int32) -> Int32 {
    guard let context, origin == SEEK_SET else { return CURL_SEEKFUNC_CANTSEEK }
    let upload = Unmanaged<UploadSource>.fromOpaque(context).takeUnretainedValue()
    return Loop.assumeIsolated { upload.seek(to: Int64(offset)) } ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
}
