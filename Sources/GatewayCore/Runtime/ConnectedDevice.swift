import HealthModel

/// What the intake knows of one device: its converter, whether it is there, what was not used.
struct ConnectedDevice {
    private let identifier: String
    private let name: String?
    private let log: Logger
    private var converter: Converter
    /// How far the way to the device is, and what is in its way.
    private(set) var link: (state: LinkState, reason: String?) = (.wanted, nil)
    /// Whether there is a link to it.
    private(set) var isConnected = false
    private var isStale = false
    /// When it last said something.
    private(set) var lastHeard: BootInstant?
    private var drops: [DropReason: Int] = [:]

    /// Makes a device that has not been heard of; `name` is the user's own for it.
    init(_ identifier: String, name: String?, converter: Converter, log: Logger) {
        self.identifier = identifier
        self.name = name
        self.converter = converter
        self.log = log
    }

    /// Makes records of a report, and says in the log what somebody may want to know.
    mutating func take(_ report: DeviceReport, in epoch: ClockEpoch) -> Conversion {
        switch report.content {
        case .opened(let device, let moment):
            isConnected = true
            isStale = false
            link = (.live, nil)
            log.info("connected", ["device": identifier])
            let named = device.merging(Device(name: name))
            return converter.linkOpened(named, at: moment, in: epoch)
        case .readings(let readings):
            lastHeard = readings.last?.receipt ?? lastHeard
            guard isStale, let first = readings.first else {
                return converter.convert(readings, in: epoch)
            }
            var conversion = resume(at: first.receipt, in: epoch)
            conversion.append(converter.convert(readings, in: epoch))
            return conversion
        case .dropped(let drops):
            note(drops)
            return Conversion()
        case .heard(let moment):
            lastHeard = moment
            return isStale ? resume(at: moment, in: epoch) : Conversion()
        case .stale(let moment, let reason):
            isStale = true
            link = (.stale, reason)
            log.warning("silent", ["device": identifier, "reason": reason])
            return converter.linkChanged(to: .stale, reason: reason, at: moment, in: epoch)
        case .closed(let moment, let reason):
            guard isConnected else { return Conversion() }
            isConnected = false
            link = (.backOff, reason)
            log.info("disconnected", ["device": identifier, "reason": reason])
            return converter.linkChanged(to: .disconnected, reason: reason, at: moment, in: epoch)
        case .link(let state, let reason):
            link = (state, reason)
            return Conversion()
        }
    }

    /// A device that was silent and speaks again is connected as before.
    private mutating func resume(at receipt: BootInstant, in epoch: ClockEpoch) -> Conversion {
        isStale = false
        link = (.live, nil)
        log.info("speaks again", ["device": identifier])
        return converter.linkChanged(
            to: .connected, reason: "speaks again", at: receipt, in: epoch)
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
            lastHeard: lastHeard, drops: drops)
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
    private mutating func note(_ new: [DropReason: Int]) {
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
