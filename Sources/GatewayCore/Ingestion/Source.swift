public import HealthModel
public import Platform
public import Readings

/// A source of readings: a serial port, a Bluetooth adapter, a simulation.
///
/// `run` continues until it is cancelled. When a link cannot be opened or breaks, it reports the
/// device as disconnected and throws a ``LinkError``; the supervisor calls `run` again after a
/// delay. A source must not depend on state from an earlier call.
public protocol Source: Sendable {
    /// Whether its input can be delayed: true for a program or a file, false for a radio or a port.
    ///
    /// Such a source is blocked while a sink with the policy `block` exceeds its buffer limit.
    var canWait: Bool { get }

    /// Produces readings until the task is cancelled or the link breaks.
    func run(into inlet: any ReadingInlet) async throws

    /// Adopts the settings of `other` without closing links that both have.
    ///
    /// - Returns: False if it cannot; then this source is stopped, and `other` is started.
    func adapt(to other: any Source) async -> Bool
}

extension Source {
    /// False: most input cannot be delayed.
    public var canWait: Bool { false }

    /// False: most sources can be restarted without much loss.
    public func adapt(to other: any Source) async -> Bool { false }
}

/// The receiver of a source's reports about its devices.
public protocol ReadingInlet: Sendable {
    /// Accepts one report and returns when it is in order with earlier ones; may wait when
    /// overloaded.
    func report(_ report: DeviceReport) async

    /// Sets the problem that affects all devices of the source while it continues; nil clears it.
    ///
    /// It is shown in `status`.
    func note(problem: LinkError?) async

    /// Counts discarded pieces of input that belong to no device, by reason.
    ///
    /// They are shown in `status` beside the source. Those of a device are a
    /// ``DeviceReport/Content/dropped(_:)`` of it.
    func note(discarded: [DropReason: Int]) async

    /// Whether the source must also report the ``DeviceReport/Content/traffic(_:)`` of its devices.
    var recordsTraffic: Bool { get }
}

extension ReadingInlet {
    /// False: only a capture needs the traffic.
    public var recordsTraffic: Bool { false }

    /// Does nothing.
    public func note(problem: LinkError?) async {}

    /// Does nothing.
    public func note(discarded: [DropReason: Int]) async {}
}

/// A source's report about one device.
public struct DeviceReport: Sendable {
    /// The content of the report.
    public enum Content: Sendable {
        /// The link was opened; the device has the properties that the transport knows so far.
        case opened(Device, at: BootInstant)
        /// Readings, in order of receipt.
        case readings([TimedReading])
        /// Complete records, whose times, values and people are checked.
        ///
        /// The device, its person and the source are added where a record has none.
        case records([Record], at: BootInstant)
        /// Numbers of discarded pieces of input, by reason.
        case dropped([DropReason: Int])
        /// Readings that are discarded before their conversion.
        case discarded(ReadingFaults, at: BootInstant)
        /// Data without a reading was received: the device is not silent.
        case seen(at: BootInstant)
        /// The link is open, but no data was received for too long.
        case stale(at: BootInstant, reason: String)
        /// The link was closed.
        case closed(at: BootInstant, reason: String)
        /// A new link state with its reason.
        ///
        /// It changes only `status`. ``opened(_:at:)``, ``stale(at:reason:)`` and
        /// ``closed(at:reason:)`` imply the states `live`, `stale` and `backOff`.
        case link(LinkState, reason: String?)
        /// The source no longer handles the device.
        case forgotten
        /// Raw traffic, which is only recorded.
        case traffic(DeviceTraffic)
    }

    /// The device's local identifier: the path of a port, the address of a radio device.
    public let device: String
    /// The content of the report.
    public let content: Content
    /// Follows the report until its records are committed; nil if the source does not answer.
    package let receipt: ReportReceipt?

    /// Makes a report about the device with this local identifier.
    public init(device: String, _ content: Content) {
        self.init(device: device, content, receipt: nil)
    }

    /// Makes a report whose receipt gets its outcome.
    package init(device: String, _ content: Content, receipt: ReportReceipt?) {
        self.device = device
        self.content = content
        self.receipt = receipt
    }
}

/// The reason why a link is not available, as a message for the operator, with a remedy.
public struct LinkError: Error, Hashable, CustomStringConvertible {
    /// The problem: `/dev/ttyUSB0: permission denied`.
    public let problem: String
    /// The remedy, if one is known.
    public let remedy: String?
    /// The commands of the remedy; nil when it has none, or they are only in its text.
    package let commands: Remedy?

    /// Makes an error from a problem and its remedy.
    public init(_ problem: String, remedy: String? = nil) {
        self.problem = problem
        self.remedy = remedy
        commands = nil
    }

    /// Makes an error from a problem and the commands that fix it.
    package init(_ problem: String, remedy: Remedy) {
        self.problem = problem
        self.remedy = "\(remedy)"
        commands = remedy.commands.isEmpty ? nil : remedy
    }

    /// The same error with another problem.
    package func with(problem: String) -> LinkError {
        commands.map { LinkError(problem, remedy: $0) } ?? LinkError(problem, remedy: remedy)
    }

    /// The problem, followed by a semicolon and the remedy.
    public var description: String { remedy.map { "\(problem); \($0)" } ?? problem }
}
