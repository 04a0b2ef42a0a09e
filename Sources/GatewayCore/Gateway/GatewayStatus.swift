package import Platform
package import Readings

/// The status of a running gateway.
///
/// It holds no health values.
package struct GatewayStatus: Sendable {
    /// The devices that sources have reported.
    package let devices: [DeviceStatus]
    /// The sources, in the order of the configuration.
    package let sources: [SourceStatus]
    /// The sinks, in the order of the configuration.
    package let sinks: [SinkStatus]
    /// The journal.
    package let journal: JournalStatus
    /// The wall clock.
    package let clock: ClockStatus
}

/// The status of one device.
package struct DeviceStatus: Sendable, Equatable {
    /// The name of the source that reads it.
    package let source: String
    /// Its local identifier: the path of a port or a radio address.
    package let identifier: String
    /// The configured or reported name.
    package let name: String?
    /// The manufacturer.
    package let manufacturer: String?
    /// The model.
    package let model: String?
    /// The person who wears it.
    package let person: String?
    /// The state of the link.
    package let link: LinkState
    /// The reason of that state.
    package let reason: String?
    /// Whether it touches the skin; nil if unknown.
    package let contact: Bool?
    /// The last reported charge of the battery, from 0 to 1.
    package let battery: Double?
    /// When data was last received from it.
    package let lastSeen: BootInstant?
    /// The amount of discarded input, by reason.
    package let drops: [DropReason: Int]
    /// The number of records made of its readings since the start.
    package var records = 0
    /// The readings that became no record.
    package var faults = ReadingFaults()
    /// Whether its link has delivered nothing usable since it was opened.
    package var hasOnlyUnusableInput = false

    /// The reason of a device that sends only unusable input.
    static let onlyUnusableInput =
        "only unusable input; check the protocol or profile and its settings, and see the log"
}

/// The status of one source.
package struct SourceStatus: Sendable, Equatable {
    /// The configured name.
    package let name: String
    /// The failure with its remedy; nil if healthy.
    package let failure: String?
    /// The discarded input that belongs to no device, by reason.
    package var discarded: [DropReason: Int] = [:]
}

/// The status of one sink; its counts are in the ledger.
package struct SinkStatus: Sendable, Equatable {
    /// The configured name.
    package let name: String
    /// The failure; nil if healthy or idle.
    package let failure: String?
    /// The start of the failure.
    package var failingSince: BootInstant?
    /// The start of the write in progress.
    package var writingSince: BootInstant?
    /// The time of the next retry, while it waits.
    package var nextRetry: BootInstant?
    /// Its lag.
    package var lag = SinkLag()
    /// What was delivered again to its new or earlier store since the start; nil if nothing was.
    package var restored: Redelivery?
}
