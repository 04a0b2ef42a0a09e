import GatewayCore
import GatewayHost
import Glibc
import JournalLog
import Platform
import Serial

/// Collects the facts about the data directory.
struct StorageCheck: Sendable {
    /// The time, in seconds, that the disk may take for a small write.
    private static let writeLimitSeconds = 5.0
    /// The time, in seconds, that reading the journal may take.
    private static let journalLimitSeconds = 10.0
    /// The number of writes, of which the middle one counts.
    private static let writeCount = 3
    private static let writeSize = 4_096

    let folder: DataDirectory
    /// Whether a gateway runs, which says itself how its journal is.
    let isRunning: Bool
    let clock: any GatewayClock

    /// The facts; a small file is written and removed when the directory is this user's.
    func facts() async -> StorageFacts {
        var facts = StorageFacts()
        facts.path = folder.path
        var status = stat()
        facts.exists = stat(folder.path, &status) == 0
        if folder.isOfAnotherUser {
            facts.isOfAnotherUser = true
            facts.owner = facts.exists ? AccountNames.user(status.st_uid) : nil
            return facts
        }
        // The lock file has a finding of its own.
        do throws(HostError) { try folder.checkDirectory() } catch { facts.failure = error.message }
        let isOwn = facts.exists && status.st_uid == geteuid()
        if let space = await Deadline(seconds: Self.writeLimitSeconds, clock: clock).value(
            ofBlocking: { [folder] in Self.freeBytes(near: folder.path) })
        {
            facts.freeBytes = space
        }
        guard facts.failure == nil, isOwn else { return facts }
        facts.writeTime = await writeTime()
        if !isRunning { await readJournal(into: &facts) }
        return facts
    }

    private static func freeBytes(near path: String) -> Int64? {
        var status = statvfs()
        var place = path
        while statvfs(place, &status) != 0 {
            guard errno == ENOENT, place != "/" else { return nil }
            place = TextFile.folder(of: place)
        }
        // Root may use the reserved blocks too; they are left out of account.
        return Int64(clamping: status.f_bavail).multipliedReportingOverflow(
            by: Int64(clamping: status.f_frsize)
        ).partialValue
    }

    private func writeTime() async -> StorageFacts.WriteTime? {
        let path = folder.resolve(".doctor-\(getpid())")
        let limit = Self.writeLimitSeconds
        let seconds = await Deadline(seconds: limit, clock: clock).value(ofBlocking: {
            [clock] () -> Double? in
            let times = (0..<Self.writeCount).compactMap { _ in
                Self.secondsOfWrite(to: path, clock: clock)
            }.sorted()
            return times.isEmpty ? nil : times[times.count / 2]
        })
        switch seconds {
        case .some(let seconds?): return .seconds(seconds)
        case .some(nil): return nil
        case nil: return .longer(than: limit)
        }
    }

    /// The time until a new file is on the disk; nil when it cannot be written.
    private static func secondsOfWrite(to path: String, clock: any GatewayClock) -> Double? {
        let start = clock.now()
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
        defer {
            close(descriptor)
            unlink(path)
        }
        let bytes = [UInt8](repeating: 0, count: writeSize)
        guard (try? OutputDescriptor(descriptor: descriptor).write(bytes)) != nil,
            fsync(descriptor) == 0
        else { return nil }
        return clock.now().seconds(since: start)
    }

    private func readJournal(into facts: inout StorageFacts) async {
        let path = folder.resolve(DataFiles.journal)
        let result = await Deadline(seconds: Self.journalLimitSeconds, clock: clock).value(
            ofBlocking: { () -> Result<[String], LogError> in
                do throws(LogError) {
                    return .success(try LogInspector.problems(at: path))
                } catch {
                    return .failure(error)
                }
            })
        switch result {
        case .success(let problems): facts.journalProblems = problems
        case .failure(let error): facts.journalFailure = "\(error)"
        case nil: break
        }
    }
}
