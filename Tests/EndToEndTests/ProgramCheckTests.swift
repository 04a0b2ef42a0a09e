import Foundation
import GatewayTesting
import XCTest

/// Tests of `pulsegate check --exec`.
final class ProgramCheckTests: XCTestCase {
    private func check(
        _ script: String, _ words: String...
    ) async throws -> (status: Int32, output: String, log: String) {
        let home = try Home()
        try home.folder.write(Array(script.utf8), to: "program.sh")
        try home.folder.write(Array("#x#".utf8), to: "input")
        let command = ["check", "--exec", "sh"] + words + ["--", home.folder.path("program.sh")]
        let outcome = try await home.run(
            command.map { $0 == "INPUT" ? home.folder.path("input") : $0 })
        guard case .exited(let status) = outcome.ending else {
            XCTFail("\(outcome.ending)")
            return (-1, "", "")
        }
        return (status, outcome.output, outcome.error)
    }

    private static let heartRate =
        #"echo '{"reading":"instant","type":"heartRate","value":72}'"#

    func testSource_isCountedByType() async throws {
        let found = try await check("\(Self.heartRate); cat > /dev/null", "--for", "4")
        XCTAssertEqual(found.status, 0, found.output)
        XCTAssertTrue(found.output.contains("heartRate        1"), found.output)
        XCTAssertTrue(found.output.hasSuffix("no findings\n"), found.output)
    }

    func testSource_thatIsWrong_hasAFindingForEachProblem() async throws {
        let script = """
            echo hello
            echo '{"reading":"instant","type":"heartRate","value":7200}'
            cat > /dev/null
            """
        let found = try await check(script, "--for", "4")
        XCTAssertEqual(found.status, 1)
        for words in ["discarded: damaged", "rejected: implausible", "no sample"] {
            XCTAssertTrue(found.output.contains(words), "\(words): \(found.output)")
        }
        XCTAssertTrue(found.log.contains("not valid JSON"), found.log)
        XCTAssertFalse((found.output + found.log).contains("7200"))
    }

    func testLineBeforeTheFirstOfADevice_isAFinding() async throws {
        // The answer shows that the gateway has read the first line alone.
        let script = """
            echo '{"seq":1,"reading":"nonsense"}'
            read -r answer
            echo '{"reading":"instant","type":"heartRate","value":7200}'
            echo hello
            cat > /dev/null
            """
        let found = try await check(script, "--for", "4")
        XCTAssertEqual(found.status, 1)
        for words in [
            "program: 1 lines or packets discarded: invalid", "discarded: damaged",
            "rejected: implausible",
        ] {
            XCTAssertTrue(found.output.contains(words), "\(words): \(found.output)")
        }
    }

    func testProgramThatEnds_isAFinding() async throws {
        let found = try await check("exit 3", "--for", "4")
        XCTAssertEqual(found.status, 1)
        XCTAssertTrue(found.output.contains("exited with status 3"), found.output)
    }

    func testDecoder_getsTheBytesOfItsDevice() async throws {
        let script = """
            while read -r event; do
                case $event in *'"bytes":"2378'*) \(Self.heartRate);; esac
            done
            """
        let found = try await check(script, "--input", "INPUT", "--for", "4")
        XCTAssertEqual(found.status, 0, found.output + found.log)
        XCTAssertTrue(found.output.contains("heartRate"), found.output)
    }

    func testSink_mustAnswerEachBatch() async throws {
        let good = #"""
            while read -r batch; do
                number=${batch#*'"batch":'}
                echo "{\"ack\":${number%%,*}}"
            done
            """#
        let found = try await check(good, "--as", "sink", "--for", "4")
        XCTAssertEqual(found.status, 0, found.output + found.log)
        let silent = try await check("cat > /dev/null", "--as", "sink", "--for", "2")
        XCTAssertEqual(silent.status, 1)
        XCTAssertTrue(silent.output.contains("records without an answer"), silent.output)
    }

    func testWrongUse_isRefused() async throws {
        let home = try Home()
        for (words, message) in [
            (["--for", "1"], "add --exec COMMAND"),
            (["extra"], "unexpected argument `extra`"),
            (["--exec", "sh", "--as", "sinc"], "source, decoder or sink"),
            (["--exec", "sh", "--as", "decoder"], "add --input FILE"),
            (["--exec", "sh", "--as", "sink", "--input", "/dev/null"], "cannot read /dev/null"),
        ] {
            let outcome = try await home.run(["check"] + words)
            XCTAssertNotEqual(outcome.ending, .exited(0), "\(words)")
            XCTAssertTrue(outcome.error.contains(message), "\(words): \(outcome.error)")
        }
        let missing = try await home.run("check", "--exec", "no-such-program-here")
        XCTAssertEqual(missing.ending, .exited(78))
        XCTAssertTrue(missing.error.contains("was not found"), missing.error)
    }
}
