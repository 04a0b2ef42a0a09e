import Foundation
import XCTest

@testable import Platform

final class LogTests: XCTestCase {
    private func record(
        _ level: Logger.Level, _ message: String, _ fields: [(String, String)] = []
    ) -> Logger.Record {
        Logger.Record(
            level: level, component: "foot", message: message,
            fields: fields.map { (key: $0.0, value: $0.1) })
    }

    func testPlain_levelsAndFields() {
        XCTAssertEqual(
            LogFormat.plain(record(.info, "connected", [("device", "/dev/ttyUSB0")])),
            "foot: connected device=/dev/ttyUSB0\n")
        XCTAssertEqual(LogFormat.plain(record(.warning, "gone")), "warning: foot: gone\n")
    }

    func testJournal_levelsAsSystemdReadsThem() {
        let lines = Logger.Level.allCases.map { LogFormat.journal(record($0, "x")) }
        XCTAssertEqual(
            lines, ["<7>foot: x\n", "<6>foot: x\n", "<4>foot: x\n", "<3>foot: x\n"])
    }

    func testFields_valuesWithSpacesAreQuoted() {
        XCTAssertEqual(
            LogFormat.plain(record(.info, "x", [("a", "b c"), ("d", "e\"f"), ("g", "")])),
            "foot: x a=\"b c\" d=\"e\\\"f\" g=\"\"\n")
        // The mark belongs to the character before it, which is a delimiter nevertheless.
        XCTAssertEqual(
            LogFormat.plain(record(.info, "x", [("a", "b=\u{301}c"), ("d", "e\"\u{301}f")])),
            "foot: x a=\"b=\u{301}c\" d=\"e\\\"\u{301}f\"\n")
    }

    func testEscaped_escapesControlCharacters() {
        XCTAssertEqual(LogFormat.escaped("a\u{1b}[2J\nb\u{202e}"), "a\\u{1b}[2J\\u{a}b\\u{202e}")
    }

    /// Emoji families, flags and Persian words are written with joiners.
    func testEscaped_keepsJoinersBetweenLettersAndEmoji_andNoOthers() {
        for text in [
            "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", "\u{1F3F3}\u{FE0F}\u{200D}\u{1F308}",
            "\u{1F469}\u{1F3FD}\u{200D}\u{1F4BB}", "\u{2764}\u{FE0F}\u{200D}\u{1F525}",
            "\u{0645}\u{06CC}\u{200C}\u{062E}\u{0648}\u{0627}\u{0647}\u{0645}",
            "\u{0915}\u{094D}\u{200D}\u{0937}",
        ] {
            XCTAssertEqual(LogFormat.escaped(text), text)
        }
        for (text, expected) in [
            ("\u{200D}a", "\\u{200d}a"), ("a\u{200D}", "a\\u{200d}"),
            ("a\u{200D}\u{200D}b", "a\\u{200d}\\u{200d}b"), ("1\u{200D}2", "1\\u{200d}2"),
            ("a\u{200C} b", "a\\u{200c} b"), ("a\u{200D}\u{202E}b", "a\\u{200d}\\u{202e}b"),
            ("\u{1F468}\u{200B}\u{1F469}", "\u{1F468}\\u{200b}\u{1F469}"),
            ("a\u{2066}b", "a\\u{2066}b"),
        ] {
            XCTAssertEqual(LogFormat.escaped(text), expected)
        }
    }
}

/// Tests of the formats for programs: JSON, and the entries of systemd-journald.
final class LogEntryTests: XCTestCase {
    private let record = Logger.Record(
        level: .warning, component: "foot", message: "port \"x\" closed",
        fields: [("device", "/dev/tty\u{1b}[2J\u{202e}é"), ("retryInSeconds", "2")])

    func testJSON_isOneObjectOnOneLine() throws {
        let line = LogFormat.json(record, time: 1_763_748_900_123_456_789)
        XCTAssertEqual(
            line,
            #"{"time":"2025-11-21T18:15:00.123Z","level":"warning","component":"foot","#
                + #""message":"port \"x\" closed","fields":{"#
                + #""device":"/dev/tty\u001b[2J\u202eé","retryInSeconds":"2"}}"# + "\n")
        XCTAssertTrue(
            LogFormat.json(record, time: -1).contains("1969-12-31T23:59:59.999Z"))
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        XCTAssertEqual(object?["message"] as? String, #"port "x" closed"#)
    }

    func testJSON_ofCharactersOutsideTheBasicPlane_isValid() throws {
        let record = Logger.Record(
            level: .info, component: "a", message: "\u{E0001}\u{1F600}\n\\", fields: [])
        let line = LogFormat.json(record, time: 0)
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        XCTAssertEqual(object?["message"] as? String, record.message)
        XCTAssertEqual(line.filter(\.isNewline).count, 1)
    }

    func testJournalEntry_hasAFieldForEachDetail() {
        XCTAssertEqual(
            LogFormat.journalEntry(record),
            """
            MESSAGE=foot: port "x" closed device=/dev/tty\\u{1b}[2J\\u{202e}é retryInSeconds=2
            PRIORITY=4
            SYSLOG_IDENTIFIER=pulsegate
            PULSEGATE_COMPONENT=foot
            PULSEGATE_EVENT=port "x" closed
            PULSEGATE_DEVICE=/dev/tty\\u{1b}[2J\\u{202e}é
            PULSEGATE_RETRYINSECONDS=2

            """)
    }

    func testJournalEntry_cannotBeExtendedByAValue() {
        let record = Logger.Record(
            level: .info, component: "a\nPRIORITY=0", message: "b\nMESSAGE=c",
            fields: [("k=\n", "v\nPRIORITY=0")])
        let lines = LogFormat.journalEntry(record).split(separator: "\n")
        XCTAssertEqual(
            lines.map { $0.prefix { $0 != "=" } },
            [
                "MESSAGE", "PRIORITY", "SYSLOG_IDENTIFIER", "PULSEGATE_COMPONENT",
                "PULSEGATE_EVENT", "PULSEGATE_K__",
            ])
    }

    func testQueue_writesTheLine_whenNobodyTakesTheEntry() async {
        let (lines, signal) = AsyncStream.makeStream(of: String.self)
        let queue = LogQueue(
            writeEntry: { entry in
                guard entry != "refused" else { return false }
                signal.yield("entry \(entry)")
                return true
            }, write: { signal.yield("line \($0)") })
        queue.append("1", entry: "taken")
        queue.append("2", entry: "refused")
        queue.append("3")
        var seen: [String] = []
        for await line in lines {
            seen.append(line)
            if seen.count == 3 { break }
        }
        XCTAssertEqual(seen, ["entry taken", "line 2", "line 3"])
    }
}
