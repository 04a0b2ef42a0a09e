import GatewayTesting
import Glibc
import Synchronization

/// A private message bus for a test: a `dbus-daemon` that ends with the test process.
public final class PrivateBus: Sendable {
    /// The error when the bus cannot be started.
    public struct Failure: Error, CustomStringConvertible {
        /// The problem and its remedy.
        public let description: String
    }

    /// The limits and policies of the daemon.
    public struct Limits: Sendable {
        /// Names to which sending is denied, as the policy of a distribution can do for
        /// `org.bluez`.
        public var deniedDestinations: [String] = []
        /// Methods of the bus itself that are denied, such as `GetNameOwner`.
        public var deniedBusMethods: [String] = []
        /// The maximum number of match rules of one connection.
        public var matchRules = 5_000
        /// The maximum number of bytes queued for a program that does not read; then signals are
        /// dropped.
        public var outgoingBytes = 512 << 20

        /// The maximum number of calls of one connection that have no answer yet; the default of the
        /// system bus is 128.
        public var unansweredCalls = 50_000

        /// Makes limits that ordinary tests do not reach.
        public init() {}
    }

    /// The address to connect to; it is the same after a restart.
    public let address: String
    private let folder: TemporaryFolder
    private let configuration: String
    private let daemon = Mutex<DaemonProcess?>(nil)

    /// Starts a daemon.
    ///
    /// - Throws: ``Failure`` when dbus-daemon is not installed; a test is skipped then.
    public init(limits: Limits = Limits()) throws {
        folder = try TemporaryFolder()
        address = "unix:path=\(folder.path("bus"))"
        configuration = try folder.write(
            Array(Self.configuration(address, limits).utf8), to: "bus.conf")
        try start()
    }

    /// Starts the daemon again on the same path, optionally with other limits.
    public func start(limits: Limits? = nil) throws {
        if let limits { try write(limits) }
        try daemon.withLock { daemon in
            guard daemon == nil else { return }
            // A killed daemon leaves its socket behind.
            unlink(folder.path("bus"))
            daemon = try DaemonProcess(configuration: configuration)
        }
    }

    /// Kills the daemon and waits for its end.
    public func stop() {
        daemon.withLock { $0 = nil }
    }

    package func write(_ limits: Limits) throws {
        try folder.write(Array(Self.configuration(address, limits).utf8), to: "bus.conf")
    }

    private static func configuration(_ address: String, _ limits: Limits) -> String {
        var denied = limits.deniedDestinations.map { "<deny send_destination=\"\($0)\"/>" }
        denied += limits.deniedBusMethods.map { method in
            """
            <deny send_destination="org.freedesktop.DBus"
              send_interface="org.freedesktop.DBus" send_member="\(method)"/>
            """
        }
        return """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
              "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig>
              <type>system</type>
              <listen>\(address)</listen>
              <auth>EXTERNAL</auth>
              <policy context="default">
                <allow send_destination="*"/>
                <allow send_type="signal"/>
                <allow receive_sender="*"/>
                <allow own="*"/>
                \(denied.joined(separator: "\n"))
              </policy>
              <limit name="max_incoming_bytes">536870912</limit>
              <limit name="max_outgoing_bytes">\(limits.outgoingBytes)</limit>
              <limit name="max_connections_per_user">1000</limit>
              <limit name="max_replies_per_connection">\(limits.unansweredCalls)</limit>
              <limit name="max_match_rules_per_connection">\(limits.matchRules)</limit>
            </busconfig>
            """
    }
}
