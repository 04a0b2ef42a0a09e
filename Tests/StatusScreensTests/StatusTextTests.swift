import ArgumentValues
import GatewayCore
import HealthModel
import XCTest

@testable import GatewayHost
@testable import GatewayTesting
@testable import Platform
@testable import StatusScreens
@testable import Terminal
@testable import WorkoutScreens

final class StatusTextTests: XCTestCase {
    /// A report with all values.
    private static func full() throws -> StatusReport {
        let json = #"""
            {"v":1,"version":"1.2.3","pid":4711,"started":"2026-11-21T18:15:00.123Z",
            "uptimeSeconds":7505.25,"dataDirectory":"/var/lib/pulsegate \"é\"","devices":[
            {"device":"D0:11:22:33:44:55","name":"Polar H10","manufacturer":"Polar","model":"H10",
            "source":"straps","person":"ada","link":"live","contact":true,"battery":0.87,
            "lastSeen":"2026-11-21T18:15:00Z","silentSeconds":0.5},
            {"device":"/dev/ttyUSB0","source":"foot","link":"backOff",
            "reason":"/dev/ttyUSB0: no such port","contact":false,"battery":0.05,
            "silentSeconds":200,"discarded":{"damaged":3,"unknown":1}}],
            "sources":[{"name":"straps","healthy":true},
            {"name":"foot","healthy":false,"reason":"/dev/ttyUSB0: no such port; plug it in"}],
            "sinks":[{"name":"store","healthy":false,"reason":"cannot write: full","cursor":35,
            "pending":5,"filtered":1,"delivered":22,"rejected":3,"dropped":4,"lost":5,
            "lagBytes":1536,"lagSeconds":7505,"failingSeconds":185,"writingSeconds":0.5,
            "retryInSeconds":42}],
            "journal":{"healthy":false,"reason":"no room","waiting":17,"bytes":3145728,
            "inMemory":true,"diskFull":true,"damage":"moved to /x"},
            "ledger":{"converted":46,"implausible":2,"duplicate":3,"unaccepted":1,"published":40,
            "balanced":false,"imbalances":["converted 46, accounted for 45"]},
            "clock":{"state":"set","synchronized":true,"waiting":0},
            "clients":{"connected":2,"refused":1,"cutOff":1}}
            """#
        return try StatusReport(line: json.utf8)
    }

    func testText_withoutAccessToAllTypes_hasNoCountOfRecords() throws {
        let json = #"""
            {"v":1,"version":"1","pid":1,"uptimeSeconds":1,"dataDirectory":"/d",
            "sinks":[{"name":"store","healthy":false,"reason":"full","failingSeconds":185}],
            "journal":{"healthy":false,"reason":"no room","inMemory":false,"diskFull":true},
            "clock":{"state":"waiting"}}
            """#
        let text = StatusText(
            try StatusReport(line: json.utf8), painter: Painter(isOn: false)
        ).text
        XCTAssertTrue(
            text.hasSuffix(
                """
                SINK   STATE
                store  failing
                  for 3 min 5 s: full

                journal: on disk
                  the disk is full: no room
                no counts of records: they need access to read all types

                """), text)
        XCTAssertTrue(text.contains("clock: not set; readings are waiting for it"), text)
    }

    func testText_isAlignedAndReportsProblems() throws {
        let text = try StatusText(Self.full(), painter: Painter(isOn: false)).text
        XCTAssertEqual(
            text,
            """
            pulsegate 1.2.3, process 4711, running for 2 h 5 min
            data: /var/lib/pulsegate "é"

            DEVICE             NAME       SOURCE  PERSON  LINK     CONTACT  BATTERY  LAST SEEN       DISCARDED
            D0:11:22:33:44:55  Polar H10  straps  ada     live     yes      87 %     0.5 s ago       -
            /dev/ttyUSB0       -          foot    -       backOff  no       5 %      3 min 20 s ago  damaged 3, unknown 1
              /dev/ttyUSB0: no such port

            SOURCE  STATE
            straps  healthy
            foot    failing
              /dev/ttyUSB0: no such port; plug it in

            SINK   STATE    CURSOR  PENDING  DELIVERED  FILTERED  REJECTED  DROPPED  LOST  LAG
            store  failing      35        5         22         1         3        4     5  1.5 KiB, 2 h 5 min
              for 3 min 5 s: cannot write: full; retry in 42 s

            journal: 5 records (1.5 KiB) pending, 17 not committed yet; 3 MiB in memory
              the disk is full: no room
              corruption found: moved to /x
            ledger: 46 converted = 2 implausible + 3 duplicate + 1 not accepted + 40 published; not balanced
              converted 46, accounted for 45

            """)
    }

    /// In 80 columns nothing is cut: less important columns are below their rows.
    func testText_inANarrowTerminal_hasEverything() throws {
        var report = try Self.full()
        report.devices[0].name = "Polar H10 of the second boat"
        let width = TerminalWidth(columns: 80, characters: .unicode)
        let text = StatusText(report, painter: Painter(isOn: false), width: width).text
        XCTAssertTrue(
            text.contains(
                """
                DEVICE             NAME                          LINK     LAST SEEN
                D0:11:22:33:44:55  Polar H10 of the second boat  live     0.5 s ago
                  source: straps; person: ada; contact: yes; battery: 87 %
                /dev/ttyUSB0       -                             backOff  3 min 20 s ago
                  source: foot; contact: no; battery: 5 %; discarded: damaged 3, unknown 1
                  /dev/ttyUSB0: no such port
                """), text)
        XCTAssertTrue(
            text.contains(
                """
                SINK   STATE    PENDING  DELIVERED  REJECTED  DROPPED  LOST  LAG
                store  failing        5         22         3        4     5  1.5 KiB, 2 h 5 min
                  cursor: 35; filtered: 1
                  for 3 min 5 s: cannot write: full; retry in 42 s
                """), text)
        let wide = StatusText(
            report, painter: Painter(isOn: false),
            width: TerminalWidth(columns: 200, characters: .unicode)
        ).text
        XCTAssertEqual(wide, StatusText(report, painter: Painter(isOn: false)).text)
    }

    func testText_inANarrowTerminal_hasTheAccountsOnSeveralLines() throws {
        let width = TerminalWidth(columns: 60, characters: .unicode)
        let text = StatusText(try Self.full(), painter: Painter(isOn: false), width: width).text
        XCTAssertTrue(
            text.hasSuffix(
                """
                journal: 5 records (1.5 KiB) pending, 17 not committed yet;
                  3 MiB in memory
                  the disk is full: no room
                  corruption found: moved to /x
                ledger: 46 converted = 2 implausible + 3 duplicate +
                  1 not accepted + 40 published; not balanced
                  converted 46, accounted for 45

                """), text)
    }

    func testText_inANarrowTerminal_hasTheClockOnSeveralLines() throws {
        var report = StatusReport()
        report.clock = .init(state: "estimated")
        let width = TerminalWidth(columns: 40, characters: .unicode)
        let text = StatusText(report, painter: Painter(isOn: false), width: width).text
        let clock = text.split(separator: "\n").drop { !$0.hasPrefix("clock: ") }
            .prefix { !$0.hasPrefix("no device") }
        for line in clock { XCTAssertLessThanOrEqual(TextWidth.columns(of: String(line)), 40) }
        let words = clock.joined(separator: " ").split(separator: " ").joined(separator: " ")
        XCTAssertEqual(
            words,
            "clock: not set; sample times are estimated and marked as such; \(ClockLog.remedy)")
    }

    func testText_ofAnyWidth_cutsNoValueOfADeviceOrSink() throws {
        let report = try Self.full()
        for columns in 40...120 {
            let width = TerminalWidth(columns: columns, characters: .unicode)
            let text = StatusText(report, painter: Painter(isOn: false), width: width).text
            XCTAssertFalse(text.contains("…"), "\(columns): \(text)")
            for value in ["87 %", "Polar H10", "damaged 3, unknown 1", "1.5 KiB, 2 h 5 min", "22"] {
                XCTAssertTrue(text.contains(value), "\(columns): \(value): \(text)")
            }
        }
    }

    /// Lines of a program that name no device are the source's, whether it works or not.
    func testText_hasWhatASourceHasDiscarded() throws {
        var report = StatusReport()
        report.sources = [
            .init(name: "mix", discarded: ["damaged": 3, "invalid": 1]),
            .init(name: "own", failure: "only noise", discarded: ["damaged": 21]),
        ]
        let text = StatusText(report, painter: Painter(isOn: false)).text
        XCTAssertTrue(
            text.contains(
                """
                SOURCE  STATE
                mix     healthy
                  discarded: damaged 3, invalid 1
                own     failing
                  only noise; discarded: damaged 21

                """), text)
    }

    func testText_ofAGatewayWithoutDevices() throws {
        let text = StatusText(StatusReport(), painter: Painter(isOn: false)).text
        XCTAssertTrue(text.contains("no device seen yet\n"), text)
        XCTAssertTrue(text.hasSuffix("; balanced\n"), text)
    }

    func testText_ofTheJournal_namesWhatIsPendingAndTheSizeOnDisk() throws {
        var report = StatusReport()
        report.journal.bytes = 16 << 20
        report.sinks = [
            StatusReport.Sink(part: .init(name: "a"), pending: 2, lagBytes: 100),
            StatusReport.Sink(part: .init(name: "b"), pending: 7, lagBytes: 2_048),
        ]
        let text = StatusText(report, painter: Painter(isOn: false)).text
        let line = "journal: 7 records (2 KiB) pending, 0 not committed yet; 16 MiB on disk\n"
        XCTAssertTrue(text.contains(line), text)
    }

    func testText_ofADeviceThatSendsNothing_reportsTheRemedy() {
        func notes(
            _ state: LinkState, reason: String? = nil, contact: Bool? = nil,
            device: String = "D0:11:22:33:44:55", failure: String? = nil
        ) -> [String] {
            var report = StatusReport()
            var strap = StatusReport.Device()
            (strap.identifier, strap.source) = (device, "straps")
            (strap.link, strap.reason, strap.contact) = (state.rawValue, reason, contact)
            report.devices = [strap]
            report.sources = [StatusReport.Part(name: "straps", failure: failure)]
            let text = StatusText(report, painter: Painter(isOn: false)).text
            return text.split(separator: "\n").filter { $0.hasPrefix("  ") }.map(String.init)
        }
        XCTAssertEqual(
            notes(.wanted, reason: "not seen yet"),
            [
                "  not seen yet; wear the device, move it closer, and disconnect it from phones and "
                    + "other programs"
            ])
        XCTAssertEqual(
            notes(.backOff, reason: "cannot connect: x"),
            [
                "  cannot connect: x; move the device closer, disconnect it from other programs, or "
                    + "change its battery"
            ])
        XCTAssertEqual(
            notes(.stale, reason: "no data"), ["  no data; check skin contact and battery"])
        XCTAssertEqual(
            notes(.live, contact: false),
            ["  no skin contact; moisten the electrodes and tighten the strap"])
        XCTAssertEqual(
            notes(.stale, reason: "no data", device: "/dev/ttyUSB0"),
            ["  no data; check that the device is switched on, and its cable"])
        XCTAssertEqual(notes(.live, contact: true), [])
        XCTAssertEqual(notes(.connecting), [])
        XCTAssertEqual(
            notes(.wanted, reason: "adapter hci0 is powered off", failure: "hci0 is off; x"),
            ["  adapter hci0 is powered off", "  hci0 is off; x"], "the source has the remedy")
        for state in LinkState.allCases where [.backOff, .wanted, .stale].contains(state) {
            XCTAssertEqual(notes(state).count, 1, "\(state)")
        }
    }

    func testText_ofAClockThatIsNotSet_reportsTheRemedy() throws {
        func line(_ state: ClockStatus.State, _ isSynchronized: Bool?) throws -> String? {
            var report = try Self.full()
            report.clock = StatusReport.Clock(
                state: state.rawValue, isSynchronized: isSynchronized, waiting: 12)
            let text = StatusText(report, painter: Painter(isOn: false)).text
            return text.split(separator: "\n").first { $0.hasPrefix("clock: ") }.map(String.init)
        }
        XCTAssertNil(try line(.set, true))
        XCTAssertNil(try line(.set, nil))
        XCTAssertEqual(
            try line(.waiting, nil)?.contains("not set; 12 readings are waiting for it; "), true)
        for (state, isSynchronized) in [
            (ClockStatus.State.set, false), (.estimated, nil), (.holdover, nil),
        ] {
            XCTAssertEqual(
                try line(state, isSynchronized)?.contains("timedatectl"), true, "\(state)")
        }
    }

    func testText_ofASinkInALongWrite_reportsIt() throws {
        var report = StatusReport()
        report.sinks = [
            StatusReport.Sink(part: StatusReport.Part(name: "slow"), writingSeconds: 3_700),
            StatusReport.Sink(part: StatusReport.Part(name: "quick"), writingSeconds: 2),
        ]
        let text = StatusText(report, painter: Painter(isOn: false)).text
        XCTAssertTrue(text.contains("  write in progress for 1 h 1 min\n"), text)
        XCTAssertFalse(text.contains("for 2 s"), text)
    }

    func testText_withColours_isOtherwiseTheSame() throws {
        let plain = try StatusText(Self.full(), painter: Painter(isOn: false)).text
        let painted = try StatusText(Self.full(), painter: Painter(isOn: true)).text
        XCTAssertTrue(painted.contains("\u{1b}[32mlive\u{1b}[0m"), painted)
        XCTAssertTrue(painted.contains("\u{1b}[31mfailing\u{1b}[0m"), painted)
        XCTAssertEqual(painted.replacing(/\u{1b}\[[0-9]*m/, with: ""), plain)
    }

    func testText_namesDoNotDriveTheTerminal() throws {
        var report = try Self.full()
        report.devices[0].name = "\u{1b}[2J"
        report.devices[0].reason = "\u{7}\n\u{1b}c"
        report.devices[0].discarded = ["\u{1b}x": 1]
        report.sources[0].failure = "\u{9b}31m"
        let text = StatusText(report, painter: Painter(isOn: false)).text
        XCTAssertFalse(text.contains { $0 == "\u{1b}" || $0 == "\u{7}" || $0 == "\u{9b}" }, text)
    }

    func testText_ofADamagedReport_doesNotDriveTheTerminal() throws {
        var generator = SeededGenerator(seed: 42)
        let line = try Self.full().json
        for _ in 0..<1_000 * FuzzFactor.current {
            var bytes = line
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                bytes[index] = UInt8.random(in: 0...255, using: &generator)
            }
            guard let report = try? StatusReport(line: bytes) else { continue }
            let text = StatusText(report, painter: Painter(isOn: false)).text
            XCTAssertFalse(text.contains("\u{1b}"))
        }
    }

    func testPainter_isOffWithoutATerminal() throws {
        let environment = Environment(variables: ["TERM": "xterm"])
        let pipe = StandardStream(descriptor: -1)
        XCTAssertEqual(Painter(pipe, environment: environment).paint("x", .bad), "x")
    }

    func testSize_inTheLargestUnit() throws {
        let cases: [(Int64, String)] = [
            (0, "0 B"), (1_023, "1023 B"), (1_024, "1 KiB"), (1_600, "1.6 KiB"),
            (64 << 20, "64 MiB"), (3 << 40, "3 TiB"), (3 << 50, "3072 TiB"),
        ]
        for (bytes, text) in cases { XCTAssertEqual(HumanQuantity.size(bytes: bytes), text) }
    }

    func testDuration_inItsTwoLargestUnits() throws {
        let cases: [(Double, String)] = [
            (-1, "0 s"), (0, "0 s"), (0.44, "0.4 s"), (9.96, "10 s"), (10.6, "10 s"),
            (60, "1 min"), (185, "3 min 5 s"), (3_600, "1 h"), (3_601, "1 h"),
            (90_000, "1 d 1 h"), (86_400 * 400, "400 d"),
        ]
        for (seconds, text) in cases {
            XCTAssertEqual(HumanQuantity.duration(seconds: seconds), text, "\(seconds)")
        }
    }
}

final class TapPrinterTests: XCTestCase {
    private let now = Instant(nanosecondsSince1970: 1_795_284_900_123_000_000)
    private let strap = Device(name: "Polar H10 8A2F", localIdentifier: "D0:11:22:33:44:55")

    private var id: RecordID { RecordID.make(start: now, device: "d", stream: "s", key: 1) }

    private func event(_ state: DeviceState, reason: String? = nil) -> Record {
        .event(DeviceEvent(id: id, at: now, device: strap, state: state, reason: reason))
    }

    /// A line without the time, which is in the zone of the machine.
    private func words(_ record: Record) -> [Substring] {
        TapPrinter.line(record).dropFirst(12).split(separator: " ", omittingEmptySubsequences: true)
    }

    func testLine_timeDeviceTypeValueUnit() throws {
        let sample = try QuantitySample(
            id: id, type: .heartRate, start: now, end: now,
            quantity: Quantity(72, .countPerMinute), device: strap)
        let line = TapPrinter.line(.sample(sample))
        XCTAssertTrue(
            line.contains(
                /^[0-9]{2}:[0-9]{2}:00\.123  Polar H10 8A2F        heartRate               72 count\/min\n$/
            ),
            line)
    }

    func testLine_isAligned_alsoBehindWideCharacters() throws {
        let sample = try QuantitySample(
            id: id, type: .heartRate, start: now, end: now,
            quantity: Quantity(72, .countPerMinute), device: Device(name: "心拍計"))
        XCTAssertTrue(
            TapPrinter.line(.sample(sample)).hasSuffix(
                "  心拍計                heartRate               72 count/min\n"))
    }

    func testLine_categoriesAndCorrelations() throws {
        let sleep = try CategorySample(
            id: id, type: .sleepAnalysis, start: now, end: now, value: 5, device: strap)
        XCTAssertEqual(words(.category(sleep)).suffix(2), ["sleepAnalysis", "asleepREM\n"])
        let members = try [
            (QuantityType.bloodPressureSystolic, 120.0), (.bloodPressureDiastolic, 80),
        ].enumerated().map { index, pair in
            Correlation.Member.quantity(
                try QuantitySample(
                    id: RecordID(high: 1, low: UInt64(index)), type: pair.0, start: now, end: now,
                    quantity: Quantity(pair.1, .millimeterOfMercury)))
        }
        let correlation = try Correlation(
            id: id, type: .bloodPressure, start: now, end: now, samples: members)
        XCTAssertEqual(
            words(.correlation(correlation)).joined(separator: " "),
            "- bloodPressure bloodPressureSystolic 120 mmHg, bloodPressureDiastolic 80 mmHg\n")
    }

    func testLine_workouts() throws {
        let activity = try XCTUnwrap(WorkoutActivity(customName: "stair-run"))
        let workout = try Workout(
            id: id, activity: activity, start: now, end: now.adding(nanoseconds: 2_112_000_000_000),
            totals: [
                WorkoutTotal(
                    .heartRate, average: Quantity(132, .countPerMinute),
                    minimum: Quantity(80, .countPerMinute), maximum: Quantity(171, .countPerMinute)),
                WorkoutTotal(.activeEnergyBurned, sum: Quantity(310.25, .kilocalorie)),
            ])
        XCTAssertEqual(
            words(.workout(workout)).joined(separator: " "),
            "- stair-run 35 min 12 s, activeEnergyBurned 310.25 kcal, heartRate 132 count/min\n")
    }

    func testLine_events() throws {
        XCTAssertEqual(
            words(event(DeviceState(connection: .stale), reason: "silent")).joined(separator: " "),
            "Polar H10 8A2F connection stale (silent)\n")
        XCTAssertEqual(words(event(DeviceState(contact: false))).suffix(2), ["contact", "no\n"])
        XCTAssertEqual(
            words(event(DeviceState(battery: 0.87))).suffix(3), ["battery", "87", "%\n"])
        XCTAssertEqual(
            words(event(DeviceState(), reason: "identified")).suffix(2),
            ["known", "(identified)\n"])
    }

    func testText_asJSON_isUnchanged() throws {
        for format in [OutputFormat.json, .ndjson] {
            var printer = TapPrinter(format, of: nil)
            let lines = Array("{\"id\":1}\nno JSON\n".utf8)
            XCTAssertEqual(printer.text(of: lines[...]), lines)
            XCTAssertEqual(printer.header, [])
        }
    }

    func testText_asCSV_hasTheColumnsOfTheType() throws {
        let line =
            #"{"type":"heartRate","start":"2026-11-21T18:15:00Z","end":"#
            + #""2026-11-21T18:15:00Z","value":72,"unit":"count/min","person":"ada","#
            + #""id":"0199aaaa-0000-8000-8000-000000000001"}"#
        var printer = TapPrinter(.csv, of: .quantity(.heartRate))
        XCTAssertTrue(printer.header.starts(with: "id,type,start,end,value,".utf8))
        XCTAssertEqual(
            String(decoding: printer.text(of: Array("\(line)\n".utf8)[...]), as: UTF8.self),
            "0199aaaa-0000-8000-8000-000000000001,heartRate,2026-11-21T18:15:00.000Z,"
                + "2026-11-21T18:15:00.000Z,72,count/min,ada,,,\r\n")
    }

    func testText_forPeople_omitsUnknownRecords() throws {
        var lines = Array("{\"mood\":\"good\"}\n".utf8)
        RecordEncoder.append(event(DeviceState(connection: .connected)), to: &lines)
        lines.append(UInt8(ascii: "\n"))
        var printer = TapPrinter(.table, of: nil)
        let text = String(decoding: printer.text(of: lines[...]), as: UTF8.self)
        XCTAssertEqual(text.split(separator: "\n").count, 1)
        XCTAssertTrue(text.contains("connected"), text)
    }
}
