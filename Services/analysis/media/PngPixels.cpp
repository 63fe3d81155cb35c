#include "PngPixels.hpp"

#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include "Output.hpp"

namespace mirrormate {

namespace {

/// More than identity hands in.
constexpr size_t mostBytes = 16u << 20;
constexpr uint64_t mostPixels = 25'000'000;
/// What may follow the last row: some encoders write a little more than there is.
constexpr uint64_t mostSlack = 1u << 16;

[[noreturn]] void refuse() {
    throw Failure{"unreadable", "The file cannot be read as a picture; it may be damaged or incomplete. Choose another one.", false};
}

/// A descriptor that is closed at the end.
struct File {
    int number;
    ~File() {
        if (number >= 0) close(number);
    }
};

std::string contents(const std::string& path) {
    // As ffmpeg names it, so that it is no option.
    File file{open(path.rfind("file:", 0) == 0 ? path.c_str() + 5 : path.c_str(), O_RDONLY | O_CLOEXEC)};
    std::string all;
    char buffer[1 << 16];
    ssize_t count = -1;
    while (file.number >= 0 && (count = read(file.number, buffer, sizeof buffer)) > 0) {
        all.append(buffer, (size_t)count);
        if (all.size() > mostBytes) refuse();
    }
    if (count < 0) throw Failure{"internal", "The uploaded file cannot be opened. Upload it again.", true};
    return all;
}

uint32_t number(const std::string& bytes, size_t at) {
    const auto* one = reinterpret_cast<const unsigned char*>(bytes.data()) + at;
    return (uint32_t)one[0] << 24 | (uint32_t)one[1] << 16 | (uint32_t)one[2] << 8 | one[3];
}

/// The 13 bytes of IHDR (ISO/IEC 15948, section 11.2.2).
struct Head {
    uint64_t width, height, bits;
    bool isInterlaced;

    explicit Head(const std::string& body) {
        if (body.size() != 13) refuse();
        width = number(body, 0);
        height = number(body, 4);
        unsigned depth = (unsigned char)body[8], colour = (unsigned char)body[9], interlacing = (unsigned char)body[12];
        static const unsigned channels[] = {1, 0, 3, 1, 2, 0, 4};
        bool isDepth = depth == 1 || depth == 2 || depth == 4 || depth == 8 || depth == 16;
        if (!isDepth || colour > 6 || channels[colour] == 0 || interlacing > 1) refuse();
        if (width == 0 || height == 0 || width > mostPixels || height > mostPixels || width * height > mostPixels) refuse();
        bits = (uint64_t)depth * channels[colour];
        isInterlaced = interlacing == 1;
    }

    /// How many bytes all rows have, each with its filter's number in front.
    uint64_t rowBytes() const {
        if (!isInterlaced) return passBytes(width, height);
        // Where each of the seven passes begins, and how far apart its pixels are (section 8.2).
        static const unsigned passes[7][4] = {
            {0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}};
        uint64_t sum = 0;
        for (const auto& one : passes) sum += passBytes(parts(width, one[0], one[2]), parts(height, one[1], one[3]));
        return sum;
    }

private:
    static uint64_t parts(uint64_t length, unsigned start, unsigned step) {
        return length > start ? (length - start + step - 1) / step : 0;
    }
    uint64_t passBytes(uint64_t columns, uint64_t rows) const {
        return columns == 0 ? 0 : rows * (1 + (columns * bits + 7) / 8);
    }
};

/// Counts what the pixels' data becomes, without keeping it.
class Rows {
public:
    explicit Rows(uint64_t wanted) : wanted(wanted) {
        if (inflateInit(&stream) != Z_OK) throw Failure{"internal", "The picture tools are out of memory. Try again.", true};
    }
    Rows(const Rows&) = delete;
    ~Rows() { inflateEnd(&stream); }

    void take(const std::string& data) {
        stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
        stream.avail_in = (uInt)data.size();
        // A buffer that is full may have left something inside, whatever is still to be read.
        for (bool mayGoOn = stream.avail_in > 0; mayGoOn && !isOver; mayGoOn = stream.avail_in > 0 || stream.avail_out == 0) {
            stream.next_out = buffer;
            stream.avail_out = sizeof buffer;
            int verdict = inflate(&stream, Z_NO_FLUSH);
            // Nothing was inside.
            if (verdict == Z_BUF_ERROR) break;
            count += sizeof buffer - stream.avail_out;
            if ((verdict != Z_OK && verdict != Z_STREAM_END) || count > wanted + mostSlack) refuse();
            isOver = verdict == Z_STREAM_END;
        }
    }

    bool areThere() const { return count >= wanted; }

private:
    const uint64_t wanted;
    uint64_t count = 0;
    bool isOver = false;
    z_stream stream{};
    Bytef buffer[1 << 16];
};

void write(const std::string& bytes, const std::string& to) {
    File file{open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600)};
    size_t at = 0;
    while (file.number >= 0 && at < bytes.size()) {
        ssize_t count = ::write(file.number, bytes.data() + at, bytes.size() - at);
        if (count <= 0) break;
        at += (size_t)count;
    }
    if (at < bytes.size()) throw Failure{"internal", "The working folder is full. Try again.", true};
}

}  // namespace

void keepPixels(const std::string& from, const std::string& to) {
    const std::string all = contents(from);
    static const char signature[] = "\x89PNG\r\n\x1a\n";
    if (all.compare(0, 8, signature, 8) != 0 || all.size() < 8 + 25 || all.compare(12, 4, "IHDR") != 0 || number(all, 8) != 13) refuse();
    const Head head(all.substr(16, 13));
    Rows rows(head.rowBytes());
    std::string kept(signature, 8);
    bool isWhole = false;
    for (size_t at = 8; !isWhole;) {
        if (all.size() - at < 12) refuse();
        size_t length = number(all, at);
        if (length > all.size() - at - 12) refuse();
        const std::string name = all.substr(at + 4, 4);
        if (name == "IHDR" && at != 8) refuse();
        if (name == "IHDR" || name == "PLTE" || name == "tRNS" || name == "IDAT" || name == "IEND") {
            const auto* sum = reinterpret_cast<const Bytef*>(all.data()) + at + 4;
            if (crc32(0, sum, (uInt)(length + 4)) != number(all, at + 8 + length)) refuse();
            if (name == "IDAT") rows.take(all.substr(at + 8, length));
            kept.append(all, at, length + 12);
        }
        isWhole = name == "IEND";
        at += length + 12;
    }
    if (!rows.areThere()) refuse();
    write(kept, to);
}

}  // namespace mirrormate
