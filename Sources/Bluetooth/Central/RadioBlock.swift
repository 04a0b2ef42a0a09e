import Glibc

/// What keeps the kernel from using the Bluetooth radio (Documentation/driver-api/rfkill.rst).
enum RadioBlock: Hashable, Sendable {
    /// A switch of the machine.
    case bySwitch
    /// `rfkill block`, or a desktop's aeroplane mode.
    case bySoftware

    /// More radios than these no machine has.
    private static let radioLimit = 64

    /// Reads what `/sys/class/rfkill` says of Bluetooth radios; nil when none is blocked.
    static func read(from folder: String = "/sys/class/rfkill") -> RadioBlock? {
        var found: RadioBlock?
        for number in 0..<radioLimit {
            let radio = "\(folder)/rfkill\(number)"
            guard word(at: "\(radio)/type") == "bluetooth" else { continue }
            if word(at: "\(radio)/hard") == "1" { return .bySwitch }
            if word(at: "\(radio)/soft") == "1" { found = .bySoftware }
        }
        return found
    }

    private static func word(at path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return nil }
        let text = String(decoding: bytes.prefix(count), as: UTF8.self)
        return text.split(whereSeparator: \.isWhitespace).first.map(String.init)
    }
}
