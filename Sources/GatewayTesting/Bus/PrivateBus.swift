import Glibc
import Synchronization

/// A message bus of a test's own: a `dbus-daemon` that ends with the test, however that ends.
public final class PrivateBus: Sendable {
    /// Why there is no bus.
    public struct Failure: Error, CustomStringConvertible {
        /// What is wrong, and what mends it.
        public let description: String
    }

    /// What the daemon allows.
    public struct Limits: Sendable {
        /// Programs to which nobody may send, as a distribution's policy for `org.bluez` can say.
        public var deniedDestinations: [String] = []
        /// Methods of the bus itself that nobody may call: `GetNameOwner`.
        public var deniedBusMethods: [String] = []
        /// How many match rules one connection may have.
        public var matchRules = 5_000
        /// How many bytes wait for a program that does not read, before signals to it are dropped.
        public var outgoingBytes = 512 << 20

        /// Makes limits that no usual test meets.
        public init() {}
    }

    /// The address to connect to; it is the same after a restart.
    public let address: String
    private let folder: TemporaryFolder
    private let configuration: String
    private let daemon = Mutex<DaemonProcess?>(nil)

    /// Starts a daemon.
    ///
    /// - Throws: ``Failure`` when there is none on this machine; a test skips itself then.
    public init(limits: Limits = Limits()) throws {
        folder = try TemporaryFolder()
        address = "unix:path=\(folder.path("bus"))"
        configuration = try folder.write(
            Array(Self.configuration(address, limits).utf8), to: "bus.conf")
        try start()
    }

    /// Starts the daemon again on the same path, with other limits if any are given.
    public func start(limits: Limits? = nil) throws {
        if let limits { try write(limits) }
        try daemon.withLock { daemon in
            guard daemon == nil else { return }
            // A daemon that was killed leaves its socket behind.
            unlink(folder.path("bus"))
            daemon = try DaemonProcess(configuration: configuration)
        }
    }

    /// Kills the daemon, and returns when it is gone.
    public func stop() {
        daemon.withLock { $0 = nil }
    }

    func write(_ limits: Limits) throws {
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
              <limit name="max_replies_per_connection">50000</limit>
              <limit name="max_match_rules_per_connection">\(limits.matchRules)</limit>
            </busconfig>
            """
    }
}
