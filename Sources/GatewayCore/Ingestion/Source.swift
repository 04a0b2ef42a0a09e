public import HealthModel
public import Platform

/// What runs and produces readings: a serial port, a Bluetooth adapter, a simulation.
///
/// `run` works until it is cancelled. When the link cannot be had or breaks it reports the device as
/// disconnected and throws a ``LinkError``; the supervisor calls `run` again after a pause. A source
/// keeps nothing between two calls that the second could not do without.
public protocol Source: Sendable {
    /// Whether what it reads waits for it: a program or a file does, a radio or a port does not.
    ///
    /// Such a source may be held up by a sink that lags too far and wants to be waited for.
    var canWait: Bool { get }

    /// Produces readings until the task is cancelled or the link breaks.
    func run(into inlet: any ReadingInlet) async throws

    /// Goes on as `other` would, which has other settings, without breaking a link that both have.
    ///
    /// - Returns: False when it cannot; then this source is stopped, and the other one is started.
    func adapt(to other: any Source) async -> Bool
}

extension Source {
    /// Most sources read what comes when it comes.
    public var canWait: Bool { false }

    /// Most sources have one link, or none, and lose little.
    public func adapt(to other: any Source) async -> Bool { false }
}

/// Takes what sources have to say about their devices.
public protocol ReadingInlet: Sendable {
    /// Takes one report. It returns when the report is in order of arrival with those before it; it
    /// may wait while too much is under way.
    func take(_ report: DeviceReport) async

    /// Notes what keeps the source from all its devices while it goes on; nil when that is over.
    ///
    /// `status` shows it, and nothing else comes of it.
    func note(trouble: LinkError?) async
}

extension ReadingInlet {
    /// Most of those who take reports do not show what a source has to put up with.
    public func note(trouble: LinkError?) async {}
}

/// What a source has to say about one device.
public struct DeviceReport: Sendable {
    /// What there is to say.
    public enum Content: Sendable {
        /// The link was opened at this time. The device is what the transport knows of it so far.
        case opened(Device, at: BootInstant)
        /// The device said this, in order of receipt.
        case readings([TimedReading])
        /// So many pieces from the device were not used.
        case dropped([DropReason: Int])
        /// The device said something at this time that has no reading in it: it is not silent.
        case heard(at: BootInstant)
        /// The link is there, but nothing has come for too long.
        case stale(at: BootInstant, reason: String)
        /// The link was closed at this time.
        case closed(at: BootInstant, reason: String)
        /// The way to the device is so far, and what is in its way.
        ///
        /// It changes what `status` shows and nothing else. ``opened(_:at:)`` means `live`,
        /// ``stale(at:reason:)`` `stale` and ``closed(at:reason:)`` `backOff` by themselves.
        case link(LinkState, reason: String?)
        /// The source has nothing to do with the device any more.
        case forgotten
    }

    /// The device's local identifier: the path of a port, the address of a radio device.
    public let device: String
    /// What there is to say.
    public let content: Content

    /// Makes a report about the device with this local identifier.
    public init(device: String, _ content: Content) {
        self.device = device
        self.content = content
    }
}

/// Why a link is not there, in words for whoever runs the gateway, with what mends it.
public struct LinkError: Error, Hashable, CustomStringConvertible {
    /// What is wrong: `/dev/ttyUSB0: permission denied`.
    public let problem: String
    /// What to do about it, when anything is known to help.
    public let remedy: String?

    /// Makes an error from what is wrong and what to do about it.
    public init(_ problem: String, remedy: String? = nil) {
        self.problem = problem
        self.remedy = remedy
    }

    /// The problem, and the mend after a semicolon.
    public var description: String { remedy.map { "\(problem); \($0)" } ?? problem }
}
