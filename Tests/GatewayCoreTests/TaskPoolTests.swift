import GatewayCore
import GatewayTesting
import XCTest

@testable import Platform

final class TaskPoolTests: XCTestCase {
    private let pool = TaskPool(name: "task pool")

    func testTask_andAllThatItWaitsFor_runsOnThePool() async {
        let task = Task(executorPreference: pool) { await threadNames() }
        let names = await task.value

        XCTAssertEqual(
            names, Dictionary(uniqueKeysWithValues: names.keys.map { ($0, "task pool") }))
        XCTAssertEqual(names.count, 6)
    }

    func testTasks_inThousands_allCallAnActorThere() async {
        let counter = Counter()
        await Task(executorPreference: pool) {
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<2_000 { group.addTask { await counter.add() } }
            }
        }.value

        let (count, names) = await (counter.count, counter.names)
        XCTAssertEqual(count, 2_000)
        XCTAssertEqual(names, ["task pool"])
    }

    func testGateway_runsItsSourcesAndSinksOnItsExecutor() async throws {
        let journal = try Journal(
            file: InMemoryJournalFile(), sinks: ["sink"], clock: ManualClock(),
            log: Logger(component: "test") { _ in })
        let pipeline = IngestPipeline(
            bus: Bus(journal: journal, live: LiveLane()), clock: ManualClock(),
            people: People(), version: "1", log: Logger(component: "test") { _ in })
        let (names, name) = AsyncStream.makeStream(of: String.self)
        let gateway = Gateway(
            sources: [Gateway.NamedSource(name: "source", source: NameSource(name: name))],
            sinks: [],
            pipeline: pipeline, journal: journal, clock: SystemClock(),
            log: Logger(component: "test") { _ in }, executor: pool)

        _ = await gateway.run {
            for await name in names {
                XCTAssertEqual(name, "task pool")
                break
            }
        }
    }
}

/// Counts steps and records their threads.
private actor Counter {
    private(set) var count = 0
    private(set) var names: Set<String> = []

    func add() {
        count += 1
        names.insert(ThreadNames.current)
    }
}

/// The thread of each kind of step.
private func threadNames() async -> [String: String] {
    var names = ["task": ThreadNames.current]
    names["function"] = await nameInFunction()
    try? await SystemClock().sleep(seconds: 0.001)
    names["after sleep"] = ThreadNames.current
    names["child"] = await withTaskGroup(of: String.self) { group in
        group.addTask { ThreadNames.current }
        return await group.next() ?? ""
    }
    names["after child"] = ThreadNames.current
    let counter = Counter()
    await counter.add()
    names["actor"] = await counter.names.joined()
    return names
}

private func nameInFunction() async -> String { ThreadNames.current }

/// Reports the thread on which it runs.
private struct NameSource: Source {
    let name: AsyncStream<String>.Continuation

    func run(into inlet: any ReadingInlet) async throws {
        name.yield(ThreadNames.current)
        try await SystemClock().sleep(seconds: 60)
    }
}
