import Platform

/// What other users of the machine may read or change.
package struct PermissionFacts: Area {
    /// The data directory, when others may enter it.
    package var openDirectory: String?
    /// The stored secrets, and their folder, that others may read.
    package var openSecrets: [String] = []
    /// The configuration, when others may write it.
    package var writableConfiguration: String?
    /// The configuration, when others may read it and it contains headers, as of a login.
    package var readableConfiguration: String?

    var findings: [Finding] {
        var found: [Finding] = []
        if let path = openDirectory {
            found.append(
                Finding(
                    .dataDirectoryOpen,
                    "other users can enter \(path), which contains health values",
                    subject: path, fix: Fix(command: "chmod 700 \(ShellWord.quoted(path))")))
        }
        found += openSecrets.map { path in
            Finding(
                .secretsOpen, "other users can read \(path), so it is not used", subject: path,
                fix: Fix(
                    command: "chmod go= \(ShellWord.quoted(path))",
                    note: "and replace the token at its server"))
        }
        if let path = writableConfiguration {
            found.append(
                Finding(
                    .configurationOpen,
                    "other users can change \(path), which can name programs to run", subject: path,
                    fix: Fix(command: "chmod go-w \(ShellWord.quoted(path))")))
        }
        if let path = readableConfiguration {
            found.append(
                Finding(
                    .configurationOpen, "other users can read \(path), which contains headers",
                    subject: path,
                    fix: Fix(
                        command: "chmod go-r \(ShellWord.quoted(path))",
                        note: "or store them with pulsegate secret set NAME")))
        }
        return found
    }

    var well: [String] { [] }
}
