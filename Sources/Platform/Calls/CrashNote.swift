import CCallMarks
import Glibc

/// The note that a crash leaves about the device whose data was being decoded.
///
/// The file stays open while the gateway runs: a signal handler writes it.
package struct CrashNote: Hashable, Sendable {
    /// The source of the device.
    package let source: String
    /// The local identifier of the device.
    package let device: String
    /// The signal that ended the process.
    package let signal: Int32

    /// Reads the note of the last run and removes it; lets a crash of this run write a new one.
    ///
    /// Without the file (a full disk, another owner) crashes leave no note.
    package static func take(from path: String, for marks: CallMarks) -> CrashNote? {
        let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let file = open(path, flags, 0o600)
        guard file >= 0 else { return nil }
        let note = CrashNote(SystemCall.read(file, limit: 4_096).bytes)
        // The space is reserved now: the disk may be full later.
        guard ftruncate(file, 0) == 0,
            posix_fallocate(file, 0, off_t(MemoryLayout<ccallmarks_crash>.size)) == 0
        else {
            close(file)
            return note
        }
        marks.recordCrashes(in: file)
        return note
    }

    /// Reads the content of the file; nil when it has no note.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= MemoryLayout<ccallmarks_crash>.size,
            bytes.starts(with: CCALLMARKS_MAGIC.utf8)
        else { return nil }
        let crash = bytes.withUnsafeBytes { $0.loadUnaligned(as: ccallmarks_crash.self) }
        source = LogFormat.escaped(CallMarks.text(crash.source))
        device = LogFormat.escaped(CallMarks.text(crash.device))
        signal = crash.signal
        guard !device.isEmpty else { return nil }
    }
}
