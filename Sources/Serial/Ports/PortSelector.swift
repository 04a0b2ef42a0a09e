import GatewayCore
import HealthModel
import JSON
import Platform

/// Which serial port a source reads.
enum PortSelector: Hashable, Sendable {
    /// The port that has this path now.
    case path(String)
    /// The port of this device, whatever its path is.
    case identity(SerialPortIdentity)

    /// The local identifier of the device, which stays the same from one plugging to the next.
    var deviceIdentifier: String {
        switch self {
        case .path(let path): path
        case .identity(let identity): identity.identifier
        }
    }
}

extension PortSelector {
    /// Longer text is no device's.
    private static let textLimit = 256

    /// Reads `port: { path: … }` or `port: { vendor: …, product: …, serial: …, idPath: … }`.
    init(_ node: ConfigurationNode) throws(ConfigurationError) {
        let keys = SerialPortIdentity.Key.allCases
        let settings = try node.object(keys: ["path"] + keys.map(\.rawValue))
        if let path = settings["path"] {
            guard keys.allSatisfy({ settings[$0.rawValue] == nil }) else {
                throw node.error("a port is named by its `path` or by what it is, not by both")
            }
            self = .path(try Self.path(path))
            return
        }
        var identity = SerialPortIdentity()
        for key in keys {
            guard let value = settings[key.rawValue] else { continue }
            identity[key] = try Self.value(of: key, value)
        }
        guard identity != SerialPortIdentity() else {
            throw node.error(
                "names no port; say its `path`, or `vendor`, `product`, `serial` or `idPath`")
        }
        self = .identity(identity)
    }

    private static func path(_ node: ConfigurationNode) throws(ConfigurationError) -> String {
        let text = try node.string()
        guard text.hasPrefix("/"), !text.utf8.contains(0) else {
            throw node.error("must be an absolute path, such as /dev/ttyUSB0")
        }
        return text
    }

    private static func value(
        of key: SerialPortIdentity.Key, _ node: ConfigurationNode
    ) throws(ConfigurationError) -> String {
        let text = try node.string()
        switch key {
        case .vendor, .product:
            guard text.utf8.count == 4, text.utf8.allSatisfy(\.isHexadecimalDigit) else {
                throw node.error("must be four hexadecimal digits, such as \"10c4\"")
            }
            return text.lowercased()
        case .serial, .idPath:
            guard text.utf8.count <= textLimit, LogFormat.escaped(text) == text else {
                throw node.error("must be at most \(textLimit) printable characters")
            }
            return text
        }
    }
}
