package import Glibc

/// The environment variables of the command; injected, so that tests can set their own.
package struct Environment: Sendable {
    /// The variables by name.
    package let variables: [String: String]
    /// The user that had them; nil for any.
    private let user: uid_t?

    /// Makes an environment of these variables, and of the user that has them.
    package init(variables: [String: String], of user: uid_t? = nil) {
        self.variables = variables
        self.user = user
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
        return Environment(variables: variables, of: geteuid())
    }

    /// Whether the process has become another user since, as root does for the data of that user.
    package var isOfAnotherUser: Bool { user.map { $0 != geteuid() } ?? false }

    /// The variables for the programs that the process starts: those that belong to a user are of its present one.
    package var forPrograms: [String: String] {
        guard isOfAnotherUser else { return variables }
        var found = variables.filter {
            !Self.ofUser.contains($0.key) && !$0.key.hasPrefix("XDG_")
        }
        if let account = AccountNames.account(geteuid()) {
            found["USER"] = account.name
            found["LOGNAME"] = account.name
            found["HOME"] = account.home
        }
        let runtime = "/run/user/\(geteuid())"
        if access(runtime, W_OK | X_OK) == 0 { found["XDG_RUNTIME_DIR"] = runtime }
        return found
    }

    /// The variables that belong to a user, beside those of the XDG conventions.
    private static let ofUser: Set<String> = [
        "DBUS_SESSION_BUS_ADDRESS", "HOME", "LOGNAME", "MAIL", "SHELL", "TMPDIR", "USER",
        "USERNAME",
    ]

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
