package import GatewayCore
package import HealthModel
package import Platform

/// How a running gateway is doing, as `status` tells it.
///
/// What is not known is `nil` here and left out in JSON. It holds no health values.
package struct StatusReport: Equatable, Sendable {
    /// The version of the JSON; keys may be added to it, and none is given another meaning.
    package static let format: Int64 = 1

    package var version = ""
    package var processID: Int64 = 0
    package var started: Instant?
    package var uptimeSeconds = 0.0
    package var dataDirectory = ""
    package var devices: [Device] = []
    package var sources: [Part] = []
    package var sinks: [Sink] = []
    package var journal = Journal()
    package var ledger = Ledger()
    package var clock = Clock()
    package var clients = Clients()

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
        package var discarded: [String: Int64] = [:]
    }

    /// A source or a sink, and what it fails with.
    package struct Part: Equatable, Sendable {
        package var name = ""
        package var failure: String?
    }

    package struct Sink: Equatable, Sendable {
        package var part = Part()
        package var cursor: Int64 = 0
        package var pending: Int64 = 0
        package var outcome = GatewayCore.Ledger.Outcome()
        /// How many bytes are pending.
        package var lagBytes: Int64 = 0
        /// How long the oldest record has been pending; nil when none is.
        package var lagSeconds: Double?
        /// For how long it has failed; nil when it works.
        package var failingSeconds: Double?
        /// For how long it has been storing what it was given; nil when it is not.
        package var writingSeconds: Double?
        /// How long until it is tried again; nil when it does not wait for that.
        package var retryInSeconds: Double?
    }

    package struct Journal: Equatable, Sendable {
        package var failure: String?
        package var waiting: Int64 = 0
        /// How much room it takes.
        package var bytes: Int64 = 0
        package var isInMemory = false
        package var isDiskFull = false
        /// What was damaged and is mended, since the start.
        package var damage: String?
    }

    package struct Clock: Equatable, Sendable {
        /// By what samples are dated; empty when that is not known.
        package var state = ""
        package var isSynchronized: Bool?
        package var waiting: Int64 = 0
    }

    package struct Ledger: Equatable, Sendable {
        package var ingest = GatewayCore.Ledger.Ingest()
        /// The sums that do not come out; empty when the ledger closes.
        package var imbalances: [String] = []
    }
}

extension StatusReport {
    /// The clients of the control socket.
    package struct Clients: Equatable, Sendable {
        /// Served now.
        package var connected = 0
        /// Sent away because there were too many.
        package var refused = 0
        /// Cut off because they did not read what was sent to them.
        package var cutOff = 0

        package init(connected: Int = 0, refused: Int = 0, cutOff: Int = 0) {
            self.connected = connected
            self.refused = refused
            self.cutOff = cutOff
        }
    }

    /// What the report says about the process and where it keeps its data.
    package struct Process: Sendable {
        package let version: String
        package let processID: Int64
        package let started: BootInstant
        package let dataDirectory: String
    }

    /// Puts a report together from what the gateway and its control socket say.
    ///
    /// Times are left out as long as the clock was never set.
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
        sources = status.sources.map { Part(name: $0.name, failure: $0.failure) }
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

    /// Seconds with three digits at most after the point.
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
        discarded = Dictionary(
            uniqueKeysWithValues: status.drops.map { ($0.key.rawValue, Int64($0.value)) })
    }
}
