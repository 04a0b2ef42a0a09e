package import Platform

/// How the parts of a running gateway are doing.
///
/// It holds no health values.
package struct GatewayStatus: Sendable {
    /// The devices that the sources have spoken of.
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

/// How one device is doing.
package struct DeviceStatus: Sendable, Equatable {
    /// The name of the source that reads it.
    package let source: String
    /// The path of its port or its radio address.
    package let identifier: String
    /// What the user or the device itself calls it.
    package let name: String?
    /// Who made it.
    package let manufacturer: String?
    /// The manufacturer's name for it.
    package let model: String?
    /// Who wears it.
    package let person: String?
    /// How far the way to it is.
    package let link: LinkState
    /// What is in the way.
    package let reason: String?
    /// Whether it touches the skin; nil when that is not known.
    package let contact: Bool?
    /// The battery's charge from 0 to 1, when it was last told.
    package let battery: Double?
    /// When it last said something.
    package let lastSeen: BootInstant?
    /// How much of what it sent was not used.
    package let drops: [DropReason: Int]
}

/// How one source is doing.
package struct SourceStatus: Sendable, Equatable {
    /// The user's name for it.
    package let name: String
    /// What it fails with, and what mends that; nil when it works.
    package let failure: String?
}

/// How one sink is doing; what it has dealt with is in the ledger.
package struct SinkStatus: Sendable, Equatable {
    /// The user's name for it.
    package let name: String
    /// What it fails with; nil when it works or has nothing to do.
    package let failure: String?
    /// Since when it fails.
    package var failingSince: BootInstant?
    /// When it was given what it is storing right now.
    package var writingSince: BootInstant?
    /// When it is tried again, while it waits for that.
    package var nextTry: BootInstant?
    /// How far it is behind.
    package var lag = SinkLag()
}

/// How the journal is doing.
package struct JournalStatus: Sendable, Equatable {
    /// The ledger: what is published is committed; how far sinks have come may still have to be saved.
    package let ledger: Ledger
    /// How many records wait for their commit.
    package let waiting: Int64
    /// Why the last commit failed; nil when it did not.
    package let failure: String?
    /// Whether that is because the disk is full.
    package var isFull = false
    /// Whether it is gone with the process.
    package var isInMemory = false
    /// How much room it takes, in bytes.
    package var bytes: Int64 = 0
    /// What was damaged and is mended, since the start.
    package var damage: String?
    /// How far each sink is behind, by its name.
    package var lags: [String: SinkLag] = [:]
}
