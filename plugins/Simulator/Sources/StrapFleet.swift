import GatewayCore
import Platform

/// Simulated straps in one task, which wakes up for many of them together.
struct StrapFleet: Sendable {
    private var links: [StrapLink]
    private let clock: any GatewayClock
    /// The questions of the watchdog.
    private let questions = ProgressQuestions()

    /// Makes a fleet of straps that are not open yet.
    init(_ links: [StrapLink], clock: any GatewayClock) {
        self.links = links.sorted { $0.simulated.phaseSeconds < $1.simulated.phaseSeconds }
        self.clock = clock
    }

    /// Asks the loop to call a function at the next second of a strap.
    var ask: @Sendable (_ answer: @escaping @Sendable () -> Void) -> Void {
        { [questions] answer in questions.add(answer) }
    }

    /// Simulates the straps until the task is cancelled.
    mutating func run(into inlet: any ReadingInlet) async throws {
        do {
            try await simulate(into: inlet)
        } catch {
            for index in links.indices {
                let reports = links[index].end(at: clock.now(), reason: "stopped")
                await report(reports, of: index, to: inlet)
            }
            throw error
        }
    }

    private mutating func simulate(into inlet: any ReadingInlet) async throws {
        var ticker = SecondTicker(on: clock)
        var second = 0
        while true {
            for index in links.indices {
                let phase = links[index].simulated.phaseSeconds
                let now = try await ticker.wait(forSecond: second, phase: phase)
                questions.answerAll()
                let reports =
                    second == 0
                    ? links[index].begin(at: now)
                    : links[index].advance(toSecond: second, at: now)
                await report(reports, of: index, to: inlet)
            }
            second += 1
        }
    }

    private func report(
        _ reports: [DeviceReport.Content], of index: Int, to inlet: any ReadingInlet
    ) async {
        let identifier = links[index].simulated.identifier
        for content in reports {
            await inlet.report(DeviceReport(device: identifier, content))
        }
    }
}
