import Glibc
import Readings

/// A file with the current input of a plugin, for the case that it traps or never returns.
///
/// It is `/tmp/pulsegate-conformance-PID-XXXXXX.txt`, and is removed when the suite returns.
final class InputRecord: Sendable {
    /// The path of the file; empty when it could not be made.
    let path: String
    private let descriptor: Int32

    init() {
        var template = Array("/tmp/pulsegate-conformance-\(getpid())-XXXXXX.txt".utf8CString)
        descriptor = mkstemps(&template, 4)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        let bytes = template.dropLast().map { UInt8(bitPattern: $0) }
        path = descriptor < 0 ? "" : String(decoding: bytes, as: UTF8.self)
    }

    deinit {
        guard descriptor >= 0 else { return }
        close(descriptor)
        unlink(path)
    }

    /// Replaces the content.
    func write(_ input: String) {
        guard descriptor >= 0 else { return }
        let text = Array("\(input)\n".utf8)
        _ = pwrite(descriptor, text, text.count, 0)
        _ = ftruncate(descriptor, off_t(text.count))
    }
}

/// Bytes as hexadecimal numbers with spaces between, as they are written to the record.
func hexadecimal(_ bytes: some Collection<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 3)
    for byte in bytes {
        text += [digits[Int(byte >> 4)], digits[Int(byte & 15)], UInt8(ascii: " ")]
    }
    return String(decoding: text.dropLast(), as: UTF8.self)
}
