import GatewayCore
import HealthModel
import Readings
import Synchronization

/// The reports of one run of a source.
final class ReportLog: ReadingInlet {
    /// What a suite waits for.
    enum Event {
        case opened
        case reading
        /// The run has ended.
        case end
    }

    private struct State {
        var reports: [DeviceReport] = []
        var hasEnded = false
        var isReportedAfterEnd = false
    }

    private let state = Mutex(State())
    /// The events, as they come.
    let events: AsyncStream<Event>
    private let signal: AsyncStream<Event>.Continuation

    init() {
        (events, signal) = AsyncStream.makeStream()
    }

    /// The reports before the end, in order.
    var reports: [DeviceReport] { state.withLock { $0.reports } }
    /// Whether a report came after the end.
    var isReportedAfterEnd: Bool { state.withLock { $0.isReportedAfterEnd } }

    func report(_ report: DeviceReport) async {
        let hasEnded = state.withLock { state in
            if state.hasEnded {
                state.isReportedAfterEnd = true
            } else {
                state.reports.append(report)
            }
            return state.hasEnded
        }
        if hasEnded { return }
        switch report.content {
        case .opened: signal.yield(.opened)
        case .readings, .records: signal.yield(.reading)
        case .dropped, .discarded, .seen, .stale, .closed, .link, .forgotten, .traffic: break
        }
    }

    /// The number of reports with readings or records.
    var readingCount: Int {
        reports.count { report in
            switch report.content {
            case .readings, .records: true
            default: false
            }
        }
    }

    /// Waits for a number of reports with readings, or the end of the run.
    func waitForReadings(_ count: Int) async {
        guard readingCount < count else { return }
        for await event in events where event == .end || readingCount >= count { return }
    }

    /// Notes the end of the run.
    func end() {
        state.withLock { $0.hasEnded = true }
        signal.yield(.end)
        signal.finish()
    }
}

/// The rules for the reports of a run.
struct ReportCheck {
    /// The maximum length of a local identifier, in bytes of UTF-8.
    private static let identifierLimit = 512

    let devices: Set<String>?
    let types: Set<QuantityType>?

    /// Checks the reports of a run that was cancelled.
    func findings(in reports: [DeviceReport]) -> [ConformanceFinding] {
        var problems: [String] = []
        var open: Set<String> = []
        var lastReceipts: [String: TimedReading] = [:]
        for report in reports {
            problems += identifierProblems(report.device)
            switch report.content {
            case .opened: open.insert(report.device)
            case .closed: open.remove(report.device)
            case .readings(let readings):
                if !open.contains(report.device) {
                    problems.append("reports readings of a device whose link is not open")
                }
                for reading in readings {
                    if let last = lastReceipts[report.device], reading.receipt <= last.receipt {
                        problems.append("two readings of a device have the same time of receipt")
                    }
                    lastReceipts[report.device] = reading
                    problems += readingProblems(reading.reading)
                }
            case .records, .dropped, .discarded, .seen, .stale, .link, .forgotten, .traffic: break
            }
        }
        if !open.isEmpty { problems.append("does not report a device as closed when it ends") }
        return problems.map { ConformanceFinding($0) }
    }

    private func identifierProblems(_ identifier: String) -> [String] {
        var problems: [String] = []
        if identifier.isEmpty || identifier.utf8.count > Self.identifierLimit
            || identifier.unicodeScalars.contains(where: { $0.value < 0x20 })
        {
            problems.append("the local identifier of a device is empty, too long or not printable")
        }
        if let devices, !devices.contains(identifier) {
            problems.append("reports a device that it does not claim")
        }
        return problems
    }

    private func readingProblems(_ reading: Reading) -> [String] {
        if let types, let type = reading.quantityType, !types.contains(type) {
            return ["reports \(type), which is not declared"]
        }
        return [reading.typeProblem(types: known)].compactMap { $0 }
    }

    /// The types of the gateway, and the declared ones.
    private var known: QuantityTypes {
        let standard = QuantityTypes.standard
        let custom = (types ?? []).filter { standard.named($0.name) == nil }
        return (try? standard.adding(Array(custom))) ?? standard
    }
}
