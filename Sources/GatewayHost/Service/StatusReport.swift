package import GatewayCore
package import HealthModel
package import Platform
import Readings

/// The status of a running gateway; it contains no health values.
///
/// An unknown value is `nil` here and is left out in JSON.
package struct StatusReport: Equatable, Sendable {
    /// The version of the JSON: a later gateway may add keys, but no key changes its meaning.
    package static let format: Int64 = 1

    /// The version of the gateway.
    package var version = ""
    /// The process of the gateway.
    package var processID: Int64 = 0
    /// The time of the start; nil when the clock was never set.
    package var started: Instant?
    /// The time since the start.
    package var uptimeSeconds = 0.0
    /// The path of the data directory.
    package var dataDirectory = ""
    /// The devices that the sources know.
    package var devices: [Device] = []
    /// The sources.
    package var sources: [Part] = []
    /// The sinks.
    package var sinks: [Sink] = []
    /// The services.
    package var services: [Part] = []
    /// The journal.
    package var journal = Journal()
    /// The ledger of the pipeline.
    package var ledger = Ledger()
    /// The clock that dates samples.
    package var clock = Clock()
    /// The clients of the control socket.
    package var clients = Clients()
    /// Whether it has the counts of records; without access to all types they are left out.
    package var countsRecords = true
    /// What the process uses; nil when it is unknown.
    package var usage: ProcessUsage?

    /// The names of the states of the clock.
    package static let clockStates = ClockStatus.State.allCases.map(\.rawValue)

    /// A device.
    package struct Device: Equatable, Sendable {
        package var identifier = ""
        package var name: String?
        package var manufacturer: String?
        package var model: String?
        package var source = ""
        package var person: String?
        package var link = ""
        package var reason: String?
        package var contact: Bool?
        package var battery: Double?
        package var lastSeen: Instant?
        package var silentSeconds: Double?
        /// The number of records made of its readings since the start; nil where counts are left out.
        package var records: Int64?
        package var discarded: [String: Int64] = [:]
        package var faults: [Faults] = []
    }

    /// The readings of a device that became no record, of one type for one reason.
    package struct Faults: Equatable, Sendable {
        package var type = ""
        package var reason = ""
        package var count: Int64 = 0
    }

    /// The state of a source, a sink or a service; `failure` is the reason when it is not healthy.
    package struct Part: Equatable, Sendable {
        package var name = ""
        package var failure: String?
        /// Where a service is reached; nil for every other part.
        package var address: String?
        /// The input of a source that was discarded and belongs to no device, by reason.
        package var discarded: [String: Int64] = [:]
    }

    /// A sink.
    package struct Sink: Equatable, Sendable {
        package var part = Part()
        package var cursor: Int64 = 0
        package var pending: Int64 = 0
        package var outcome = GatewayCore.Ledger.Outcome()
        /// The size of the pending records, in bytes.
        package var lagBytes: Int64 = 0
        /// The age of the oldest pending record; nil when no record is pending.
        package var lagSeconds: Double?
        /// The time since the first failure; nil when the sink is healthy.
        package var failingSeconds: Double?
        /// The duration of the current write; nil when no write is in progress.
        package var writingSeconds: Double?
        /// The time until the next attempt; nil when no attempt is scheduled.
        package var retryInSeconds: Double?
        /// The number of stored records that the journal keeps until the sink has verified them.
        package var unverified: Int64 = 0
        /// What was delivered again to a new or earlier store since the start; nil when nothing was.
        package var restored: Restored?
    }

    /// What a sink got again, because its store is a new or an earlier one.
    package struct Restored: Equatable, Sendable, CustomStringConvertible {
        /// The number of records that were delivered again.
        package var records: Int64 = 0
        /// The number of records that were not verified and are gone.
        package var lost: Int64 = 0
        /// The number of records that were verified in the earlier store, and are only there.
        package var onlyInEarlier: Int64 = 0

        /// The counts as text.
        package var description: String {
            "the store was replaced: \(records) records were delivered again, \(lost) are lost, "
                + "\(onlyInEarlier) are only in the earlier store"
        }
    }

    /// The journal.
    package struct Journal: Equatable, Sendable {
        package var failure: String?
        package var waiting: Int64 = 0
        /// Its size on disk, or in memory.
        package var bytes: Int64 = 0
        package var isInMemory = false
        package var isDiskFull = false
        /// The corruption that was found and repaired since the start.
        package var damage: String?
    }

    /// The clock that dates samples.
    package struct Clock: Equatable, Sendable {
        /// The state of the clock; empty when it is unknown.
        package var state = ""
        package var isSynchronized: Bool?
        package var waiting: Int64 = 0
    }

    /// The ledger of the pipeline.
    package struct Ledger: Equatable, Sendable {
        package var ingest = GatewayCore.Ledger.Ingest()
        /// The sums that do not balance; empty when the ledger balances.
        package var imbalances: [String] = []
    }
}

extension StatusReport {
    /// The clients of the control socket.
    package struct Clients: Equatable, Sendable {
        /// The number of connected clients.
        package var connected = 0
        /// The number of clients rejected because of the limit.
        package var refused = 0
        /// The number of clients disconnected because they read too slowly, or were idle when
        /// another one needed their place.
        package var cutOff = 0

        /// Creates a value from its parts.
        package init(connected: Int = 0, refused: Int = 0, cutOff: Int = 0) {
            self.connected = connected
            self.refused = refused
            self.cutOff = cutOff
        }
    }

    /// The process of the gateway and its data directory.
    package struct Process: Sendable {
        package let version: String
        package let processID: Int64
        package let started: BootInstant
        package let dataDirectory: String
    }

    /// Creates a report from the states of the gateway and its control socket.
    ///
    /// Times are left out until the clock was set.
    package init(
        _ status: GatewayStatus, process: Process, clients: Clients,
        clock: any GatewayClock
    ) {
        let now = clock.now()
        let epoch = status.clock.epoch
        let ledger = status.journal.ledger
        version = process.version
        processID = process.processID
        started = epoch?.instant(at: process.started)
        uptimeSeconds = Self.milliseconds(now.seconds(since: process.started))
        dataDirectory = process.dataDirectory
        devices = status.devices.map { Device($0, now: now, epoch: epoch) }
        sources = status.sources.map { source in
            Part(
                name: source.name, failure: source.failure,
                discarded: Dictionary(
                    uniqueKeysWithValues: source.discarded.map {
                        ($0.key.rawValue, Int64($0.value))
                    }))
        }
        sinks = status.sinks.map { sink in
            Sink(sink, ledger, now: now)
        }
        journal = Journal(
            failure: status.journal.failure, waiting: status.journal.waiting,
            bytes: status.journal.bytes, isInMemory: status.journal.isInMemory,
            isDiskFull: status.journal.isFull, damage: status.journal.damage)
        self.ledger = Ledger(ingest: ledger.ingest, imbalances: ledger.imbalances)
        self.clock = Clock(
            state: status.clock.state.rawValue, isSynchronized: status.clock.isSynchronized,
            waiting: Int64(status.clock.waiting))
        self.clients = clients
    }

    /// Seconds rounded to milliseconds.
    fileprivate static func milliseconds(_ seconds: Double) -> Double {
        (seconds * 1_000).rounded() / 1_000
    }
}

extension StatusReport.Sink {
    fileprivate init(_ status: SinkStatus, _ ledger: GatewayCore.Ledger, now: BootInstant) {
        part = StatusReport.Part(name: status.name, failure: status.failure)
        cursor = ledger.sinks[status.name]?.cursor ?? 0
        pending = ledger.pending(for: status.name)
        outcome = ledger.sinks[status.name]?.outcome ?? GatewayCore.Ledger.Outcome()
        lagBytes = status.lag.bytes
        lagSeconds = status.lag.seconds.map(StatusReport.milliseconds)
        failingSeconds = status.failingSince.map {
            StatusReport.milliseconds(now.seconds(since: $0))
        }
        writingSeconds = status.writingSince.map {
            StatusReport.milliseconds(now.seconds(since: $0))
        }
        retryInSeconds = status.nextRetry.map {
            StatusReport.milliseconds(max($0.seconds(since: now), 0))
        }
        unverified = ledger.sinks[status.name]?.keptCount ?? 0
        restored = status.restored.map {
            StatusReport.Restored(
                records: $0.records, lost: $0.lost, onlyInEarlier: $0.verified)
        }
    }
}

extension StatusReport.Device {
    fileprivate init(_ status: DeviceStatus, now: BootInstant, epoch: ClockEpoch?) {
        identifier = status.identifier
        name = status.name
        manufacturer = status.manufacturer
        model = status.model
        source = status.source
        person = status.person
        link = status.link.rawValue
        reason = status.reason
        contact = status.contact
        battery = status.battery
        lastSeen = status.lastSeen.flatMap { epoch?.instant(at: $0) }
        silentSeconds = status.lastSeen.map {
            StatusReport.milliseconds(now.seconds(since: $0))
        }
        records = Int64(status.records)
        discarded = Dictionary(
            uniqueKeysWithValues: status.drops.map { ($0.key.rawValue, Int64($0.value)) })
        faults = status.faults.counts.map { key, count in
            StatusReport.Faults(
                type: key.stream, reason: key.fault.rawValue, count: Int64(count))
        }
    }
}
