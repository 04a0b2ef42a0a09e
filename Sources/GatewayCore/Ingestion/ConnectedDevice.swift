import HealthModel
import Platform

/// What the pipeline knows of one device: its converter, whether it is there, what was not used.
///
/// It is a reference, so that whoever has a report of the device looks it up once; it never leaves the
/// pipeline's actor.
final class ConnectedDevice {
    private let identifier: String
    private var name: String?
    /// What the device calls itself.
    private var ownName: String?
    private let log: Logger
    private var converter: Converter
    private var encoder = RecordLineEncoder()
    /// How far the way to the device is, and what is in its way.
    private(set) var link: (state: LinkState, reason: String?) = (.wanted, nil)
    /// Whether there is a link to it.
    private(set) var isConnected = false
    private var isStale = false
    /// When it last said something.
    private(set) var lastSeen: BootInstant?
    private var drops: [DropReason: Int] = [:]

    /// Makes a device that has not been heard of; `name` is the user's own for it.
    init(_ identifier: String, name: String?, converter: Converter, log: Logger) {
        self.identifier = identifier
        self.name = name
        self.converter = converter
        self.log = log
    }

    /// Notes a report, and says in the log what somebody may want to know.
    ///
    /// - Returns: What there is to make records of; nil when it is nothing.
    func note(_ content: DeviceReport.Content) -> UndatedReport.Content? {
        switch content {
        case .opened(let device, let moment):
            isConnected = true
            isStale = false
            link = (.live, nil)
            ownName = device.name
            log.info("connected", ["device": identifier])
            return .opened(device.merging(Device(name: name)), at: moment)
        case .readings(let readings):
            lastSeen = readings.last?.receipt ?? lastSeen
            return .readings(readings, resumes: !readings.isEmpty && noteSpeech())
        case .dropped(let drops):
            note(drops)
            return nil
        case .heard(let moment):
            lastSeen = moment
            return noteSpeech()
                ? .changed(.connected, reason: Self.resumption, at: moment) : nil
        case .stale(let moment, let reason):
            isStale = true
            link = (.stale, reason)
            log.warning("silent", ["device": identifier, "reason": reason])
            return .changed(.stale, reason: reason, at: moment)
        case .closed(let moment, let reason):
            guard isConnected else { return nil }
            isConnected = false
            link = (.backOff, reason)
            log.info("disconnected", ["device": identifier, "reason": reason])
            return .changed(.disconnected, reason: reason, at: moment)
        case .link(let state, let reason):
            link = (state, reason)
            return nil
        case .forgotten:
            return nil
        }
    }

    /// Somebody else wears it from now on, or calls it by another name.
    func rebind(to person: String?, name: String?, in epoch: ClockEpoch) {
        converter.person = person
        guard name != self.name else { return }
        self.name = name
        guard isConnected, let name = name ?? ownName else { return }
        // A new name is told with the next record, as all else that is learnt of a device.
        let identity = TimedReading(
            .identity(Device(name: name)), at: lastSeen ?? BootInstant(nanoseconds: 0))
        _ = converter.convert([identity], in: epoch)
    }

    /// Makes records of what was noted, in the same order.
    func convert(_ report: UndatedReport.Content, in epoch: ClockEpoch) -> Conversion {
        switch report {
        case .opened(let device, let moment):
            return converter.linkOpened(device, at: moment, in: epoch)
        case .changed(let connection, let reason, let moment):
            return converter.linkChanged(to: connection, reason: reason, at: moment, in: epoch)
        case .readings(let readings, let resumes):
            guard resumes, let first = readings.first else {
                return converter.convert(readings, in: epoch)
            }
            var conversion = converter.linkChanged(
                to: .connected, reason: Self.resumption, at: first.receipt, in: epoch)
            conversion.append(converter.convert(readings, in: epoch))
            return conversion
        }
    }

    /// Writes the lines of records that were made here.
    func batch(_ records: [Record]) -> RecordBatch {
        RecordBatch(records, with: &encoder)
    }

    private static let resumption = "speaks again"

    /// Notes that the device has said something; true when it was silent, and is connected as before.
    private func noteSpeech() -> Bool {
        guard isStale else { return false }
        isStale = false
        link = (.live, nil)
        log.info(Self.resumption, ["device": identifier])
        return true
    }

    /// How the device is doing.
    ///
    /// Whether it touches the skin is known only while there is a link.
    func status(source: String) -> DeviceStatus {
        DeviceStatus(
            source: source, identifier: identifier, name: converter.device.name ?? name,
            manufacturer: converter.device.manufacturer, model: converter.device.model,
            person: converter.person, link: link.state, reason: link.reason,
            contact: isConnected ? converter.contact : nil, battery: converter.battery,
            lastSeen: lastSeen, drops: drops)
    }

    /// Says what was not used, by reason.
    func logDrops() {
        for reason in DropReason.allCases {
            guard let count = drops[reason] else { continue }
            log.info(
                "was not used",
                ["device": identifier, "reason": reason.rawValue, "count": "\(count)"])
        }
    }

    /// Counts what was not used, and says so the first time for every reason.
    private func note(_ new: [DropReason: Int]) {
        for (reason, count) in new {
            if drops[reason] == nil {
                log.info(
                    reason.words,
                    ["device": identifier, "reason": reason.rawValue])
            }
            drops[reason, default: 0] += count
        }
    }
}

extension DropReason {
    /// What is said of it the first time.
    fileprivate var words: String {
        switch self {
        case .damaged, .tooLong, .unknown, .invalid:
            "something the device sent cannot be used; from now on it is only counted"
        case .empty:
            "the device sends packets without a measurement; from now on they are only counted"
        case .copy:
            "another program listens to the device; what the system tells twice is only counted"
        }
    }
}
