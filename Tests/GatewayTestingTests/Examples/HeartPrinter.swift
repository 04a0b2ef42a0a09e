import GatewayCore
import HealthModel
import Platform
import Synchronization

/// Prints the newest heart rate once a second.
struct HeartPrinter: Service {
    let clock: any GatewayClock
    let output: LineOutput

    /// What the two tasks share.
    private final class Newest: Sendable {
        let rate = Mutex<Int?>(nil)
    }

    func run(_ gateway: ServiceAccess) async throws {
        let newest = Newest()
        let records = gateway.live.subscribeBuffered()
        defer { gateway.live.cancel(records) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await read(records, into: newest) }
            group.addTask {
                while true {
                    try await clock.sleep(seconds: 1)
                    guard let rate = newest.rate.withLock({ $0 }) else { continue }
                    try output.write(Array("\(rate)\n".utf8))
                }
            }
            // The first one that ends, or fails, ends the other one.
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func read(_ records: SubscriptionBuffer, into newest: Newest) async {
        while let delivery = await records.next() {
            guard case .records(let batch) = delivery else { continue }
            for case .sample(let sample) in batch where sample.type == .heartRate {
                guard let value = try? sample.quantity.value(in: .countPerMinute) else { continue }
                if let rate = Int(exactly: value.rounded()) {
                    newest.rate.withLock { $0 = rate }
                }
            }
        }
    }
}
