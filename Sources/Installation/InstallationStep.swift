/// A step of an installation or its removal.
package enum InstallationStep: Equatable, Sendable {
    /// Write a file, unless it has this content.
    case write(InstallationFile)
    /// Remove a file, unless it is the operator's and changed.
    case remove(InstallationFile)
    /// Run a program.
    case run([String])
    /// Start or restart a unit: it is restarted when a file has been changed before.
    case start(unit: String, isUser: Bool)
    /// Tell the operator something.
    case note(String)
}

/// The service of the system, or of the user who runs the command.
package enum InstallationScope: Equatable, Sendable {
    case system
    case user
}
