import CCurl
import Glibc
import Runtime

/// Where the bytes of a request's body come from while libcurl sends it.
@Loop class UploadSource {
    /// The number of bytes announced and sent.
    let size: Int64

    init(size: Int64) { self.size = size }

    /// Fills part of the buffer.
    ///
    /// - Returns: the number of bytes; 0 at the end; or libcurl's code for pause or abort.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int { Int(CURL_READFUNC_ABORT) }

    /// Goes back to an earlier offset, because a request is sent again; false if that is impossible.
    func seek(to offset: Int64) -> Bool { false }
}

/// A body whose bytes are handed over piece by piece, each after the previous one has been taken.
@Loop final class PieceUpload: UploadSource {
    private var piece: ArraySlice<UInt8> = []
    private var sent: Int64 = 0
    private var taken: LoopWait?
    private var hasEnded = false

    /// Offers a piece.
    ///
    /// - Returns: a wait that ends when all of it has been taken.
    func offer(_ bytes: [UInt8]) -> LoopWait {
        let wait = LoopWait()
        piece = bytes[...]
        if piece.isEmpty || hasEnded { wait.resume() } else { taken = wait }
        return wait
    }

    /// Stops taking bytes and resumes the waiting task.
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

    /// Pieces are not kept, so only a request that has sent nothing can start over.
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

/// A file sent as a request's body, with the length that it had when it was opened.
@Loop final class FileUpload: UploadSource {
    private let descriptor: Int32
    private let onUpload: (@Loop (_ sent: Int64, _ total: Int64) -> Void)?
    private var sent: Int64 = 0

    init(_ path: String, onUpload: (@Loop (_ sent: Int64, _ total: Int64) -> Void)?) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            if descriptor >= 0 { close(descriptor) }
            throw HTTPClientError(.invalidRequest, "The file to send cannot be read; check its path and permissions.")
        }
        self.descriptor = descriptor
        self.onUpload = onUpload
        super.init(size: Int64(status.st_size))
    }

    deinit { close(descriptor) }

    override func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let wanted = min(buffer.count, Int(size - sent))
        if wanted == 0 { return 0 }
        let count = pread(descriptor, buffer.baseAddress, wanted, off_t(sent))
        // A file that has become shorter must not stall the transfer.
        guard count > 0 else { return Int(CURL_READFUNC_ABORT) }
        sent += Int64(count)
        onUpload?(sent, size)
        return count
    }

    override func seek(to offset: Int64) -> Bool {
        guard (0...size).contains(offset) else { return false }
        sent = offset
        return true
    }
}
