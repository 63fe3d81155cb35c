import CCurl
import Glibc
import Runtime

/// A file that is sent as a request's body; its length when it was opened is announced and sent.
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
        // A file that has become shorter must not hang the exchange.
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
