import GatewayCore
import Glibc

/// Finds and reads the configuration.
struct ConfigurationFile: Sendable {
    /// Where it was found; nil when there is none and the defaults hold.
    let path: String?
    /// What it says.
    let configuration: GatewayConfiguration

    /// The path for messages.
    var place: String { path ?? "the defaults" }

    /// Something in it is wrong.
    func failure(_ error: ConfigurationError) -> CommandFailure {
        CommandFailure(.configuration, "\(place): \(error)")
    }

    /// Reads the file that was asked for, or the first of the usual places that has one.
    static func load(
        option: String?, environment: Environment
    ) throws(CommandFailure) -> ConfigurationFile {
        if let path = option ?? environment["PULSEGATE_CONFIG"] {
            guard let text = try read(path) else {
                throw CommandFailure(.configuration, "no configuration at \(path)")
            }
            return try parse(text, path)
        }
        for path in usualPlaces(environment) {
            if let text = try read(path) { return try parse(text, path) }
        }
        return ConfigurationFile(path: nil, configuration: GatewayConfiguration())
    }

    /// The user's own file, then the machine's.
    static func usualPlaces(_ environment: Environment) -> [String] {
        let user = environment.folder("XDG_CONFIG_HOME") ?? environment.home.map { "\($0)/.config" }
        return (user.map { [$0] } ?? []).map { "\($0)/pulsegate/pulsegate.json5" }
            + ["/etc/pulsegate/pulsegate.json5"]
    }

    private static func parse(
        _ text: String, _ path: String
    ) throws(CommandFailure) -> ConfigurationFile {
        do {
            let root = ConfigurationNode(path: "", value: try ConfigurationValue(json5: text))
            return ConfigurationFile(path: path, configuration: try GatewayConfiguration(root))
        } catch {
            throw CommandFailure(.configuration, "\(path): \(error)")
        }
    }

    /// The text of a file; nil when there is none.
    private static func read(_ path: String) throws(CommandFailure) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        let code = errno
        guard descriptor >= 0 else {
            if code == ENOENT { return nil }
            throw unreadable(path, String(cString: strerror(code)))
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw unreadable(path, "not a file")
        }
        guard status.st_size <= ConfigurationValue.sizeLimit else {
            throw unreadable(path, "over 1 MiB")
        }
        var bytes = [UInt8](repeating: 0, count: ConfigurationValue.sizeLimit + 1)
        var length = 0
        while length < bytes.count {
            let count = bytes.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress?.advanced(by: length), $0.count - length)
            }
            if count < 0 { throw unreadable(path, String(cString: strerror(errno))) }
            if count == 0 { break }
            length += count
        }
        guard let text = String(validating: bytes.prefix(length), as: UTF8.self) else {
            throw unreadable(path, "not UTF-8 text")
        }
        return text
    }

    private static func unreadable(_ path: String, _ reason: String) -> CommandFailure {
        CommandFailure(.configuration, "cannot read \(path): \(reason)")
    }
}
