import Platform
import WorkoutScreens

/// The data directory, its file system, and the journal.
package struct StorageFacts: Area {
    /// The time that a small write takes until it is on the disk.
    package enum WriteTime: Equatable, Sendable {
        case seconds(Double)
        /// It did not end within this number of seconds.
        case longer(than: Double)
    }

    /// Free space, in bytes, with which the gateway cannot write.
    package static let fullBytes: Int64 = 4 << 20
    /// Free space, in bytes, that is soon used up.
    package static let lowBytes: Int64 = 200 << 20
    /// A time, in seconds, that is too long for a small write.
    package static let slowSeconds = 0.5

    /// The path of the data directory; empty when there is none.
    package var path = ""
    /// Whether it exists.
    package var exists = false
    /// Why this user's gateway cannot use it.
    package var failure: String?
    /// Whether only another user may look into it.
    package var isOfAnotherUser = false
    /// The name of its owner, when that is another user.
    package var owner: String?
    /// The space that this user can fill; nil when it is not known.
    package var freeBytes: Int64?
    package var writeTime: WriteTime?
    /// What is wrong with the journal; nil when it was not read.
    package var journalProblems: [String]?
    /// Why the journal cannot be read.
    package var journalFailure: String?
    /// The path of the data directory of the service, when that is another one.
    package var serviceDirectory: (path: String, user: String)?

    var findings: [Finding] {
        access + space + speed + journal
    }

    private var access: [Finding] {
        var found: [Finding] = []
        if let failure {
            let (problem, fix) = Fix.split(
                failure, otherwise: "give this user write permission for \(path)")
            found.append(Finding(.dataDirectoryUnusable, problem, subject: path, fix: fix))
        }
        if isOfAnotherUser {
            let user = owner ?? "its user"
            found.append(
                Finding(
                    .dataOfAnotherUser,
                    "\(path) belongs to \(user), so its files and devices are not checked",
                    subject: path,
                    fix: owner.map {
                        Fix(command: Self.examination(of: path, by: $0))
                    } ?? Fix(instruction: "run this command as that user")))
        }
        if let service = serviceDirectory {
            let (directory, user) = service
            found.append(
                Finding(
                    .otherDataDirectory,
                    "pulsegate.service has its data in \(directory), and this command looks into "
                        + path, subject: directory,
                    fix: Fix(command: Self.examination(of: directory, by: user))))
        }
        return found
    }

    /// The command that examines a data directory as its user.
    private static func examination(of directory: String, by user: String) -> String {
        "sudo -u \(ShellWord.quoted(user)) env STATE_DIRECTORY=\(ShellWord.quoted(directory)) "
            + "pulsegate doctor"
    }

    private var space: [Finding] {
        guard let freeBytes, freeBytes < Self.lowBytes else { return [] }
        let isFull = freeBytes < Self.fullBytes
        return [
            Finding(
                isFull ? .diskFull : .diskLow,
                "the disk of \(path) has \(HumanQuantity.size(bytes: freeBytes)) left",
                subject: path,
                fix: Fix(
                    command: "df -h \(ShellWord.quoted(path))",
                    note: "free space there, or set `retention` of the store"))
        ]
    }

    private var speed: [Finding] {
        let time: String
        switch writeTime {
        case .seconds(let seconds) where seconds >= Self.slowSeconds:
            time = "takes \(Self.text(seconds))"
        case .longer(let seconds): time = "has not ended after \(Self.text(seconds))"
        case .seconds, nil: return []
        }
        return [
            Finding(
                .diskSlow, "a small write to the disk of \(path) \(time)", subject: path,
                fix: Fix(
                    command: "sudo dmesg --level=err,warn | tail",
                    note: "shows disk errors; replace a worn SD card"))
        ]
    }

    private static func text(_ seconds: Double) -> String {
        seconds < 1
            ? "\(Int((seconds * 1_000).rounded(.up))) ms" : "\((seconds * 10).rounded() / 10) s"
    }

    private var journal: [Finding] {
        if let journalFailure {
            let (problem, fix) = Fix.split(journalFailure, otherwise: "check the disk")
            return [Finding(.journalFailing, problem, subject: "journal", fix: fix)]
        }
        guard let journalProblems, !journalProblems.isEmpty else { return [] }
        return [
            Finding(
                .journalDamaged,
                "the journal is damaged: \(journalProblems.joined(separator: ", "))",
                subject: "journal",
                fix: Fix(
                    command: "pulsegate run",
                    note: "keeps what is intact and counts the rest as lost; check the disk"))
        ]
    }

    var well: [String] {
        var lines: [String] = []
        if !path.isEmpty, access.isEmpty, space.isEmpty {
            let free = freeBytes.map { ", \(HumanQuantity.size(bytes: $0)) free" } ?? ""
            lines.append(
                "data directory: \(path)\(exists ? "" : ", which the first run creates")\(free)")
        }
        if case .seconds(let seconds) = writeTime, speed.isEmpty {
            lines.append("disk: a small write takes \(Self.text(seconds))")
        }
        if let journalProblems, journalProblems.isEmpty, journalFailure == nil {
            lines.append("journal: no damage found")
        }
        return lines
    }
}
