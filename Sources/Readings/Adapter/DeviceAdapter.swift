public import Platform

/// The protocol decoder of one kind of device: a state machine from events to actions, without I/O.
///
/// An adapter is a value that reads no clock and uses no descriptor. Any device, even one with a
/// setup dialogue, can be tested with a table of events and actions. A transport (a serial port, a
/// Bluetooth link) creates one adapter for each connection and executes its actions.
///
/// `handle` must return for any input, must not trap, and must use bounded memory. What it requests
/// beyond its ``AdapterAllowance`` is discarded, counted and reported.
/// `AdapterConformance` in GatewayTesting checks this.
public protocol DeviceAdapter: Sendable {
    /// Handles one event and returns the actions to execute, in order.
    mutating func handle(_ event: AdapterEvent) -> [AdapterAction]
}

/// A data channel of a device: the UUID of a characteristic over Bluetooth.
///
/// A serial port has one channel, ``stream``.
public struct Channel: Hashable, Sendable, CustomStringConvertible {
    /// The only channel of a byte stream.
    public static let stream = Channel("stream")
    /// The channel of the program that decodes a byte stream: the lines that it prints.
    package static let program = Channel(program: "")

    /// The channel's name, in lower case.
    public let name: String

    /// Makes a channel from its name.
    public init(_ name: String) {
        self.name = name.lowercased()
    }

    /// Makes the channel of the program that decodes for a profile.
    package init(program profile: String) {
        self.init(profile.isEmpty ? Self.programPrefix : "\(Self.programPrefix) \(profile)")
    }

    private static let programPrefix = "program"

    /// Whether its bytes are from a program and not from the device.
    package var isOfProgram: Bool { name.hasPrefix(Self.programPrefix) }

    /// The name.
    public var description: String { name }
}

/// Something that happened on the link to a device.
public struct AdapterEvent: Hashable, Sendable {
    /// What happened.
    public enum Kind: Hashable, Sendable {
        /// The link was opened; the device may have been restarted since the last time.
        case opened
        /// Bytes arrived on a channel: any part of a stream, or one complete value of a
        /// characteristic.
        case received([UInt8], on: Channel)
        /// The time requested with ``AdapterAction/wake(at:)`` was reached.
        case timer
        /// The link was closed; no event follows before the next ``opened``.
        case closed
    }

    /// What happened.
    public let kind: Kind
    /// When the host received it.
    public let receipt: BootInstant

    /// Makes an event from what happened and when.
    public init(_ kind: Kind, at receipt: BootInstant) {
        self.kind = kind
        self.receipt = receipt
    }
}

/// An action that an adapter requests.
public enum AdapterAction: Hashable, Sendable {
    /// A reading from the device, which the converter turns into samples.
    case reading(Reading)
    /// Send these bytes to the device.
    case send([UInt8], on: Channel)
    /// Read the value of this channel; it arrives as ``AdapterEvent/Kind/received(_:on:)``.
    case read(Channel)
    /// Send ``AdapterEvent/Kind/timer`` at this time; a later request replaces an earlier one.
    case wake(at: BootInstant)
    /// Input was discarded; it is counted under this reason.
    case dropped(DropReason)
}

/// The reason why input from a device was discarded.
///
/// The raw values are used in logs and in `status`.
public enum DropReason: String, Hashable, Sendable, CaseIterable {
    /// The checksum, length or terminator is wrong.
    case damaged
    /// The packet is longer than the protocol allows.
    case tooLong
    /// The packet is complete, but of an unknown kind.
    case unknown
    /// The packet is of a known kind, but violates the device's protocol.
    case invalid
    /// The packet is valid but has no measurement: a strap without heart rate and contact state.
    case empty
    /// A duplicate notification: another program is subscribed to the device, too.
    case copy
    /// The adapter requested more than its ``AdapterAllowance``.
    case flood
    /// The program that decodes for the device did not read it in time.
    case overrun
    /// A measurement of a user of the device who is not the configured one.
    case otherUser
    /// Encrypted data for which there is no key, or another one.
    case encrypted
    /// A measurement that the adapter wants, and that the device lacks or refuses to make.
    case unavailable
    /// A measurement that the device no longer sends although its link lives; it is requested again.
    case silent
}
