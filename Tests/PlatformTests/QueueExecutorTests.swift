import XCTest

@testable import GatewayTesting
@testable import Platform

final class QueueExecutorTests: XCTestCase {
    private actor Log {
        private let executor: QueueExecutor
        private(set) var entries: [Int] = []

        init(label: String = "test") {
            executor = QueueExecutor(label: label)
        }

        nonisolated var unownedExecutor: UnownedSerialExecutor {
            executor.asUnownedSerialExecutor()
        }

        var threadName: String { ThreadNames.current }

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

    func testActor_runsOnTheThreadOfItsQueue() async {
        let name = await Log(label: "a label that is long").threadName
        XCTAssertEqual(name, "a label that is")
    }

    func testThread_endsWithTheActor() async throws {
        let name = "actor \(UInt32.random(in: 0..<1_000_000))"
        var log: Log? = Log(label: name)
        await log?.append(1)
        _ = try await ThreadNames.wait { $0.contains(name) }

        log = nil

        _ = try await ThreadNames.wait { !$0.contains(name) }
    }
}
