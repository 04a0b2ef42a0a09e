import Backup
import GatewayHost
import Glibc
import Platform
import Terminal

/// Where a backup is written: a file, which is replaced at the end, a pipe, or standard output.
struct BackupOutput {
    /// The functions that write.
    struct Writer {
        let write: ([UInt8]) throws(HostError) -> Void
        let commit: () throws(HostError) -> Void
    }

    private enum Target {
        case standardOutput
        /// A pipe or a device, which is written to directly.
        case stream(String)
        case file(String)
    }

    /// The name for messages.
    let name: String
    /// The path of the copy of the store until it is in the backup.
    let storeDraft: String
    private let target: Target
    private let isReplacing: Bool

    init(_ operand: String, isReplacing: Bool, _ files: BackedUpFiles) throws(HostError) {
        self.isReplacing = isReplacing
        guard operand != "-" else {
            guard !StandardStream.output.isTerminal else {
                throw HostError(
                    .usage,
                    "a backup is not for a terminal; redirect standard output, or name a file")
            }
            (name, target) = ("standard output", .standardOutput)
            storeDraft = Self.draft(in: files.folder)
            return
        }
        guard let path = OutputFile.resolved(operand) else {
            throw .system("write", operand, errno: ELOOP)
        }
        try files.refuse(path, named: operand)
        name = operand
        // Beside the file, the user whose data root backs up can often write nothing.
        let isOfOther = files.folder.isForeignToRoot
        let draft = isOfOther ? Self.draft(in: files.folder) : Self.draft(beside: path)
        var status = stat()
        guard stat(path, &status) == 0 else {
            (target, storeDraft) = (.file(path), draft)
            return
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            (target, storeDraft) = (.stream(path), Self.draft(in: files.folder))
            return
        }
        guard isReplacing else { throw Self.exists(operand) }
        (target, storeDraft) = (.file(path), draft)
    }

    private static func draft(in folder: DataDirectory) -> String {
        folder.resolve("backup.\(getpid()).new")
    }

    private static func draft(beside path: String) -> String { "\(path).\(getpid()).store.new" }

    private static func exists(_ name: String) -> HostError {
        HostError(
            .failure, "\(name) exists already; use another name, or replace it with --force")
    }

    /// Opens the output, and begins what an interruption has to undo.
    ///
    /// The draft of a file is removed when it is not committed. A stream has nothing to undo as soon as it is
    /// written to, and its reader can let it wait without limit: then a signal ends the command at once.
    func open(_ interruption: Interruption) throws(HostError) -> Writer {
        switch target {
        case .standardOutput:
            interruption.begin()
            return stream(interruption) { (bytes) throws(HostError) in
                guard try StandardStream.output.writePart(bytes) else {
                    throw HostError(
                        .failure, "the reader of standard output ended before the backup did")
                }
            }
        case .stream(let path):
            // It waits for a reader; until then a signal ends the command.
            let file = try OutputFile(path)
            interruption.begin()
            return stream(interruption) { (bytes) throws(HostError) in try file.write(bytes) }
        case .file(let path):
            interruption.begin()
            let file = try OutputFile(path, whenExists: isReplacing ? nil : Self.exists(name))
            return Writer(
                write: { (bytes) throws(HostError) in try file.write(bytes) },
                commit: { () throws(HostError) in try file.commit() })
        }
    }

    private func stream(
        _ interruption: Interruption, _ write: @escaping ([UInt8]) throws(HostError) -> Void
    ) -> Writer {
        Writer(
            write: { (bytes) throws(HostError) in
                interruption.end()
                try interruption.check()
                try write(bytes)
            }, commit: { () throws(HostError) in })
    }
}
