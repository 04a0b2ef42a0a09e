import GatewayHost
import GatewayTesting
import Metrics
import XCTest

/// The state of a gateway as metrics.
final class StatusMetricsTests: XCTestCase {
    static let json = #"""
        {"v":1,"version":"1.2.3","started":"2026-11-21T18:15:00.123Z","uptimeSeconds":7505.25,
        "devices":[
        {"device":"D0:11:22:33:44:55","name":"a \"b\"\\\n","manufacturer":"Polar","model":"H10",
        "source":"straps","person":"ada","link":"live","contact":true,"battery":0.87,
        "lastSeen":"2026-11-21T18:15:00Z","faults":[
        {"type":"heartRate","reason":"implausible","count":2}]},
        {"device":"/dev/ttyUSB0","source":"foot","link":"backOff","reason":"got 8888, no such port",
        "discarded":{"unknown":1,"damaged":3}}],
        "sources":[{"name":"straps","healthy":true},
        {"name":"foot","healthy":false,"reason":"no such port","discarded":{"damaged":7}}],
        "sinks":[{"name":"store","healthy":false,"reason":"full","cursor":35,"pending":5,
        "filtered":1,"delivered":22,"rejected":3,"dropped":4,"lost":5,"lagBytes":1536,
        "lagSeconds":7505,"failingSeconds":185}],
        "journal":{"healthy":false,"reason":"no room","waiting":17,"bytes":3145728,
        "diskFull":true},
        "ledger":{"converted":46,"implausible":2,"duplicate":3,"unaccepted":1,"published":40,
        "balanced":true,"imbalances":[]},
        "clock":{"state":"set","synchronized":true,"waiting":0},
        "clients":{"connected":2,"refused":1,"cutOff":1},
        "usage":{"cpuSeconds":1.5,"residentBytes":8388608,"openDescriptors":17}}
        """#

    private func text(_ json: String = json) throws -> String {
        MetricsFormat.prometheus.text(
            of: StatusMetrics.families(of: try StatusReport(line: json.utf8)))
    }

    func testMetrics_haveTheValuesOfTheStatus() throws {
        let lines = Set(try text().split(separator: "\n").map(String.init))
        let strap = #"device="D0:11:22:33:44:55",source="straps""#
        let foot = #"device="/dev/ttyUSB0",source="foot""#
        for line in [
            "# TYPE pulsegate_build_info gauge", #"pulsegate_build_info{version="1.2.3"} 1"#,
            "pulsegate_uptime_seconds 7505.25",
            "pulsegate_process_start_time_seconds 1795284900.123",
            "pulsegate_process_cpu_seconds_total 1.5",
            "pulsegate_process_resident_memory_bytes 8388608",
            "pulsegate_process_open_fds 17",
            #"pulsegate_device_info{\#(strap),name="a \"b\"\\\n",manufacturer="Polar",model="H10"} 1"#,
            #"pulsegate_device_link{\#(strap),state="live"} 1"#,
            #"pulsegate_device_link{\#(strap),state="stale"} 0"#,
            #"pulsegate_device_link{\#(foot),state="backOff"} 1"#,
            #"pulsegate_device_battery_ratio{\#(strap)} 0.87"#,
            #"pulsegate_device_contact{\#(strap)} 1"#,
            #"pulsegate_device_last_seen_timestamp_seconds{\#(strap)} 1795284900"#,
            #"pulsegate_device_discarded_total{\#(foot),reason="damaged"} 3"#,
            #"pulsegate_device_faults_total{\#(strap),type="heartRate",reason="implausible"} 2"#,
            #"pulsegate_source_healthy{source="foot"} 0"#,
            #"pulsegate_source_discarded_total{source="foot",reason="damaged"} 7"#,
            #"pulsegate_sink_healthy{sink="store"} 0"#,
            #"pulsegate_sink_records_total{sink="store",outcome="delivered"} 22"#,
            #"pulsegate_sink_records_total{sink="store",outcome="lost"} 5"#,
            #"pulsegate_sink_pending_records{sink="store"} 5"#,
            #"pulsegate_sink_lag_seconds{sink="store"} 7505"#,
            #"pulsegate_sink_writing_seconds{sink="store"} 0"#,
            "pulsegate_journal_healthy 0", "pulsegate_journal_disk_full 1",
            "pulsegate_journal_size_bytes 3145728", "pulsegate_journal_uncommitted_records 17",
            "pulsegate_readings_converted_total 46", "pulsegate_records_published_total 40",
            #"pulsegate_readings_discarded_total{reason="implausible"} 2"#,
            #"pulsegate_readings_discarded_total{reason="flood"} 0"#,
            "pulsegate_ledger_balanced 1", "pulsegate_clock_synchronized 1",
            #"pulsegate_clock_state{state="set"} 1"#, #"pulsegate_clock_state{state="holdover"} 0"#,
            "pulsegate_control_clients 2", "pulsegate_control_clients_refused_total 1",
        ] {
            XCTAssertTrue(lines.contains(line), line)
        }
    }

    /// Reasons may quote what a device or a server has sent, and who wears a device is nobody's business.
    func testMetrics_haveNoPeopleAndNoReasonsInWords() throws {
        let text = try text()
        for word in ["ada", "8888", "no such port", "no room"] {
            XCTAssertFalse(text.contains(word), word)
        }
    }

    /// What a gateway does not know has no value; a counter never begins with nothing.
    func testMetrics_ofAnEmptyStatus_leaveOutWhatIsUnknown() throws {
        let text = try text("{}")
        for name in [
            "pulsegate_process_", "pulsegate_device", "pulsegate_sink", "pulsegate_clock_synchro",
        ] {
            XCTAssertFalse(text.contains(name), name)
        }
        XCTAssertTrue(text.contains("pulsegate_control_clients 0\n"))
        // A client that may not read all types does not get the counts.
        XCTAssertFalse(text.contains("_records"), text)
        let counted = try self.text(#"{"ledger":{}}"#)
        XCTAssertTrue(counted.contains("pulsegate_records_published_total 0\n"))
    }

    /// Each metric once, with its help and type before its values, and no value twice.
    func testText_isWellFormed() throws {
        var names: Set<Substring> = []
        var series: Set<Substring> = []
        var current: Substring = ""
        for line in try text().split(separator: "\n") {
            let words = line.split(separator: " ")
            if line.hasPrefix("# HELP ") {
                current = words[2]
                XCTAssertTrue(names.insert(current).inserted, "\(current) comes twice")
            } else if line.hasPrefix("# TYPE ") {
                XCTAssertEqual(words[2], current)
                XCTAssertEqual(words[3] == "counter", current.hasSuffix("_total"))
            } else {
                XCTAssertTrue(line.hasPrefix(current), "\(line) is not one of \(current)")
                let end = try XCTUnwrap(line.lastIndex(of: " "))
                XCTAssertTrue(series.insert(line[..<end]).inserted, "\(line) comes twice")
                XCTAssertNotNil(Double(line[end...].dropFirst()), "\(line)")
            }
        }
    }

    func testPromtool_isContent() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(Array(try text().utf8), to: "metrics.prom")
        let check = try InteractiveProgram(
            ["sh", "-c", "promtool check metrics < \"$0\" 2>&1; echo $?", file],
            environment: ["PATH": "/usr/bin:/bin"])
        let answer = try await check.waitForEnd()
        guard !answer.hasSuffix("127\n") else {
            throw XCTSkip("promtool is missing; apt-get install prometheus")
        }
        XCTAssertEqual(answer, "0\n")
    }
}
