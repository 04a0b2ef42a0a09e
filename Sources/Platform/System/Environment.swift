import Glibc

/// What the command reads of its environment; handed in, so that tests have their own.
package struct Environment: Sendable {
    /// The variables by name.
    package let variables: [String: String]

    /// The process's own environment.
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

    /// A variable; empty counts as not set (XDG Base Directory Specification).
    package subscript(name: String) -> String? {
        variables[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// A folder that a variable names; a path that is not absolute counts as not set (XDG Base Directory
    /// Specification).
    package func folder(_ name: String) -> String? {
        self[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }

    /// The user's home folder, from `$HOME` or else from the user database.
    package var home: String? {
        if let home = folder("HOME") { return home }
        guard let entry = getpwuid(getuid()) else { return nil }
        return String(cString: entry.pointee.pw_dir)
    }
}
