import GatewayCore
import GatewayTesting
import HealthModel
import JSON
import Platform
import XCTest

@testable import Exec

/// Tests of programs as sinks, with real programs.
final class ExecSinkTests: XCTestCase {
    private static let start = Instant(nanosecondsSince1970: 1_795_000_000_000_000_000)

    private func sink(
        _ fixture: ProgramFixture, script: String
    ) throws -> ExecSink {
        let node = fixture.settings(script: script)
        let object = try node.object(keys: ["use"] + ExecSink.factory.keys)
        let sink = try ExecSink.factory.make(object, fixture.context)
        return try XCTUnwrap(sink as? ExecSink)
    }

    private func records(_ count: Int) throws -> [Record] {
        try (0..<count).map { index in
            let start = Self.start.adding(nanoseconds: Int64(index))
            return .sample(
                try QuantitySample(
                    id: .make(start: start, device: "d", stream: "s", key: 0), type: .heartRate,
                    start: start, end: start, quantity: Quantity(72, Unit(parsing: "count/min"))))
        }
    }

    private func error(
        _ sink: ExecSink, _ records: [Record]
    ) async -> SinkError? {
        do {
            try await sink.write(records)
            return nil
        } catch {
            return error as? SinkError ?? .retry(reason: "not a SinkError: \(error)", after: nil)
        }
    }

    func testWrite_returnsWhenTheProgramHasAcknowledged() async throws {
        let fixture = try ProgramFixture()
        let sink = try sink(
            fixture,
            script: """
                for i in 1 2; do
                    read -r line; echo "$line" >> "$0/batches"; echo "stored $i" >&2
                    echo "{\\"ack\\":$i}"
                done; cat > /dev/null; echo end > "$0/end"
                """)
        let records = try records(3)
        try await sink.write(Array(records.prefix(2)))
        try await sink.write(Array(records.suffix(1)))
        await sink.close()
        let lines = fixture.text(of: "batches").split(separator: "\n").map(String.init)
        let texts = records.map { record in
            var bytes: [UInt8] = []
            RecordEncoder.append(record, to: &bytes)
            return String(decoding: bytes, as: UTF8.self)
        }
        XCTAssertEqual(
            lines,
            [
                #"{"v":1,"batch":1,"samples":[\#(texts[0]),\#(texts[1])],"events":[]}"#,
                #"{"v":1,"batch":2,"samples":[\#(texts[2])],"events":[]}"#,
            ])
        XCTAssertEqual(fixture.text(of: "end"), "end\n")
    }

    func testWrite_mapsTheAnswers() async throws {
        let fixture = try ProgramFixture()
        let records = try records(2)
        let sink = try sink(
            fixture,
            script: """
                read -r line; echo '{"retry":1,"after":2.5}'
                read -r line; echo '{"reject":2,"ids":["\(records[1].id)"],"reason":"too old"}'
                read -r line; echo '{"ack":3}'
                read -r line; exit 4
                """)
        let errors = [
            await error(sink, records), await error(sink, records), await error(sink, records),
            await error(sink, records),
        ]
        XCTAssertEqual(
            errors,
            [
                .retry(reason: "`sh` cannot store now", after: 2.5),
                .rejected([records[1].id], reason: "too old"), nil,
                .retry(
                    reason: "`sh` exited with status 4; see its messages in the log", after: nil),
            ])
        // It is started again, and counts its batches on.
        let last = await error(sink, records)
        XCTAssertEqual(
            last,
            .retry(
                reason: "`sh` has answered wrongly: an answer is to a batch that was not sent",
                after: nil) as SinkError?)
    }

    func testWrite_toAProgramThatIsMissing_isBlocked() async throws {
        let fixture = try ProgramFixture()
        let object = try fixture.settings(command: ["/no/such/program"]).object(
            keys: ["use"] + ExecSink.factory.keys)
        let made = try ExecSink.factory.make(object, fixture.context)
        let sink = try XCTUnwrap(made as? ExecSink)
        let failure = await error(sink, try records(1))
        guard case .blocked? = failure else { return XCTFail("\(String(describing: failure))") }
        XCTAssertThrowsError(try sink.check()) {
            XCTAssertEqual(
                "\($0)",
                "sources.own.command: `/no/such/program` was not found; install it, or correct `command`"
            )
        }
    }

    func testWrite_toProgramsThatMisbehave_isTriedAgain() async throws {
        let scripts: [(script: String, reason: String)] = [
            ("exec sleep 1000", "has not answered within 30 s"),
            ("cat > /dev/null", "has not answered within 30 s"),
            (
                "read -r line; head -c 100000 /dev/urandom; echo; cat > /dev/null",
                "has answered wrongly"
            ),
            (
                "read -r line; echo secret; cat > /dev/null",
                "has answered wrongly: the line is not valid JSON"
            ),
            ("exit 0", "exited with status 0"),
        ]
        for (script, reason) in scripts {
            let clock = ManualClock()
            let isSilent = reason.hasPrefix("has not")
            let fixture = try ProgramFixture(clock: isSilent ? clock : SystemClock())
            let sink = try sink(fixture, script: script)
            let records = try records(2_000)
            let time = Task {
                while isSilent, !Task.isCancelled {
                    // The time limit of the batch and, where it is full, of the pipe.
                    await clock.waitForSleepers(1)
                    clock.advance(seconds: 5)
                }
            }
            let failure = await error(sink, records)
            time.cancel()
            guard case .retry(let text, nil)? = failure else {
                XCTFail("\(script): \(String(describing: failure))")
                continue
            }
            XCTAssertTrue(text.contains(reason), "\(script): \(text)")
            XCTAssertFalse(text.contains("secret"))
        }
    }

    func testClose_killsAProgramThatIgnoresIt() async throws {
        let fixture = try ProgramFixture()
        let sink = try sink(
            fixture,
            script: """
                trap '' TERM; echo $$ > "$0/child"; read -r line; echo '{"ack":1}'
                while :; do sleep 1; done
                """)
        try await sink.write(try records(1))
        let child = try XCTUnwrap(pid_t(fixture.text(of: "child").dropLast()))
        await sink.close()
        await fixture.waitForEnd(of: child)
    }

    func testGateway_deliversEveryRecordToAProgramThatDiesOften() async throws {
        let fixture = try ProgramFixture()
        let script = """
            import json, os, sys
            path = sys.argv[1] + "/stored"
            for count, line in enumerate(sys.stdin):
                batch = json.loads(line)
                with open(path, "a") as file:
                    for sample in batch["samples"]: file.write(sample["id"] + "\\n")
                if count == 1: os.kill(os.getpid(), 9)
                print(json.dumps({"ack": batch["batch"]}), flush=True)
            """
        let object = try fixture.settings(
            command: ["python3", "-c", script, fixture.folder.path]
        ).object(keys: ["use"] + ExecSink.factory.keys)
        let sink = try ExecSink.factory.make(object, fixture.context)
        let source = try fixture.source(
            script:
                #"for i in $(seq 1 500); do echo '{"reading":"instant","type":"heartRate","value":'$((50 + i % 100))'}'; sleep 0.002; done; cat > /dev/null"#
        )
        let counts = InMemorySink()
        let ledger = try await fixture.run(["own": source], into: [sink, counts]) {
            await counts.waitForSamples(500)
        }
        let stored = Set(fixture.text(of: "stored").split(separator: "\n").map(String.init))
        XCTAssertEqual(ledger.imbalances, [])
        let expected = Set(counts.samples.map { "\($0.id)" })
        let pending = ledger.pending(for: "sink 0")
        XCTAssertGreaterThanOrEqual(stored.intersection(expected).count, 500 - Int(pending))
        XCTAssertEqual(stored.subtracting(expected), [])
    }
}
