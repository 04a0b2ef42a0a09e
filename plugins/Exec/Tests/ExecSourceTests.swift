import GatewayCore
import GatewayTesting
import Glibc
import HealthModel
import JSON
import Platform
import Programs
import Readings
import XCTest

@testable import Exec

/// Tests of programs as sources, with real programs.
final class ExecSourceTests: XCTestCase {
    private static let heart =
        #"{"reading":"instant","type":"heartRate","unit":"count/min","value":"#

    /// A script that prints lines, and then reads as many answers as it has asked for.
    private func asking(_ lines: [String], answers: Int) -> String {
        let prints = lines.map { "printf '%s\\n' '\($0)'" }.joined(separator: "\n")
        return """
            \(prints)
            for i in $(seq \(answers)); do read -r line; echo "$line" >> "$0/answers"; done
            mv "$0/answers" "$0/done"
            cat > /dev/null
            """
    }

    func testRun_storesReadingsAndRecords_andAnswersWhatIsCommitted() async throws {
        let fixture = try ProgramFixture()
        let now = SystemClock().epoch().instant(at: SystemClock().now())
        let script = asking(
            [
                Self.heart + #"72,"seq":1}"#, Self.heart + "9999}", Self.heart + #"9999,"seq":2}"#,
                #"{"reading":"counter","type":"stepCount","value":10,"seq":3,"device":"foot"}"#,
                #"{"reading":"counter","type":"stepCount","value":25,"seq":4,"device":"foot"}"#,
                #"{"type":"bodyMass","start":"\#(now)","end":"\#(now)","value":70,"unit":"kg","seq":5}"#,
                #"{"type":"bodyMass","start":"2262-01-01T00:00:00Z","end":"2262-01-01T00:00:00Z","value":70,"unit":"kg","seq":6}"#,
                #"{"reading":"nothing","seq":7}"#, "not JSON",
            ], answers: 7)
        let sink = InMemorySink()
        let source = try fixture.source(script: script)
        let ledger = try await fixture.run(["own": source], into: sink) {
            await sink.waitForSamples(3)
            await fixture.wait(for: "done")
        }
        let samples = sink.samples
        XCTAssertEqual(samples.map(\.type.name), ["heartRate", "stepCount", "bodyMass"])
        XCTAssertEqual(samples.map(\.quantity.value), [72, 15, 70])
        XCTAssertEqual(samples.map { $0.device?.localIdentifier }, ["own", "foot", "own"])
        XCTAssertEqual(samples.map { $0.source?.name }, ["own", "own", "own"])
        let answers = fixture.text(of: "done").split(separator: "\n").map(String.init)
        XCTAssertEqual(
            answers,
            [
                #"{"ack":1}"#,
                #"{"nack":2,"reason":"the value is out of the plausible range of its type"}"#,
                #"{"ack":3}"#, #"{"ack":4}"#, #"{"ack":5}"#,
                #"{"nack":6,"reason":"the time is too far in the past or in the future"}"#,
                #"{"nack":7,"reason":"reading must be one of instant, counter, beats, waveform, correlation, state, identity, metadata, at byte 11"}"#,
            ])
        XCTAssertEqual(ledger.ingest[.implausible], 2)
        XCTAssertEqual(ledger.ingest[.outOfTime], 1)
        XCTAssertEqual(ledger.imbalances, [])
        XCTAssertEqual(fixture.log.count(of: "discarding a line of the program"), 2)
        XCTAssertEqual(fixture.log.count(of: "9999"), 0)
    }

    func testRun_ofAProgramThatSendsAgainAfterItsDeath_storesEveryLineOnce() async throws {
        let fixture = try ProgramFixture()
        // Nothing is read before the death: the program cannot know what was received.
        let script = """
            for i in 1 2 3 4; do echo '\(Self.heart)'7$i,'"seq":'$i,'"session":"s"}'; done
            echo '{"reading":"counter","type":"stepCount","value":10,"seq":5,"session":"s"}'
            echo '{"reading":"counter","type":"stepCount","value":20,"seq":6,"session":"s"}'
            if [ ! -e "$0/dead" ]; then read -r line; touch "$0/dead"; kill -9 $$; fi
            for i in 1 2 3 4 5 6; do read -r line; echo "$line" >> "$0/answers"; done
            mv "$0/answers" "$0/done"
            cat > /dev/null
            """
        let sink = InMemorySink()
        let source = try fixture.source(script: script)
        let ledger = try await fixture.run(["own": source], into: sink) {
            await fixture.wait(for: "done")
        }
        XCTAssertEqual(sink.samples.map(\.quantity.value), [71, 72, 73, 74, 10])
        XCTAssertEqual(
            fixture.text(of: "done"), (1...6).map { "{\"ack\":\($0)}\n" }.joined())
        XCTAssertEqual(ledger.ingest[.duplicate], 6)
        XCTAssertEqual(
            fixture.log.count(of: "failed; retrying reason=`sh` ended by signal 9; see"), 1)
    }

    func testRun_ofAProgramThatSendsARefusedLineAgain_refusesItAgain() async throws {
        let fixture = try ProgramFixture()
        let source = try fixture.source(
            script: """
                echo '\(Self.heart)9999,"seq":1,"session":"s"}'
                if [ ! -e "$0/dead" ]; then touch "$0/dead"; exit 1; fi
                read -r line; echo "$line" > "$0/answer"; mv "$0/answer" "$0/done"; cat > /dev/null
                """)
        _ = try await fixture.run(["own": source], into: InMemorySink()) {
            await fixture.wait(for: "done")
        }
        XCTAssertTrue(fixture.text(of: "done").hasPrefix(#"{"nack":1,"#))
    }

    func testIDs_ofASession_areTheSameInAnotherProcess() async throws {
        var ids: [[RecordID]] = []
        for _ in 0..<2 {
            let fixture = try ProgramFixture()
            let sink = InMemorySink()
            let source = try fixture.source(
                script: """
                    echo '\(Self.heart)72,"seq":1,"session":"s"}'
                    echo '{"reading":"beats","ticks":[1000,1010,1020],"perSecond":1024,"time":"2026-01-01T00:00:00Z","seq":2,"session":"s"}'
                    echo '{"type":"bodyMass","start":"2026-01-01T00:00:00Z","end":"2026-01-01T00:00:00Z","value":70,"unit":"kg","seq":3,"session":"s"}'
                    cat > /dev/null
                    """)
            _ = try await fixture.run(["own": source], into: sink) {
                await sink.waitForSamples(5)
            }
            ids.append(sink.samples.map(\.id))
        }
        XCTAssertEqual(ids[0], ids[1])
        XCTAssertEqual(Set(ids[0]).count, 5)
    }

    func testRun_ofBinaryOutput_countsItAndContinues() async throws {
        let fixture = try ProgramFixture()
        let sink = InMemorySink()
        let source = try fixture.source(
            script: """
                head -c 300000 /dev/urandom; echo; printf '\\0\\377\\n{"reading":\\n'
                echo '\(Self.heart)72}'
                cat > /dev/null
                """)
        _ = try await fixture.run(["own": source], into: sink) { await sink.waitForSamples(1) }
        XCTAssertEqual(sink.samples.map(\.quantity.value), [72])
        XCTAssertLessThan(fixture.log.count(of: "discarding a line of the program"), 10)
    }

    func testRun_endsWithTheReason() async throws {
        let cases: [(command: [String], reason: String)] = [
            (
                ["no-such-program"],
                "`no-such-program` was not found in PATH (/usr/local/bin:/usr/bin:/bin); install it, "
                    + "or set its full path in `command`"
            ),
            (["/etc/passwd"], "`/etc/passwd` is not executable; run: chmod +x /etc/passwd"),
            (["sh", "-c", "exit 3"], "`sh` exited with status 3; see its messages in the log"),
            (["true"], "`true` exited with status 0; see its messages in the log"),
            (["sh", "-c", "kill -9 $$"], "`sh` ended by signal 9; see its messages in the log"),
        ]
        for (command, reason) in cases {
            let fixture = try ProgramFixture()
            do {
                try await fixture.source(command: command).run(into: RecordingInlet())
                XCTFail("\(command) has not failed")
            } catch {
                XCTAssertEqual("\(error)", reason)
            }
        }
    }

    func testRun_whenCancelled_closesTheInputAndWaits() async throws {
        let fixture = try ProgramFixture()
        let source = try fixture.source(
            script:
                #"echo '{"reading":"state","contact":true}'; cat > /dev/null; echo end > "$0/end""#)
        let inlet = RecordingInlet()
        let running = Task { try await source.run(into: inlet) }
        for await report in inlet.reports {
            if case .readings = report.content { break }
        }
        running.cancel()
        _ = await running.result
        XCTAssertEqual(fixture.text(of: "end"), "end\n")
    }

    func testRun_ofAProgramThatIgnoresEverything_killsItAndItsChildren() async throws {
        let clock = ManualClock()
        let fixture = try ProgramFixture(clock: clock)
        let source = try fixture.source(
            script: """
                trap '' TERM
                (trap '' TERM; while :; do sleep 1; done) &
                echo $! > "$0/child"
                echo '{"reading":"state","contact":true}'
                while :; do sleep 1; done
                """)
        let inlet = RecordingInlet()
        let running = Task { try await source.run(into: inlet) }
        for await report in inlet.reports {
            if case .readings = report.content { break }
        }
        let child = try XCTUnwrap(pid_t(fixture.text(of: "child").dropLast()))
        running.cancel()
        await clock.waitForSleepers(1)
        clock.advance(seconds: Program.graceSeconds)
        await clock.waitForSleepers(1)
        clock.advance(seconds: Program.killSeconds)
        _ = await running.result
        await fixture.waitForEnd(of: child)
    }

    func testRun_ofAProgramThatForks_leavesNoChild() async throws {
        let fixture = try ProgramFixture()
        let source = try fixture.source(script: #"sleep 1000 & echo $! > "$0/child"; exit 1"#)
        do {
            try await source.run(into: RecordingInlet())
            XCTFail("it has not failed")
        } catch {
            XCTAssertTrue("\(error)".contains("exited with status 1"), "\(error)")
        }
        let child = try XCTUnwrap(pid_t(fixture.text(of: "child").dropLast()))
        await fixture.waitForEnd(of: child)
    }

    func testRun_ofAProgramThatNeverReads_endsIt() async throws {
        let clock = ManualClock()
        let fixture = try ProgramFixture(clock: clock)
        let source = try fixture.source(
            script: #"i=0; while :; do i=$((i+1)); echo "{\"seq\":$i,\"reading\":\"x\"}"; done"#)
        let running = Task { try await source.run(into: RecordingInlet()) }
        // The pipe takes some answers and then no more; then the program ignores the end of its input.
        let time = Task {
            while !Task.isCancelled {
                await clock.waitForSleepers(1)
                clock.advance(seconds: ProgramAnswers.writeSeconds)
            }
        }
        defer { time.cancel() }
        let result = await running.result
        XCTAssertThrowsError(try result.get()) {
            XCTAssertTrue("\($0)".hasPrefix("`sh` does not read its standard input"), "\($0)")
        }
    }

    func testEnvironment_hasNoVariableOfTheGatewayButTheKnownOnes() async throws {
        let fixture = try ProgramFixture()
        let node = fixture.settings(
            script: #"env > "$0/env"; pwd >> "$0/env""#,
            keys: ["environment": .object(["MODE": .string("fast")]), "directory": .string("/")])
        _ = try? await ExecSource.factory.make(node, fixture.context).run(into: RecordingInlet())
        let lines = fixture.text(of: "env").split(separator: "\n")
        XCTAssertTrue(lines.contains("MODE=fast"), "\(lines)")
        XCTAssertTrue(lines.contains("PATH=/usr/local/bin:/usr/bin:/bin"))
        XCTAssertFalse(lines.contains { $0.hasPrefix("TOKEN") })
        XCTAssertEqual(lines.last, "/")
    }

    func testEnvironment_withABadName_isRefusedAtItsPath() throws {
        let fixture = try ProgramFixture()
        for (name, path) in [("", #""""#), ("A=B", "A=B")] {
            let node = fixture.settings(
                command: ["true"], keys: ["environment": .object([name: .string("x")])])
            XCTAssertThrowsError(try ExecSource.factory.make(node, fixture.context)) {
                XCTAssertEqual(
                    "\($0)",
                    "sources.own.environment.\(path): the name of a variable must not be empty, or "
                        + "contain `=` or a null character")
            }
        }
    }
}

extension ProgramFixture {
    /// Waits until a program has made a file.
    func wait(for name: String) async {
        await wait(for: name) { access(self.folder.path(name), F_OK) == 0 }
    }

    /// Waits until a file has a text.
    func wait(for name: String, text: String) async {
        await wait(for: name) { self.text(of: name) == text }
    }

    private func wait(for name: String, until isThere: @escaping @Sendable () -> Bool) async {
        guard let watch = try? DirectoryWatch(folder.path) else { return XCTFail("no inotify") }
        // The watch reports only what happens from now on.
        if isThere() { return }
        let found = await watch.wait(until: isThere)
        XCTAssertTrue(found, name)
    }

    /// Waits until a process is gone, or waits for its parent to reap it.
    func waitForEnd(of process: pid_t) async {
        await wait {
            guard kill(process, 0) == 0 else { return true }
            let file = open("/proc/\(process)/stat", O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { return true }
            defer { close(file) }
            let (bytes, _) = SystemCall.read(file, limit: 1_000)
            return String(decoding: bytes, as: UTF8.self).contains(") Z ")
        }
    }

    /// A process of somebody else sends no event: it was killed, and is gone in a moment.
    private func wait(until isTrue: () -> Bool) async {
        let clock = SystemClock()
        let end = clock.now().adding(seconds: 30)
        while !isTrue(), clock.now() < end { try? await clock.sleep(seconds: 0.01) }
        XCTAssertTrue(isTrue())
    }
}
