import Glibc

/// The environment variables of the command; injected, so that tests can set their own.
package struct Environment: Sendable {
    /// The variables by name.
    package let variables: [String: String]

    /// Makes an environment of these variables.
    package init(variables: [String: String]) {
        self.variables = variables
    }

    /// The environment of this process.
    package static var process: Environment {
        var variables: [String: String] = [:]
        var entry = environ
        while let text = entry.pointee {
            let parts = String(cString: text).split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
            entry += 1
        }
        return Environment(variables: variables)
    }

    /// The variables of this process without those that only the service itself may have, as
    /// `NAME=value`; nil when it has none of these.
    static var variablesForPrograms: [String]? {
        let variables = process.variables
        guard !ServiceEnvironment.names.isDisjoint(with: variables.keys) else { return nil }
        return variables.filter { !ServiceEnvironment.names.contains($0.key) }
            .map { "\($0.key)=\($0.value)" }
    }

    /// The value of a variable; empty counts as not set (XDG Base Directory Specification).
    package subscript(name: String) -> String? {
        variables[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The directory in a variable; a path that is not absolute counts as not set (XDG Base
    /// Directory Specification).
    package func folder(_ name: String) -> String? {
        self[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }

    /// The user's home directory, from `$HOME` or else from the user database.
    package var home: String? {
        if let home = folder("HOME") { return home }
        guard let entry = getpwuid(getuid()) else { return nil }
        return String(cString: entry.pointee.pw_dir)
    }
}
