import ByteDecoding
import GatewayCore
import HealthModel
import Platform
import Readings

/// Turns the lines of a program into reports about its devices and into answers.
struct ProgramOutput {
    /// A line that wants an answer once its readings or records are committed.
    struct Line: Equatable {
        let number: ReadingLineNumber
        /// The indexes of its readings or records in the report.
        let items: Range<Int>
    }

    /// What to do, in order.
    enum Step {
        /// Report, and answer these lines when it is committed.
        case report(DeviceReport, [Line])
        /// Count unusable lines that are of no device.
        case discard([DropReason: Int])
        /// Answer a line that cannot be used.
        case refuse(UInt64, reason: String)
        /// Answer a repeated line when all earlier ones are answered.
        case repeated(ReadingLineNumber)
    }

    /// The maximum number of devices of a program.
    static let deviceLimit = 100
    /// The maximum number of readings or records of a report.
    static let itemLimit = 1_000
    /// The maximum number of reasons that are logged.
    static let reasonLimit = 20
    /// The unusable lines that a program may print before its first usable one.
    static let greetingLimit = 20

    private let source: String
    private let log: Logger
    private let memory: ProgramMemory
    private var decoder: ReadingLineDecoder
    private var receipts = ReceiptSequence()
    private(set) var devices: [String] = []
    private var steps: [Step] = []
    private var group = Group()
    private var drops: [DropReason: Int] = [:]
    private var reasons: Set<String> = []
    private var refusedCount = 0
    private var seed: (session: String, seed: RecordID.Seed)?

    /// Whether the program has printed more than a greeting, and nothing that can be used.
    var hasOnlyUnusableLines: Bool { devices.isEmpty && refusedCount > Self.greetingLimit }

    /// The readings or records of one device that are reported together.
    private struct Group {
        var device = ""
        var readings: [TimedReading] = []
        var records: [Record] = []
        var lines: [Line] = []
    }

    /// Makes a reader of the lines of a source's program.
    init(source: String, types: QuantityTypes, memory: ProgramMemory, log: Logger) {
        self.source = source
        self.memory = memory
        self.log = log
        decoder = ReadingLineDecoder(types: types)
    }

    /// Handles a line.
    mutating func handle(_ piece: DelimitedSplitter.Piece, at moment: BootInstant) {
        switch piece {
        case .tooLong:
            refuse(ReadingLineError(problem: .lineTooLong, sequence: nil), at: moment)
        case .bytes(let bytes):
            do throws(ReadingLineError) {
                let source = source
                let line = try decoder.decode(bytes) { start, number in
                    Self.id(of: number, start: start, source: source, at: moment)
                }
                add(line, at: moment)
            } catch {
                refuse(error, at: moment)
            }
        }
    }

    /// Returns what to do for the lines so far.
    mutating func removeSteps(at moment: BootInstant) -> [Step] {
        flush(at: moment)
        if !drops.isEmpty {
            // What names no device is of the only one, if the program has one without a name.
            steps.append(
                devices.contains(source)
                    ? .report(DeviceReport(device: source, .dropped(drops)), []) : .discard(drops))
            drops = [:]
        }
        defer { steps = [] }
        return steps
    }

    private mutating func add(_ line: ReadingLine, at moment: BootInstant) {
        let device = line.device ?? source
        let isNumberNew = line.number.map { memory.insert($0) } ?? true
        guard isNumberNew, line.id.map({ memory.insert($0) }) ?? true else {
            return repeated(line, device, at: moment)
        }
        if case .dropped(let reason) = line.content, line.device == nil {
            return discard(reason, of: line.number, at: moment)
        }
        guard open(device, at: moment) else {
            return refuse(line, "more than \(Self.deviceLimit) devices", at: moment)
        }
        switch line.content {
        case .dropped(let reason):
            flush(at: moment)
            steps.append(.report(DeviceReport(device: device, .dropped([reason: 1])), []))
            if let number = line.number { steps.append(.repeated(number)) }
        case .write: refuse(line, "only a decoder can write to a device", at: moment)
        case .readings(let readings): add(readings, of: line, to: device, at: moment)
        case .record(let record):
            if group.device != device || !group.readings.isEmpty { flush(at: moment) }
            group.device = device
            group.records.append(record)
            note(line, items: group.records.count - 1..<group.records.count)
        }
        if group.readings.count + group.records.count >= Self.itemLimit { flush(at: moment) }
    }

    /// Counts input of the program that is of no named device, as lines that cannot be used are counted.
    private mutating func discard(
        _ reason: DropReason, of number: ReadingLineNumber?, at moment: BootInstant
    ) {
        drops[reason, default: 0] += 1
        guard let number else { return }
        flush(at: moment)
        steps.append(.repeated(number))
    }

    private mutating func add(
        _ readings: [Reading], of line: ReadingLine, to device: String, at moment: BootInstant
    ) {
        if group.device != device || !group.records.isEmpty { flush(at: moment) }
        group.device = device
        let start = group.readings.count
        for (index, reading) in readings.enumerated() {
            let id = line.id ?? givenID(of: line.number, reading)
            group.readings.append(
                TimedReading(
                    reading, at: receipts.next(moment, for: reading), id: id?.following(index)))
        }
        note(line, items: start..<group.readings.count)
    }

    private mutating func note(_ line: ReadingLine, items: Range<Int>) {
        if let number = line.number { group.lines.append(Line(number: number, items: items)) }
    }

    /// Opens a device with its first line; false if there are too many.
    private mutating func open(_ device: String, at moment: BootInstant) -> Bool {
        if device == group.device || devices.contains(device) { return true }
        guard devices.count < Self.deviceLimit else { return false }
        flush(at: moment)
        devices.append(device)
        let known = Device(name: device, localIdentifier: device)
        steps.append(.report(DeviceReport(device: device, .opened(known, at: moment)), []))
        return true
    }

    private mutating func repeated(_ line: ReadingLine, _ device: String, at moment: BootInstant) {
        flush(at: moment)
        if devices.contains(device) || !line.isDropped {
            var faults = ReadingFaults()
            faults.add(.duplicate, of: "repeated lines")
            steps.append(.report(DeviceReport(device: device, .discarded(faults, at: moment)), []))
        }
        if let number = line.number { steps.append(.repeated(number)) }
    }

    private mutating func flush(at moment: BootInstant) {
        guard !group.readings.isEmpty || !group.records.isEmpty else { return }
        let content: DeviceReport.Content =
            group.records.isEmpty
            ? .readings(group.readings) : .records(group.records, at: moment)
        let receipt = group.lines.isEmpty ? nil : ReportReceipt()
        steps.append(
            .report(
                DeviceReport(device: group.device, content, receipt: receipt), group.lines))
        group = Group(device: group.device)
    }

    private mutating func refuse(_ error: ReadingLineError, at moment: BootInstant) {
        drops[error.dropReason, default: 0] += 1
        note(unusable: error.problem.problem)
        guard let sequence = error.sequence else { return }
        flush(at: moment)
        steps.append(.refuse(sequence, reason: "\(error)"))
    }

    private mutating func refuse(_ line: ReadingLine, _ problem: String, at moment: BootInstant) {
        drops[.invalid, default: 0] += 1
        note(unusable: problem)
        guard let number = line.number else { return }
        flush(at: moment)
        refuse(number, reason: problem)
    }

    private mutating func refuse(_ number: ReadingLineNumber, reason: String) {
        memory.refuse(number, reason: reason)
        steps.append(.refuse(number.sequence, reason: reason))
    }

    private mutating func note(unusable reason: String) {
        refusedCount += 1
        guard reasons.count < Self.reasonLimit, reasons.insert(reason).inserted else { return }
        log.warning(
            "discarding a line of the program; further ones with this reason are only counted",
            ["reason": reason])
    }
}

extension ProgramOutput {
    /// The id of a record without one: the same one when the line comes again in its session.
    private static func id(
        of number: ReadingLineNumber?, start: Instant, source: String, at moment: BootInstant
    ) -> RecordID {
        guard let number, let session = number.session else {
            return RecordID.make(
                start: start, device: source, stream: "exec",
                key: UInt64(bitPattern: moment.nanoseconds) &+ UInt64.random(in: 0...UInt64.max))
        }
        return RecordID.make(
            start: start, device: "\(source)/\(session)", stream: "exec", key: number.sequence)
    }

    /// The id of the record of a reading whose line may come again; nil without a session.
    private mutating func givenID(of number: ReadingLineNumber?, _ reading: Reading) -> RecordID? {
        guard let number, let session = number.session else { return nil }
        if seed?.session != session {
            let own = RecordID.Seed(device: "\(source)/\(session)", stream: "exec")
            seed = (session, own)
        }
        // The time of receipt is another one next time; so are ids in the order of the numbers.
        let start =
            reading.utcTime
            ?? Instant(nanosecondsSince1970: Int64(number.sequence % (1 << 42)) * 1_000_000)
        return seed.map { RecordID(start: start, seed: $0.seed, key: number.sequence) }
    }
}

extension ReadingLine {
    /// Whether the program could not use a piece of its own input.
    fileprivate var isDropped: Bool {
        if case .dropped = content { true } else { false }
    }
}

extension Reading {
    /// The time of the measurement by the device, if it is a time of UTC.
    fileprivate var utcTime: Instant? {
        guard case .utc(let time)? = measured?.clock else { return nil }
        return time
    }
}
