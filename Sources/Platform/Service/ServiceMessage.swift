/// A message of a service to its service manager (sd_notify(3)).
package enum ServiceMessage: Equatable, Sendable {
    /// The service has started, or has finished a reload.
    case ready(status: String)
    /// The service reloads its configuration.
    case reloading(monotonicMicroseconds: UInt64)
    /// The service stops.
    case stopping
    /// What the service does, on one line.
    case status(String)
    /// The service makes progress.
    case watchdog

    /// The lines of the message.
    package var text: String {
        switch self {
        case .ready(let status): "READY=1\n\(Self.line(of: status))"
        case .reloading(let time): "RELOADING=1\nMONOTONIC_USEC=\(time)\n"
        case .stopping: "STOPPING=1\n"
        case .status(let status): Self.line(of: status)
        case .watchdog: "WATCHDOG=1\n"
        }
    }

    /// A line break would begin another variable.
    private static func line(of status: String) -> String {
        "STATUS=\(status.withoutControlCharacters)\n"
    }
}
