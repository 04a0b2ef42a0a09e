import GatewayCore
import HealthModel
import JSON
import Platform

/// Selects the serial port of a source.
enum PortSelector: Hashable, Sendable {
    /// The port with this path.
    case path(String)
    /// The port with this identity, at any path.
    case identity(SerialPortIdentity)

    /// The local identifier of the device, which is stable when it is plugged in again.
    var deviceIdentifier: String {
        switch self {
        case .path(let path): path
        case .identity(let identity): identity.identifier
        }
    }
}

extension PortSelector {
    /// The maximum length of a serial number or ID_PATH.
    private static let textLimit = 256

    /// Parses `port: { path: … }` or `port: { vendor: …, product: …, serial: …, idPath: … }`.
    init(_ node: ConfigurationNode) throws(ConfigurationError) {
        let keys = SerialPortIdentity.Key.allCases
        let settings = try node.object(keys: ["path"] + keys.map(\.rawValue))
        if let path = settings["path"] {
            guard keys.allSatisfy({ settings[$0.rawValue] == nil }) else {
                throw node.error("set either `path`, or `vendor`, `product`, `serial` and `idPath`")
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
                "does not identify a port; set `path`, `vendor`, `product`, `serial` or `idPath`")
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
                throw node.error("must be up to \(textLimit) printable characters")
            }
            return text
        }
    }
}
