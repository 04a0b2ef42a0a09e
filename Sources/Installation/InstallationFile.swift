import Platform

/// A file that an installation writes.
package struct InstallationFile: Equatable, Sendable {
    /// Whether a file of another content is replaced.
    package enum Owner: Equatable, Sendable {
        /// Pulsegate: a new version replaces it.
        case program
        /// The operator, who may have changed it.
        case person
    }

    /// The absolute path.
    package let path: String
    package let content: String
    /// The permission bits.
    package var mode: UInt32 = 0o644
    package var owner = Owner.program
}

/// The files that are in the program.
package enum InstallationFiles {
    /// The command in the units, as the package installs it.
    static let packagedCommand = "/usr/bin/pulsegate"
    /// The line of the example that names the data directory of the service.
    private static let dataDirectoryLine = "  // dataDirectory: \"/var/lib/pulsegate\","

    /// The unit of the system service.
    package static let systemUnit = text(PackageResources.pulsegate_service)
    /// The unit of a user's service.
    package static let userUnit = text(PackageResources.pulsegate_user_service)
    /// The user and the groups of the service, for systemd-sysusers.
    package static let users = text(PackageResources.pulsegate_sysusers)
    /// The owners of the configuration, for systemd-tmpfiles.
    package static let permissions = text(PackageResources.pulsegate_tmpfiles)
    /// The rules of serial ports, for udev.
    package static let portRules = text(PackageResources.serial_ports_rules)
    /// A configuration in which everything is a comment.
    package static let example = text(PackageResources.example_json5)

    /// The example that names the data directory of the service, so that the commands of other users find
    /// its gateway.
    package static var systemExample: String {
        example.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0 == dataDirectoryLine ? uncommented($0) : String($0) }
            .joined(separator: "\n")
    }

    private static func uncommented(_ line: Substring) -> String {
        line.firstRange(ofText: "// ").map { line[..<$0.lowerBound] + line[$0.upperBound...] }
            .map(String.init) ?? String(line)
    }

    /// A unit that runs the program at another path.
    static func unit(_ unit: String, running program: String) -> String {
        unit.replacing(text: "\(packagedCommand) run", with: "\(escaped(program)) run")
    }

    /// A path as a word of a unit (systemd.syntax(7)).
    private static func escaped(_ path: String) -> String {
        let doubled = path.map { $0 == "%" ? "%%" : $0 == "$" ? "$$" : "\($0)" }.joined()
        let isPlain = doubled.allSatisfy { !$0.isWhitespace && !"\"'\\".contains($0) }
        guard !isPlain else { return doubled }
        let quoted = doubled.map { "\"\\".contains($0) ? "\\\($0)" : "\($0)" }.joined()
        return "\"\(quoted)\""
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
