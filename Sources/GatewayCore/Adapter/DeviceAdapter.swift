public import Platform

/// What understands one kind of device: events in, actions out, no input or output of its own.
///
/// An adapter is a value that reads no clock and touches no descriptor, so that any device, even one
/// with a set-up dialogue, is tested as a table of events and actions. A transport (a serial port, a
/// Bluetooth link) makes one adapter for each connection and carries its actions out.
///
/// `handle` must come to an end for any bytes whatever, must not trap, and must keep what it
/// remembers bounded. `AdapterConformance` of GatewayTesting checks that.
public protocol DeviceAdapter: Sendable {
    /// Takes one event and answers with what is to be done, in order.
    mutating func handle(_ event: AdapterEvent) -> [AdapterAction]
}

/// A way to and from the device beside its main stream: a characteristic's UUID over Bluetooth.
///
/// A serial port has one channel, ``stream``.
public struct Channel: Hashable, Sendable, CustomStringConvertible {
    /// The only channel of a byte stream.
    public static let stream = Channel("stream")

    /// The channel's name, in lower case.
    public let name: String

    /// Makes a channel from its name.
    public init(_ name: String) {
        self.name = name.lowercased()
    }

    /// The name.
    public var description: String { name }
}

/// Something that happened on the link to a device.
public struct AdapterEvent: Hashable, Sendable {
    /// What happened.
    public enum Kind: Hashable, Sendable {
        /// The link was opened; the device may have been restarted since the last time.
        case opened
        /// Bytes arrived on a channel: any piece of a stream, or one whole value of a characteristic.
        case received([UInt8], on: Channel)
        /// The time that the adapter asked for with ``AdapterAction/wake(at:)`` has come.
        case timer
        /// The link was closed; nothing more comes before the next ``opened``.
        case closed
    }

    /// What happened.
    public let kind: Kind
    /// When the host noticed it.
    public let receipt: BootInstant

    /// Makes an event from what happened and when.
    public init(_ kind: Kind, at receipt: BootInstant) {
        self.kind = kind
        self.receipt = receipt
    }
}

/// Something that an adapter wants done.
public enum AdapterAction: Hashable, Sendable {
    /// The device said this; the converter makes samples of it.
    case reading(Reading)
    /// Send these bytes to the device.
    case send([UInt8], on: Channel)
    /// Read the value of this channel; it arrives as ``AdapterEvent/Kind/received(_:on:)``.
    case read(Channel)
    /// Send ``AdapterEvent/Kind/timer`` at this time; a later wish replaces an earlier one.
    case wake(at: BootInstant)
    /// Something from the device was not used; it is counted under this reason.
    case dropped(DropReason)
}

/// Why something that a device sent was not used.
///
/// The same few words in logs and in `status`.
public enum DropReason: String, Hashable, Sendable, CaseIterable {
    /// A check sum, a length or a terminator did not fit.
    case damaged
    /// It is longer than anything this device sends.
    case tooLong
    /// It is whole, but of a kind that the adapter does not know.
    case unknown
    /// It is of a known kind, but says something the device's protocol forbids.
    case invalid
    /// It is right, but has no measurement in it: a strap that feels no heart and tells no contact.
    case empty
    /// The system told it more than once, because another program listens to the device, too.
    case copy
}
