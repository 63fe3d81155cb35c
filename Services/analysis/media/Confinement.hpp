#pragma once
#include <string>
#include <vector>

namespace mirrormate {

/// What a run may touch: everything else is closed to it and its children before the first byte of the input is read.
struct Grounds {
    /// Absolute, or relative to the scratch folder.
    std::string input;
    std::string models;
    /// The programs that may be executed.
    std::vector<std::string> programs;
    bool isPicture = false;
};

/// Goes into the scratch folder (if there is one) and, when started by root, becomes a user that owns nothing else: the input
/// is copied into the scratch folder, and models below a folder that is closed to others are mounted where this process alone
/// sees them. Otherwise the caller's user is kept. Returns false if that is impossible.
///
/// Call before limits are set and the parent is followed: a change of user makes the kernel forget the latter.
bool leaveRoot(Grounds& grounds, const std::string& scratch);

/// Closes everything but the grounds, for this process and its children, for good: files by Landlock (where the kernel has it),
/// calls by seccomp, new privileges. Call before the first thread starts. Returns false if the kernel refuses.
bool confine(const Grounds& grounds);

/// Closes the scratch folder for writing, too, for a child that is about to become another program. Call after `confine`; safe
/// between fork and exec.
bool forbidChanges();

/// Removes the copy of the input, if one was made, and what `removeAtEnd` was told of.
void removeCopy();

/// Has a file of the current folder removed, too.
void removeAtEnd(const std::string& name);

}  // namespace mirrormate
