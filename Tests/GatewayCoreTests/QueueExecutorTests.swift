import GatewayCore
import XCTest

final class QueueExecutorTests: XCTestCase {
    private actor Log {
        private let executor = QueueExecutor(label: "test")
        private(set) var entries: [Int] = []

        nonisolated var unownedExecutor: UnownedSerialExecutor {
            executor.asUnownedSerialExecutor()
        }

        func append(_ entry: Int) {
            assertIsolated()
            entries.append(entry)
        }
    }

    func testActor_runsOneJobAtATime() async {
        let log = Log()
        await withTaskGroup(of: Void.self) { group in
            for entry in 0..<1_000 { group.addTask { await log.append(entry) } }
        }
        let entries = await log.entries
        XCTAssertEqual(entries.sorted(), Array(0..<1_000))
    }
}
