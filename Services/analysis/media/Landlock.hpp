#pragma once
#include <cstdint>
#include <string>

namespace mirrormate {

/// The files that this process and its children may use, kept by the kernel's Landlock. Where the kernel has none, everything
/// here succeeds and nothing is closed.
class FileRules {
public:
    enum class Use { read, execute, write, device };
    /// What is closed as long as nothing opens it: all use of files, or only what makes, changes and removes them.
    enum class Closed { everything, changes };

    explicit FileRules(Closed closed = Closed::everything);
    ~FileRules();
    FileRules(const FileRules&) = delete;
    FileRules& operator=(const FileRules&) = delete;

    /// Opens a file, or a folder with all below it. What does not exist is no error.
    void allow(const std::string& path, Use use);
    /// Closes everything else, for good. Call before the first thread starts. Returns false if the kernel refuses.
    bool enforce();

    /// The kernel's version of Landlock; 0 if it has none.
    static int version();

private:
    int ruleset = -1;
    uint64_t handled = 0;
    bool isBroken = false;
};

}  // namespace mirrormate
