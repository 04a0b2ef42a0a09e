import HealthModel
import Platform

/// What a source has reported of a device, before anybody says when that was in UTC.
struct UndatedReport {
    /// What there is to make records of.
    enum Content: Sendable {
        /// The link was opened; the device is what the transport and the user know of it.
        case opened(Device, at: BootInstant)
        /// The link is in another state.
        case changed(DeviceState.Connection, reason: String, at: BootInstant)
        /// Readings in order of receipt; `resumes` when the device was silent before them.
        case readings([TimedReading], resumes: Bool)
    }

    /// The device, which may have been forgotten since.
    let device: ConnectedDevice
    /// What there is to make records of.
    let content: Content

    /// How many readings it holds; what is none counts as one.
    var count: Int {
        if case .readings(let readings, _) = content { readings.count } else { 1 }
    }
}

/// Reports that wait in memory until somebody has set the clock.
///
/// Their receipts are boot time, so nothing is lost by waiting: their UTC comes out right. They are not
/// accepted yet, and so they wait neither long nor in great numbers.
struct UndatedReports {
    /// How long the first of them waits, in seconds.
    static let maximumWaitSeconds = 600.0
    /// How many readings wait.
    static let maximumCount = 100_000

    private var reports: [UndatedReport] = []
    private var next = 0
    /// How many readings wait.
    private(set) var count = 0
    /// When the first has waited long enough; nil while none waits.
    private var deadline: BootInstant?

    var isEmpty: Bool { next == reports.count }
    var isFull: Bool { count >= Self.maximumCount }

    /// When something that waits since a moment has waited long enough.
    static func deadline(from moment: BootInstant) -> BootInstant {
        moment.adding(nanoseconds: Int64(clampedNanosecondsOf: maximumWaitSeconds))
    }

    func isOverdue(at now: BootInstant) -> Bool { deadline.map { $0 <= now } ?? false }

    mutating func append(_ report: UndatedReport, at now: BootInstant) {
        deadline = deadline ?? Self.deadline(from: now)
        reports.append(report)
        count += report.count
    }

    /// Takes out the oldest, about so many readings; none when none is left.
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
