import HealthModel
import Platform
import Readings

/// A report about a device that has no UTC time yet.
struct UndatedReport {
    /// The content to convert to records.
    enum Content: Sendable {
        /// The link was opened, to a device with these known properties.
        case opened(Device, at: BootInstant)
        /// The link state has changed.
        case changed(DeviceState.Connection, reason: String, at: BootInstant)
        /// Readings in order of receipt; `resumes` if the device was stale before them.
        case readings([TimedReading], resumes: Bool)
        /// Complete records.
        case records([Record], at: BootInstant)
        /// Readings that are discarded before their conversion.
        case discarded(ReadingFaults)
    }

    /// The device, which may have been removed since.
    let device: ConnectedDevice
    /// The content to convert to records.
    let content: Content
    /// Gets the outcome; nil if the source does not answer.
    let receipt: ReportReceipt?

    /// The number of readings or records; other content counts as one.
    var count: Int {
        switch content {
        case .readings(let readings, _): readings.count
        case .records(let records, _): records.count
        default: 1
        }
    }
}

/// A queue of reports in memory until the clock is set.
///
/// Their receipts are boot times, which can be converted to UTC later. They are not accepted yet,
/// so the time and the number are limited.
struct UndatedReports {
    /// The maximum wait of the first report in seconds.
    static let maximumWaitSeconds = 600.0
    /// The maximum number of readings.
    static let maximumCount = 100_000

    private var reports: [UndatedReport] = []
    private var next = 0
    /// The number of readings.
    private(set) var count = 0
    /// The deadline of the first report; nil if there is none.
    private var deadline: BootInstant?

    var isEmpty: Bool { next == reports.count }
    var isFull: Bool { count >= Self.maximumCount }

    /// Returns the deadline of a report that arrives at a moment.
    static func deadline(from moment: BootInstant) -> BootInstant {
        moment.adding(nanoseconds: Int64(clampedNanosecondsOf: maximumWaitSeconds))
    }

    /// Discards the reports.
    mutating func discard() {
        for report in reports[next...] { report.receipt?.lose() }
        self = UndatedReports()
    }

    func isOverdue(at now: BootInstant) -> Bool { deadline.map { $0 <= now } ?? false }

    mutating func append(_ report: UndatedReport, at now: BootInstant) {
        deadline = deadline ?? Self.deadline(from: now)
        reports.append(report)
        count += report.count
    }

    /// Removes and returns the oldest reports with about `most` readings; empty if there are none.
    mutating func removeFirst(readings most: Int) -> ArraySlice<UndatedReport> {
        let start = next
        var taken = 0
        while next < reports.count, taken < most {
            taken += reports[next].count
            next += 1
        }
        count -= taken
        defer { if isEmpty { self = UndatedReports() } }
        return reports[start..<next]
    }
}

extension UndatedReport.Content {
    /// Its readings or records one by one; other content as a whole.
    var items: [UndatedReport.Content] {
        switch self {
        case .readings(let readings, let resumes):
            readings.enumerated().map { index, reading in
                .readings([reading], resumes: resumes && index == 0)
            }
        case .records(let records, let moment): records.map { .records([$0], at: moment) }
        default: [self]
        }
    }
}
