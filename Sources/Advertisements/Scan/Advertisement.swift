package import Bluetooth
package import GatewayCore
package import Platform

/// The data of one part of an advertisement that was received.
package struct Advertisement: Hashable, Sendable {
    /// The device that has sent it.
    package let address: BluetoothAddress
    /// The name that the device advertises.
    package let name: String?
    /// The part.
    package let part: AdvertisementPart
    /// Its data.
    package let value: [UInt8]

    /// Makes the data of a part as it was received.
    package init(
        address: BluetoothAddress, name: String?, part: AdvertisementPart, value: [UInt8]
    ) {
        self.address = address
        self.name = name
        self.part = part
        self.value = value
    }
}

/// What becomes of advertisements: events go in, reports about devices come out.
///
/// It does no I/O and has no clock.
package protocol AdvertisementListener: Sendable {
    /// The time of the next ``wake(at:)``.
    var wakeTime: BootInstant? { get }
    /// The number of devices that cannot be read, because there are too many.
    var excessCount: Int { get }
    /// The number of silent devices that have made room for others.
    var replacedCount: Int { get }
    /// The maximum number of devices.
    static var deviceLimit: Int { get }

    /// Handles a part of an advertisement.
    mutating func received(_ advertisement: Advertisement, at now: BootInstant) -> [DeviceReport]
    /// Handles the wake time.
    mutating func wake(at now: BootInstant) -> [DeviceReport]
    /// Handles that nothing is received any more, for this reason.
    mutating func interrupt(_ reason: String, at now: BootInstant) -> [DeviceReport]
    /// Handles that devices can be received again.
    mutating func resume(at now: BootInstant) -> [DeviceReport]
}
