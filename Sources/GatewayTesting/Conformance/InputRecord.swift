import GatewayCore
import Glibc
import Readings

/// A file with the input that an adapter is handling, for the case that it traps or never returns.
///
/// It is `/tmp/pulsegate-conformance-PID.txt`, and is removed when the check returns.
final class InputRecord: Sendable {
    private let path = "/tmp/pulsegate-conformance-\(getpid()).txt"
    private let descriptor: Int32

    init() {
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    }

    deinit {
        guard descriptor >= 0 else { return }
        close(descriptor)
        unlink(path)
    }

    /// Replaces the record.
    func write(_ kind: AdapterEvent.Kind, seed: UInt64?) {
        guard descriptor >= 0 else { return }
        let event =
            switch kind {
            case .opened: "opened"
            case .closed: "closed"
            case .timer: "timer"
            case .received(let bytes, let channel):
                "received on \(channel): " + bytes.map(Self.hex).joined(separator: " ")
            }
        let text = Array("\(seed.map { "seed \($0), " } ?? "")\(event)\n".utf8)
        _ = pwrite(descriptor, text, text.count, 0)
        _ = ftruncate(descriptor, off_t(text.count))
    }

    private static func hex(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
}
