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
    /// The time when it is no valid one, so that no messages are sent.
    package let invalidWatchdog: String?

    /// Reads the variables; a value that is no valid one counts as not set.
    package init(_ environment: Environment, processID: pid_t = getpid()) {
        socket = environment["NOTIFY_SOCKET"].flatMap { DatagramSocket($0) }
        // The variables of another process are inherited, and say nothing to this one.
        let isMeant = environment["WATCHDOG_PID"].map { $0 == "\(processID)" } ?? true
        let text = isMeant ? environment["WATCHDOG_USEC"] : nil
        let microseconds = text.flatMap(Self.microseconds)
        watchdogMicroseconds = socket == nil ? nil : microseconds
        invalidWatchdog = microseconds == nil ? text : nil
    }

    /// A time as systemd writes it: digits, without a sign, spaces or leading zeros, which would begin an octal number.
    private static func microseconds(_ text: String) -> UInt64? {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard text.utf8.allSatisfy(digits.contains), !text.hasPrefix("0"), let time = UInt64(text)
        else { return nil }
        return time < UInt64(Int64.max) ? time : nil
    }

    /// Sends a message; it does nothing without a service manager.
    package func send(_ message: ServiceMessage) {
        socket?.send(Array(message.text.utf8))
    }
}
