package import Platform

/// The devices that cannot be read because there are too many, as long as they are received.
///
/// A key names a device: its address, or the path of its object.
package struct ExcessDevices<Key: Hashable & Sendable>: Sendable {
    /// The time in seconds without an advertisement after which a device does not count any more.
    package static var seconds: Double { 60 }
    /// The maximum number that is counted.
    package static var limit: Int { 10_000 }

    private var received: [Key: BootInstant] = [:]
    /// The time of the next ``prune(at:)``.
    package private(set) var wakeTime: BootInstant?

    /// Makes an empty set.
    package init() {}

    /// The number of devices.
    package var count: Int { received.count }

    /// The keys of the devices.
    package var keys: Dictionary<Key, BootInstant>.Keys { received.keys }

    /// Notes that a device was received and cannot be read.
    package mutating func note(_ key: Key, at now: BootInstant) {
        guard received.count < Self.limit || received[key] != nil else { return }
        received[key] = now
        wakeTime = wakeTime ?? now.adding(seconds: Self.seconds)
    }

    /// Removes a device that is read.
    package mutating func remove(_ key: Key) { received[key] = nil }

    /// Removes the devices that have not been received for some time.
    package mutating func prune(at now: BootInstant) {
        guard let due = wakeTime, due <= now else { return }
        received = received.filter { now.seconds(since: $0.value) < Self.seconds }
        // All of them are older than this after the same time again.
        wakeTime = received.isEmpty ? nil : now.adding(seconds: Self.seconds)
    }
}
