import GatewayCore
import HealthModel

/// How a running gateway is doing, as `status` tells it.
///
/// What is not known is `nil` here and left out in JSON. It holds no health values.
struct StatusReport: Equatable, Sendable {
    /// The version of the JSON; keys may be added to it, and none is given another meaning.
    static let format: Int64 = 1

    var version = ""
    var processID: Int64 = 0
    var started: Instant?
    var uptimeSeconds = 0.0
    var dataFolder = ""
    var devices: [Device] = []
    var sources: [Part] = []
    var sinks: [Sink] = []
    var journal = Journal()
    var ledger = Ledger()
    var clock = Clock()
    var clients = ControlClients.Counts()

    struct Device: Equatable, Sendable {
        var identifier = ""
        var name: String?
        var manufacturer: String?
        var model: String?
        var source = ""
        var person: String?
        var link = ""
        var reason: String?
        var contact: Bool?
        var battery: Double?
        var lastHeard: Instant?
        var silentSeconds: Double?
        var unused: [String: Int64] = [:]
    }

    /// A source or a sink, and what it fails with.
    struct Part: Equatable, Sendable {
        var name = ""
        var failure: String?
    }

    struct Sink: Equatable, Sendable {
        var part = Part()
        var cursor: Int64 = 0
        var pending: Int64 = 0
        var outcome = GatewayCore.Ledger.Outcome()
        /// How many bytes are pending.
        var lagBytes: Int64 = 0
        /// How long the oldest record has been pending; nil when none is.
        var lagSeconds: Double?
        /// For how long it has failed; nil when it works.
        var failingSeconds: Double?
        /// For how long it has been storing what it was given; nil when it is not.
        var writingSeconds: Double?
        /// How long until it is tried again; nil when it does not wait for that.
        var nextTrySeconds: Double?
    }

    struct Journal: Equatable, Sendable {
        var failure: String?
        var waiting: Int64 = 0
        /// How much room it takes.
        var bytes: Int64 = 0
        var isInMemory = false
        var isDiskFull = false
        /// What was damaged and is mended, since the start.
        var damage: String?
    }

    struct Clock: Equatable, Sendable {
        /// By what samples are dated; empty when that is not known.
        var state = ""
        var isSynchronized: Bool?
        var waiting: Int64 = 0
    }

    struct Ledger: Equatable, Sendable {
        var intake = GatewayCore.Ledger.Intake()
        /// The sums that do not come out; empty when the ledger closes.
        var imbalances: [String] = []
    }
}

extension StatusReport {
    /// What the report says about the process and where it keeps its data.
    struct Process: Sendable {
        let version: String
        let processID: Int64
        let started: BootInstant
        let dataFolder: String
    }

    /// Puts a report together from what the gateway and its control socket say.
    ///
    /// Times are left out as long as the clock was never set.
    init(
        _ status: GatewayStatus, process: Process, clients: ControlClients.Counts,
        clock: any GatewayClock
    ) {
        let now = clock.now()
        let epoch = status.clock.epoch
        let ledger = status.journal.ledger
        version = process.version
        processID = process.processID
        started = epoch?.instant(at: process.started)
        uptimeSeconds = Self.milliseconds(now.seconds(since: process.started))
        dataFolder = process.dataFolder
        devices = status.devices.map { Device($0, now: now, epoch: epoch) }
        sources = status.sources.map { Part(name: $0.name, failure: $0.failure) }
        sinks = status.sinks.map { sink in
            Sink(sink, ledger, now: now)
        }
        journal = Journal(
            failure: status.journal.failure, waiting: status.journal.waiting,
            bytes: status.journal.bytes, isInMemory: status.journal.isInMemory,
            isDiskFull: status.journal.isFull, damage: status.journal.damage)
        self.ledger = Ledger(intake: ledger.intake, imbalances: ledger.imbalances)
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
        nextTrySeconds = status.nextTry.map {
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
        lastHeard = status.lastHeard.flatMap { epoch?.instant(at: $0) }
        silentSeconds = status.lastHeard.map {
            StatusReport.milliseconds(now.seconds(since: $0))
        }
        unused = Dictionary(
            uniqueKeysWithValues: status.drops.map { ($0.key.rawValue, Int64($0.value)) })
    }
}
