package import Glibc

/// The variables by which systemd tells a service how to report to it (sd_notify(3),
/// sd_watchdog_enabled(3)).
package struct ServiceEnvironment: Sendable {
    /// The names of the variables, which are for this process alone.
    package static let names: Set<String> = ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"]

    /// The socket for messages; nil without a service manager.
    package let socket: DatagramSocket?
    /// The time within which ``ServiceMessage/watchdog`` must be repeated, in microseconds; nil when it
    /// need not be sent.
    package let watchdogMicroseconds: UInt64?

    /// Reads the variables; a value that is no valid one counts as not set.
    package init(_ environment: Environment, processID: pid_t = getpid()) {
        socket = environment["NOTIFY_SOCKET"].flatMap { DatagramSocket($0) }
        let microseconds = environment["WATCHDOG_USEC"].flatMap { UInt64($0) } ?? 0
        let isMeant = environment["WATCHDOG_PID"].map { $0 == "\(processID)" } ?? true
        watchdogMicroseconds =
            socket != nil && isMeant && microseconds > 0 && microseconds < UInt64(Int64.max)
            ? microseconds : nil
    }

    /// Sends a message; it does nothing without a service manager.
    package func send(_ message: ServiceMessage) {
        socket?.send(Array(message.text.utf8))
    }
}
