import Foundation
import GatewayTesting
import HealthModel
import XCTest

@testable import GatewayCore
@testable import GatewayHost
@testable import GatewayJournal
@testable import Platform
@testable import Readings

final class StatusReportTests: XCTestCase {
    /// A report in which everything is known.
    static var full: StatusReport {
        var report = StatusReport()
        report.version = "1.2.3"
        report.processID = 4711
        report.started = Instant(nanosecondsSince1970: 1_795_284_900_123_000_000)
        report.uptimeSeconds = 7_505.25
        report.dataDirectory = "/var/lib/pulsegate \"é\""
        report.devices = [
            StatusReport.Device(
                identifier: "D0:11:22:33:44:55", name: "Polar H10", manufacturer: "Polar",
                model: "H10", source: "straps", person: "ada", link: "live", contact: true,
                battery: 0.87, lastSeen: Instant(nanosecondsSince1970: 1_795_284_900_000_000_000),
                silentSeconds: 0.5),
            StatusReport.Device(
                identifier: "/dev/ttyUSB0", source: "foot", link: "backOff",
                reason: "/dev/ttyUSB0: no such port", contact: false, battery: 0.05,
                silentSeconds: 200, discarded: ["damaged": 3, "unknown": 1]),
        ]
        report.sources = [
            StatusReport.Part(name: "straps"),
            StatusReport.Part(name: "foot", failure: "/dev/ttyUSB0: no such port; plug it in"),
        ]
        var outcome = Ledger.Outcome()
        (outcome.filtered, outcome.delivered, outcome.rejected) = (1, 22, 3)
        (outcome.dropped, outcome.lost) = (4, 5)
        report.sinks = [
            StatusReport.Sink(
                part: StatusReport.Part(name: "store", failure: "cannot write: full"), cursor: 35,
                pending: 5, outcome: outcome, lagBytes: 1_536, lagSeconds: 7_505,
                failingSeconds: 185, writingSeconds: 0.5, retryInSeconds: 42, unverified: 17,
                restored: StatusReport.Restored(records: 8, lost: 1, onlyInEarlier: 300))
        ]
        report.journal = StatusReport.Journal(
            failure: "no room", waiting: 17, bytes: 3 << 20, isInMemory: true, isDiskFull: true,
            damage: "moved to /x")
        report.ledger.ingest.unaccepted = 1
        (report.ledger.ingest.converted, report.ledger.ingest[.implausible]) = (46, 2)
        (report.ledger.ingest[.duplicate], report.ledger.ingest.published) = (3, 40)
        report.ledger.imbalances = ["converted 46, accounted for 45"]
        report.clock = StatusReport.Clock(state: "set", isSynchronized: true, waiting: 0)
        report.clients = StatusReport.Clients(connected: 2, refused: 1, cutOff: 1)
        return report
    }

    private func object(_ report: StatusReport) throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: Data(report.json))
        return try XCTUnwrap(object as? [String: Any])
    }

    func testJSON_isReadBack() throws {
        XCTAssertEqual(try StatusReport(line: Self.full.json), Self.full)
        XCTAssertEqual(try StatusReport(line: StatusReport().json), StatusReport())
    }

    func testJSON_isOneLineWithTheKeysOfTheManual() throws {
        XCTAssertFalse(Self.full.json.contains(UInt8(ascii: "\n")))
        let json = try object(Self.full)
        XCTAssertEqual(
            Set(json.keys),
            [
                "v", "version", "pid", "started", "uptimeSeconds", "dataDirectory", "devices",
                "sources", "sinks", "services", "journal", "ledger", "clock", "clients",
            ])
        XCTAssertEqual(json["v"] as? Int, 1)
        let devices = try XCTUnwrap(json["devices"] as? [[String: Any]])
        XCTAssertEqual(
            Set(devices[0].keys),
            [
                "device", "name", "manufacturer", "model", "source", "person", "link", "contact",
                "battery", "lastSeen", "silentSeconds", "discarded", "faults",
            ])
        XCTAssertEqual(devices[1]["discarded"] as? [String: Int], ["damaged": 3, "unknown": 1])
        let sources = try XCTUnwrap(json["sources"] as? [[String: Any]])
        XCTAssertEqual(sources.map { $0["healthy"] as? Bool }, [true, false])
        XCTAssertNil(sources[0]["reason"])
        let sinks = try XCTUnwrap(json["sinks"] as? [[String: Any]])
        XCTAssertEqual(
            Set(sinks[0].keys),
            [
                "name", "healthy", "reason", "cursor", "pending", "filtered", "delivered",
                "rejected", "dropped", "lost", "lagBytes", "lagSeconds", "failingSeconds",
                "writingSeconds", "retryInSeconds", "unverified", "restored",
            ])
        let journal = try XCTUnwrap(json["journal"] as? [String: Any])
        XCTAssertEqual(
            Set(journal.keys),
            ["healthy", "reason", "waiting", "bytes", "inMemory", "diskFull", "damage"])
        let ledger = try XCTUnwrap(json["ledger"] as? [String: Any])
        XCTAssertEqual(ledger["balanced"] as? Bool, false)
        let clock = try XCTUnwrap(json["clock"] as? [String: Any])
        XCTAssertEqual(Set(clock.keys), ["state", "synchronized", "waiting"])
    }

    func testLimited_hasNoCountOfARecord_andNoFaultOfAnotherType() throws {
        var full = Self.full
        full.devices[0].faults = [
            StatusReport.Faults(type: "heartRate", reason: "implausible", count: 7),
            StatusReport.Faults(type: "bodyMass", reason: "implausible", count: 9),
        ]
        var readable = AccessDecisions()
        readable.decide(.types(["deviceEvent", "heartRate"]), .granted)
        let limited = full.limited(to: readable)
        XCTAssertEqual(limited.devices[0].faults.map(\.type), ["heartRate"])
        XCTAssertEqual(try StatusReport(line: limited.json), limited)
        let json = try object(limited)
        XCTAssertNil(json["ledger"])
        let sinks = try XCTUnwrap(json["sinks"] as? [[String: Any]])
        XCTAssertEqual(
            Set(sinks[0].keys),
            ["name", "healthy", "reason", "failingSeconds", "writingSeconds", "retryInSeconds"])
        let journal = try XCTUnwrap(json["journal"] as? [String: Any])
        XCTAssertEqual(
            Set(journal.keys), ["healthy", "reason", "inMemory", "diskFull", "damage"])
        let clock = try XCTUnwrap(json["clock"] as? [String: Any])
        XCTAssertEqual(Set(clock.keys), ["state", "synchronized"])

        readable.decide(.all, .granted)
        XCTAssertEqual(full.limited(to: readable), full)
        readable.decide(.types(["bodyMass"]), .denied)
        XCTAssertFalse(full.limited(to: readable).countsRecords)
    }

    func testRead_anAnswerOfAnotherVersion_takesWhatItKnows() throws {
        let line = #"{"v":2,"version":"9","mood":{"good":true},"devices":[{"device":"a","hat":1}]}"#
        let report = try StatusReport(line: Array(line.utf8))
        XCTAssertEqual(report.version, "9")
        XCTAssertEqual(report.devices, [StatusReport.Device(identifier: "a")])
    }

    func testRead_everyTruncation_isAnError() {
        let line = Self.full.json
        for count in 0..<line.count {
            XCTAssertThrowsError(try StatusReport(line: line.prefix(count)), "\(count) bytes")
        }
    }

    func testRead_randomBytes_isAReportOrAnError() {
        var generator = SeededGenerator(seed: 42)
        let line = Self.full.json
        for _ in 0..<1_000 * FuzzFactor.current {
            var bytes = line
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                bytes[index] = UInt8.random(in: 0...255, using: &generator)
            }
            guard let report = try? StatusReport(line: bytes) else { continue }
            XCTAssertEqual(try? StatusReport(line: report.json), report)
        }
    }

    /// The report of a gateway that was started and has heard of its device just now, or a while ago.
    private func report(
        _ clockStatus: ClockStatus, clock: ManualClock, started: BootInstant, heard: BootInstant
    ) -> StatusReport {
        let device = DeviceStatus(
            source: "straps", identifier: "D0", name: nil, manufacturer: nil, model: nil,
            person: nil, link: .stale, reason: "silent", contact: nil, battery: nil,
            lastSeen: heard, drops: [.tooLong: 2])
        let ledger = Ledger(sinks: ["store": Ledger.Sink(start: 0, cursor: 0)])
        var lag = SinkLag()
        (lag.records, lag.bytes, lag.seconds) = (2, 600, 1.5)
        let status = GatewayStatus(
            devices: [device], sources: [SourceStatus(name: "straps", failure: nil)],
            sinks: [
                SinkStatus(
                    name: "store", failure: "full", failingSince: heard, writingSince: started,
                    lag: lag)
            ],
            journal: JournalStatus(
                ledger: ledger, waiting: 3, failure: nil, isFull: true, bytes: 7, damage: "mended"),
            clock: clockStatus)
        return StatusReport(
            status,
            process: StatusReport.Process(
                version: "1", processID: 2, started: started, dataDirectory: "/d"),
            clients: StatusReport.Clients(), clock: clock)
    }

    func testReport_ofAGateway_hasItsTimesInUTC() {
        let clock = ManualClock()
        let started = clock.now()
        let heard = started.adding(nanoseconds: 2_000_000_000)
        clock.advance(seconds: 5)
        let report = report(
            ClockStatus(state: .set, epoch: clock.epoch(), isSynchronized: true, waiting: 0),
            clock: clock, started: started, heard: heard)
        XCTAssertEqual(report.uptimeSeconds, 5)
        XCTAssertEqual(report.started, clock.epoch().instant(at: started))
        XCTAssertEqual(report.devices.first?.silentSeconds, 3)
        XCTAssertEqual(report.devices.first?.lastSeen, clock.epoch().instant(at: heard))
        XCTAssertEqual(report.devices.first?.discarded, ["tooLong": 2])
        XCTAssertEqual(report.sinks.first?.part.failure, "full")
        XCTAssertEqual(report.sinks.first?.failingSeconds, 3)
        XCTAssertEqual(report.sinks.first?.writingSeconds, 5)
        XCTAssertEqual(report.sinks.first?.lagBytes, 600)
        XCTAssertEqual(report.sinks.first?.lagSeconds, 1.5)
        XCTAssertEqual(
            report.journal,
            StatusReport.Journal(waiting: 3, bytes: 7, isDiskFull: true, damage: "mended"))
    }

    func testReport_whileTheClockIsNotSet_hasNoTimesInUTC() {
        let clock = ManualClock()
        let report = report(
            ClockStatus(state: .waiting, epoch: nil, isSynchronized: nil, waiting: 12),
            clock: clock, started: clock.now(), heard: clock.now())
        XCTAssertNil(report.started)
        XCTAssertNil(report.devices.first?.lastSeen)
        XCTAssertEqual(report.devices.first?.silentSeconds, 0)
        XCTAssertEqual(
            report.clock, StatusReport.Clock(state: "waiting", isSynchronized: nil, waiting: 12))
    }
}
