import GatewayTesting
import XCTest

@testable import GatewayCore
@testable import GatewayJournal

/// Tests of a reload, which changes the parts of a gateway only while it runs.
final class GatewayReloadTests: LaneTestCase {
    /// Runs until it is cancelled.
    private struct QuietSource: Source {
        let began: AsyncStream<Void>.Continuation

        func run(into inlet: any ReadingInlet) async throws {
            began.yield()
            let (silence, _) = AsyncStream.makeStream(of: Void.self)
            for await _ in silence {}
            throw CancellationError()
        }
    }

    private func source(_ name: String) -> (Gateway.NamedSource, began: AsyncStream<Void>) {
        let (began, signal) = AsyncStream.makeStream(of: Void.self)
        return (Gateway.NamedSource(name: name, source: QuietSource(began: signal)), began)
    }

    private func makeGateway(_ source: Gateway.NamedSource, _ sink: any Sink) throws -> Gateway {
        let journal = try makeJournal()
        let pipeline = IngestPipeline(
            bus: Bus(journal: journal, live: LiveLane()), clock: clock, people: People(),
            version: "1", log: log)
        return Gateway(
            sources: [source], sinks: [Gateway.NamedSink(name: "store", sink: sink)],
            pipeline: pipeline, journal: journal, clock: clock, log: log)
    }

    private func parts(_ source: Gateway.NamedSource, _ sink: any Sink) -> Gateway.Parts {
        Gateway.Parts(
            sources: [source], sinks: [Gateway.NamedSink(name: "store", sink: sink)])
    }

    func testChange_beforeItRuns_isDoneAsSoonAsItDoes() async throws {
        let (old, _) = source("old")
        let (new, began) = source("new")
        let gateway = try makeGateway(old, InMemorySink())
        let changing = Task { [parts = parts(new, InMemorySink())] in
            try await gateway.change(to: parts, people: People())
        }
        _ = await gateway.run {
            for await _ in began { break }
            _ = await changing.result
        }
        let changes = try await changing.value
        XCTAssertEqual(changes.sources.added, ["new"])
        XCTAssertEqual(changes.sources.removed, ["old"])
        let names = await gateway.status().sources.map(\.name)
        XCTAssertEqual(names, ["new"])
    }

    func testChange_whenItHasStopped_isRejected() async throws {
        let (old, _) = source("old")
        let (new, _) = source("new")
        let gateway = try makeGateway(old, InMemorySink())
        _ = await gateway.run {}
        do {
            _ = try await gateway.change(to: parts(new, InMemorySink()), people: People())
            XCTFail("it was done")
        } catch is Gateway.Stopping {
        }
        let names = await gateway.status().sources.map(\.name)
        XCTAssertEqual(names, ["old"])
    }
}
