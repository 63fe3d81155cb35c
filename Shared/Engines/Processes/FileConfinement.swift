import CSystem

/// What the kernel offers to processes that give up access to files, as the media helper does.
package enum FileConfinement {
    /// Whether there is any: the kernel's Landlock.
    package static var isThere: Bool { mm_landlock_version() > 0 }
}
