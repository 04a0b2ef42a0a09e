import CProcess
import GatewayCore
import Glibc
import XCTest

@testable import Platform

final class ChildProcessTests: XCTestCase {
    private let poller = DescriptorPoller()
    private let clock = SystemClock()

    private func start(
        _ arguments: String..., environment: [String] = ["PATH=/usr/bin:/bin"],
        directory: String = "/"
    ) throws -> ChildProcess {
        try ChildProcess(
            ChildProcess.Options(
                arguments: arguments, environment: environment, directory: directory),
            poller: poller)
    }

    private func text(of pipe: ChildPipe) async throws -> String {
        var bytes: [UInt8] = []
        while let next = try await pipe.read() { bytes += next }
        return String(decoding: bytes, as: UTF8.self)
    }

    func testStart_passesArgumentsEnvironmentAndDirectory() async throws {
        let script = #"printf '%s|' "$@"; echo "$NAME|$PWD"; echo why >&2; exit 3"#
        let child = try start(
            "sh", "-c", script, "sh", "a b", "$HOME", "", environment: ["PATH=/bin", "NAME=x y"],
            directory: "/usr")
        child.input.close()
        let output = try await text(of: child.output)
        let errors = try await text(of: child.errors)
        let end = try await child.waitForEnd()
        XCTAssertEqual(output, "a b|$HOME||x y|/usr\n")
        XCTAssertEqual(errors, "why\n")
        XCTAssertEqual(end, .exited(3))
    }

    func testStart_ofAProgramThatIsNotThere_throws() {
        XCTAssertThrowsError(try start("no-such-program-here")) {
            XCTAssertEqual(($0 as? ChildProcessError)?.code, ENOENT)
        }
        XCTAssertThrowsError(try start("")) { XCTAssertTrue($0 is ChildProcessError) }
        XCTAssertThrowsError(try start("true", directory: "/no/such/folder")) {
            XCTAssertTrue($0 is ChildProcessError)
        }
    }

    func testInput_isWrittenThrough_beyondWhatAPipeHolds() async throws {
        let child = try start("cat")
        let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0) }
        let output = child.output
        let reading = Task {
            var read: [UInt8] = []
            while let next = try await output.read() { read += next }
            return read
        }
        let rest = try await child.input.write(bytes[...], until: nil, on: clock)
        XCTAssertTrue(rest.isEmpty)
        child.input.close()
        let read = try await reading.value
        XCTAssertEqual(read, bytes)
        let end = try await child.waitForEnd()
        XCTAssertEqual(end, .exited(0))
    }

    func testInput_thatNobodyReads_givesUpAtTheDeadline() async throws {
        let child = try start("sleep", "100")
        let deadline = clock.now().adding(nanoseconds: 50_000_000)
        let bytes = [UInt8](repeating: 1, count: 1_000_000)
        let rest = try await child.input.write(bytes[...], until: deadline, on: clock)
        XCTAssertGreaterThan(rest.count, 0)
        XCTAssertLessThan(rest.count, bytes.count)
    }

    func testInput_ofAChildThatHasEnded_throwsEPIPE() async throws {
        let child = try start("true")
        _ = try await child.waitForEnd()
        do {
            _ = try await child.input.write([1], until: nil, on: clock)
            XCTFail("written")
        } catch let error as ChildProcessError {
            XCTAssertEqual(error.code, EPIPE)
        }
    }

    func testEnd_ofAProgramThatEndsWithItsInput_isItsExit() async throws {
        let child = try start("cat")
        let end = await child.end(graceSeconds: 20, killSeconds: 20, on: clock)
        XCTAssertEqual(end, .exited(0))
    }

    func testEnd_ofAProgramThatIgnoresItsInput_isSIGTERM() async throws {
        let child = try start("sleep", "100")
        let end = await child.end(graceSeconds: 0.05, killSeconds: 20, on: clock)
        XCTAssertEqual(end, .signaled(SIGTERM))
    }

    func testEnd_ofAProgramThatIgnoresSIGTERM_isSIGKILL() async throws {
        let child = try start("sh", "-c", "trap '' TERM; echo ready; while :; do sleep 100; done")
        _ = try await child.output.read()
        let end = await child.end(graceSeconds: 0.05, killSeconds: 0.05, on: clock)
        XCTAssertEqual(end, .signaled(SIGKILL))
    }

    /// The program has a child of its own that holds the pipe open.
    func testEnd_endsWhatTheProgramHasStarted() async throws {
        let child = try start("sh", "-c", "sleep 100 & echo $!; exec cat")
        let line = try await child.output.read().map { String(decoding: $0, as: UTF8.self) }
        let grandchild = try XCTUnwrap(pid_t((line ?? "").dropLast()))
        let watch = try poller.watch(PipeEnd(cprocess_open(grandchild)), .readable)
        _ = await child.end(graceSeconds: 20, killSeconds: 20, on: clock)
        // The descriptor is readable when the process has ended.
        try await watch.wait()
    }

    func testChild_hasNoBlockedOrIgnoredSignals_andNoOtherDescriptors() async throws {
        let child = try start(
            "sh", "-c", "grep -E 'Sig(Blk|Ign)' /proc/self/status; ls /proc/self/fd | wc -l")
        let output = try await text(of: child.output)
        let lines = output.split(separator: "\n").map(String.init)
        for line in lines.prefix(2) {
            // glibc keeps two signals above 31 for itself.
            let signals = try XCTUnwrap(UInt64(line.suffix(16), radix: 16))
            XCTAssertEqual(signals & 0x7FFF_FFFF, 0, line)
        }
        // The three streams, and the folder that ls reads.
        XCTAssertEqual(lines.last?.filter(\.isNumber), "4")
    }

    func testRelease_withoutAnEnd_leavesNoProcess() async throws {
        var child: ChildProcess? = try start("sleep", "100")
        let identifier = try XCTUnwrap(child?.identifier)
        child = nil
        XCTAssertEqual(kill(identifier, 0), -1)
    }
}
