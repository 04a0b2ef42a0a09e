import Glibc
import Platform

/// A failure of the log, with its cause and a remedy.
package struct LogError: Error, Equatable, CustomStringConvertible {
    /// What failed.
    package enum Problem: Equatable, Sendable {
        /// A system call, with its name and `errno`.
        case system(String, Int32)
        /// The file system has no space beside the reserve.
        case full
        /// The folder or a segment in use was removed, moved or replaced.
        case moved
        /// The path is not a folder, or a segment is not a regular file.
        case isNotAFolder
        /// A newer version wrote the log, with this format.
        case newerVersion(UInt32)
        /// A frame would be larger than a reader accepts.
        case isTooLarge
    }

    /// The path of the folder or file.
    package let path: String
    /// What failed.
    package let problem: Problem

    /// Whether space on the file system would help.
    package var isFull: Bool {
        switch problem {
        case .full: true
        case .system(_, let code): [ENOSPC, EDQUOT].contains(code)
        default: false
        }
    }

    /// The path, what failed, and what to do.
    package var description: String {
        switch problem {
        case .system(let operation, let code):
            let text = "\(path): \(operation): \(SystemCall.message(of: code))"
            return Self.remedy(of: code).map { "\(text); \($0)" } ?? text
        case .full:
            return "\(path): no space beside the reserve; free space on the file system"
        case .moved: return "\(path): the journal was removed, moved or replaced while in use"
        case .isNotAFolder: return "\(path): not a folder with regular files; move it away"
        case .newerVersion(let version):
            return "\(path): format \(version) is newer than this version of pulsegate; use the "
                + "version that wrote the journal, or a newer one"
        case .isTooLarge: return "\(path): a batch is larger than a frame"
        }
    }

    private static func remedy(of code: Int32) -> String? {
        switch code {
        case ENOSPC: "free space on the file system"
        case EDQUOT: "free space, or raise the disk quota of this user"
        case EFBIG: "raise the file size limit (`ulimit -f`)"
        case EIO: "check the kernel log for disk errors"
        case EROFS: "mount the file system for writing"
        case EACCES, EPERM: "grant this user write permission for the folder"
        case EMFILE: "raise the limit of open files (`ulimit -n`)"
        default: nil
        }
    }
}
