import Glibc

/// The rfkill block of a Bluetooth radio (Documentation/driver-api/rfkill.rst).
package enum RadioBlock: Hashable, Sendable {
    /// A hardware switch.
    case bySwitch
    /// `rfkill block`, or a desktop's aeroplane mode.
    case bySoftware

    /// The maximum number of radios that are checked.
    private static let radioLimit = 64

    /// Reads the state of the Bluetooth radios from `/sys/class/rfkill`; nil when none is blocked.
    package static func read(from folder: String = "/sys/class/rfkill") -> RadioBlock? {
        var found: RadioBlock?
        for radio in radios(in: folder) where word(at: "\(radio)/type") == "bluetooth" {
            if word(at: "\(radio)/hard") == "1" { return .bySwitch }
            if word(at: "\(radio)/soft") == "1" { found = .bySoftware }
        }
        return found
    }

    /// The folders of the radios; listed, because the kernel never reuses a number.
    private static func radios(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var radios: [String] = []
        while radios.count < radioLimit, let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) {
                    String(cString: $0)
                }
            }
            if name.hasPrefix("rfkill") { radios.append("\(folder)/\(name)") }
        }
        return radios
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
