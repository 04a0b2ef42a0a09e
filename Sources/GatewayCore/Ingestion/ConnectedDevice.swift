import HealthModel
import Platform
import Readings

/// The pipeline's state of one device: its converter, its link and its discarded input.
///
/// It is a reference type, so that a report looks it up only once; it never leaves the pipeline's
/// actor.
final class ConnectedDevice {
    private let identifier: String
    private var name: String?
    /// The name that the device reports.
    private var ownName: String?
    private let log: Logger
    private var converter: Converter
    private var encoder = RecordLineEncoder()
    /// The state of the link, with the reason.
    private(set) var link: (state: LinkState, reason: String?) = (.wanted, nil)
    /// Whether the link is open.
    private(set) var isConnected = false
    private var isStale = false
    /// When data was last received from it.
    private(set) var lastSeen: BootInstant?
    private var discarded = DiscardedInput()
    private var faults = ReadingFaults()
    /// The number of records made of its readings.
    private var recordCount = 0
    /// The declared types.
    var types: QuantityTypes {
        get { converter.types }
        set { converter.types = newValue }
    }

    /// Makes a device that was not seen yet; `name` is the configured name.
    init(_ identifier: String, name: String?, converter: Converter, log: Logger) {
        self.identifier = identifier
        self.name = name
        self.converter = converter
        self.log = log
    }

    /// Updates the state from a report and logs changes of the link.
    ///
    /// - Returns: The content to convert to records; nil if there is none.
    func note(_ content: DeviceReport.Content) -> UndatedReport.Content? {
        switch content {
        case .opened(let device, let moment):
            isConnected = true
            isStale = false
            discarded.open()
            link = (.live, nil)
            ownName = device.name
            log.info("connected", ["device": identifier])
            return .opened(device.merging(Device(name: name)), at: moment)
        case .readings(let readings):
            lastSeen = readings.last?.receipt ?? lastSeen
            noteUsableInput()
            return .readings(readings, resumes: !readings.isEmpty && noteActivity())
        case .records(let records, let moment):
            lastSeen = moment
            noteUsableInput()
            return .records(records, at: moment)
        case .dropped(let drops):
            note(drops)
            return nil
        case .discarded(let faults, let moment):
            lastSeen = moment
            return .discarded(faults)
        case .seen(let moment):
            lastSeen = moment
            noteUsableInput()
            return noteActivity()
                ? .changed(.connected, reason: Self.resumption, at: moment) : nil
        case .stale(let moment, let reason):
            isStale = true
            link = (.stale, reason)
            log(discarded.endSilence())
            log.warning("silent", ["device": identifier, "reason": reason])
            return .changed(.stale, reason: reason, at: moment)
        case .closed(let moment, let reason):
            guard isConnected else { return nil }
            isConnected = false
            discarded.endGreeting()
            link = (.backOff, reason)
            log.info("disconnected", ["device": identifier, "reason": reason])
            return .changed(.disconnected, reason: reason, at: moment)
        case .link(let state, let reason):
            link = (state, reason)
            return nil
        case .forgotten, .traffic:
            return nil
        }
    }

    /// Changes the person who wears it and its name.
    func rebind(to person: String?, name: String?, in epoch: ClockEpoch) {
        converter.person = person
        guard name != self.name else { return }
        self.name = name
        guard isConnected, let name = name ?? ownName else { return }
        // The next record carries the new name, like any other change of identity.
        let identity = TimedReading(
            .identity(Device(name: name)), at: lastSeen ?? BootInstant(nanoseconds: 0))
        _ = converter.convert([identity], in: epoch)
    }

    /// Converts noted content to records, in the same order.
    ///
    /// The receipt gets the fault of each reading and record.
    func convert(
        _ report: UndatedReport.Content, in epoch: ClockEpoch, people: People,
        for receipt: ReportReceipt?
    ) -> Conversion {
        let conversion =
            receipt.map { itemized(report, in: epoch, people, for: $0) }
            ?? conversion(of: report, in: epoch, people)
        if !conversion.faults.isEmpty { note(conversion.faults) }
        recordCount += conversion.records.count
        return conversion
    }

    /// Converts the readings or records one by one, to learn the fault of each.
    private func itemized(
        _ report: UndatedReport.Content, in epoch: ClockEpoch, _ people: People,
        for receipt: ReportReceipt
    ) -> Conversion {
        var conversion = Conversion()
        var faults: [ReportReceipt.ItemFault] = []
        for (index, item) in report.items.enumerated() {
            let result = self.conversion(of: item, in: epoch, people)
            if let fault = result.faults.counts.first?.key.fault {
                faults.append(ReportReceipt.ItemFault(index: index, fault: fault))
            }
            conversion.append(result)
        }
        receipt.note(faults)
        return conversion
    }

    private func conversion(
        of report: UndatedReport.Content, in epoch: ClockEpoch, _ people: People
    ) -> Conversion {
        switch report {
        case .opened(let device, let moment):
            return converter.linkOpened(device, at: moment, in: epoch)
        case .changed(let connection, let reason, let moment):
            return converter.linkChanged(to: connection, reason: reason, at: moment, in: epoch)
        case .discarded(let faults):
            var conversion = Conversion()
            conversion.faults = faults
            return conversion
        case .readings(let readings, let resumes):
            guard resumes, let first = readings.first else {
                return converter.convert(readings, in: epoch)
            }
            var conversion = converter.linkChanged(
                to: .connected, reason: Self.resumption, at: first.receipt, in: epoch)
            conversion.append(converter.convert(readings, in: epoch))
            return conversion
        case .records(let records, let moment):
            let rules = RecordRules(
                people: people.names, now: epoch.isUnset ? nil : epoch.instant(at: moment))
            return converter.convert(records, by: rules)
        }
    }

    /// Encodes records of this device as lines.
    func batch(_ records: [Record]) -> RecordBatch {
        RecordBatch(records, with: &encoder)
    }

    private static let resumption = "data received again"

    /// Notes that data was received; true if the device was stale before.
    private func noteActivity() -> Bool {
        guard isStale else { return false }
        isStale = false
        link = (.live, nil)
        log.info(Self.resumption, ["device": identifier])
        return true
    }

    /// Returns the status of the device.
    ///
    /// Skin contact is known only while the link is open.
    func status(source: String) -> DeviceStatus {
        DeviceStatus(
            source: source, identifier: identifier, name: converter.device.name ?? name,
            manufacturer: converter.device.manufacturer, model: converter.device.model,
            person: converter.person, link: link.state, reason: link.reason,
            contact: isConnected ? converter.contact : nil, battery: converter.battery,
            lastSeen: lastSeen, drops: discarded.counts, records: recordCount, faults: faults,
            hasOnlyUnusableInput: discarded.isAllInput)
    }

    /// Logs the counts of discarded input, by reason.
    func logDrops() {
        for reason in DropReason.allCases {
            guard let count = discarded.counts[reason] else { continue }
            log.info(
                "input discarded",
                ["device": identifier, "reason": reason.rawValue, "count": "\(count)"])
        }
        for (key, count) in faults.counts {
            log.info(
                "readings discarded",
                [
                    "device": identifier, "type": key.stream, "reason": key.fault.rawValue,
                    "count": "\(count)",
                ])
        }
    }

    /// Counts discarded readings, and logs the first one of every type and reason.
    private func note(_ new: ReadingFaults) {
        for (key, count) in new.counts {
            if faults.add(key, count: count) {
                log.warning(
                    "discarding a reading; further ones are only counted",
                    ["device": identifier, "type": key.stream, "reason": key.fault.rawValue])
            }
        }
    }

    /// Counts discarded input; a link with nothing else is as good as silent.
    private func note(_ drops: [DropReason: Int]) {
        let wasAllInput = discarded.isAllInput
        log(discarded.add(drops))
        if discarded.isAllInput, !wasAllInput { link = (.stale, DeviceStatus.onlyUnusableInput) }
    }

    private func noteUsableInput() {
        if discarded.isAllInput, !isStale { link = (.live, nil) }
        discarded.endGreeting()
    }

    private func log(_ reasons: [DropReason]) {
        for reason in reasons {
            log.info(reason.message, ["device": identifier, "reason": reason.rawValue])
        }
    }
}
