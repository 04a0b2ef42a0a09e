import Glibc
import Platform

/// The file of records that the server rejected, one JSON object per line.
///
/// At its size limit it is renamed, replacing an older file, and a new one is created. Every call
/// blocks.
struct RejectFile {
    /// The reason for a failed write.
    struct Failure: Error, CustomStringConvertible {
        let path: String
        let reason: String
        /// Whether there is no space left.
        var isStorageFull = false
        var remedy = "check that this user can write the file and that the disk has free space"

        var description: String { "\(path): \(reason); \(remedy)" }
    }

    /// The size in bytes at which the file is renamed.
    static let defaultLimit: Int64 = 16 << 20

    let path: String
    /// Whether writes are synced to survive a power loss.
    let isSynced: Bool
    var limit = Self.defaultLimit

    /// The path of the previous file.
    var olderPath: String { "\(path).1" }

    /// Appends all lines, or none.
    ///
    /// - Returns: Whether an older file was replaced and its records lost.
    func append(_ lines: [UInt8]) throws(Failure) -> Bool {
        let file = AppendedFile(path: path, waitsForDisk: isSynced)
        do throws(AppendedFile.Failure) {
            if try file.append(lines, limit: limit) { return false }
            let isReplacing = access(olderPath, F_OK) == 0
            guard rename(path, olderPath) == 0 else {
                throw AppendedFile.Failure(path: path, problem: .system("rename", errno))
            }
            try file.append(lines)
            return isReplacing
        } catch {
            throw Self.failure(error)
        }
    }

    private static func failure(_ failure: AppendedFile.Failure) -> Failure {
        switch failure.problem {
        case .isLink, .isNotRegular:
            Failure(path: failure.path, reason: failure.reason, remedy: "move it away")
        case .system:
            Failure(
                path: failure.path, reason: failure.reason, isStorageFull: failure.isStorageFull)
        }
    }
}
