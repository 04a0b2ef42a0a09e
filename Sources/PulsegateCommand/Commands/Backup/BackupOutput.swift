import Backup
import GatewayHost
import Glibc
import Platform
import Terminal

/// Where a backup is written: a file, which is replaced at the end, or standard output.
struct BackupOutput {
    /// The functions that write.
    struct Writer {
        let write: ([UInt8]) throws(HostError) -> Void
        let commit: () throws(HostError) -> Void
    }

    /// The name for messages.
    let name: String
    /// The path of the copy of the store until it is in the backup.
    let storeDraft: String
    private let path: String?

    init(_ operand: String, isReplacing: Bool, _ folder: DataDirectory) throws(HostError) {
        guard operand != "-" else {
            guard !StandardStream.output.isTerminal else {
                throw HostError(
                    .usage,
                    "a backup is not for a terminal; redirect standard output, or name a file")
            }
            (name, path) = ("standard output", nil)
            storeDraft = folder.resolve("backup.\(getpid()).new")
            return
        }
        guard let target = OutputFile.resolved(operand) else {
            throw .system("write", operand, errno: ELOOP)
        }
        var status = stat()
        let exists = stat(target, &status) == 0
        let isFile = !exists || status.st_mode & S_IFMT == S_IFREG
        guard !exists || !isFile || isReplacing else {
            throw HostError(
                .failure,
                "\(operand) exists already; use another name, or replace it with --force")
        }
        (name, path) = (operand, operand)
        storeDraft =
            isFile
            ? "\(target).\(getpid()).store.new" : folder.resolve("backup.\(getpid()).new")
    }

    /// Opens the draft of the file; it is removed when it is not committed.
    func open() throws(HostError) -> Writer {
        guard let path else {
            return Writer(
                write: { (bytes) throws(HostError) in
                    guard try StandardStream.output.writePart(bytes) else {
                        throw HostError(
                            .failure, "the reader of standard output ended before the backup did")
                    }
                }, commit: { () throws(HostError) in })
        }
        let file = try OutputFile(path)
        return Writer(
            write: { (bytes) throws(HostError) in try file.write(bytes) },
            commit: { () throws(HostError) in try file.commit() })
    }
}
