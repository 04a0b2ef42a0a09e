import XCTest

@testable import Terminal
@testable import WorkoutScreens
@testable import Workouts

final class WorkoutScreenTests: XCTestCase {
    private func text(
        _ live: LiveWorkout, columns: Int = 80, rows: Int = 24,
        _ characters: TerminalCharacters = .unicode,
        change: (inout WorkoutScreen) -> Void = { _ in }
    ) -> String {
        var screen = WorkoutScreen(live, style: .plain(characters))
        change(&screen)
        return screen.lines(columns: columns, rows: rows).joined(separator: "\n")
    }

    private func withHeart(_ heart: LiveWorkout.Heart) -> LiveWorkout {
        var live = LiveWorkoutExample.full()
        live.heart = heart
        return live
    }

    /// Whether a number is drawn in digits of a size anywhere on the screen.
    private func isDrawn(_ number: String, _ digits: BlockDigits, in text: String) -> Bool {
        let rows = digits.lines(of: number).map { $0.trimmingBlanks }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.indices.contains { first in
            first + rows.count <= lines.count
                && rows.indices.allSatisfy { lines[first + $0].contains(rows[$0]) }
        }
    }

    // MARK: Sizes

    func testFigures_atEveryWidth_areWholeOrLeftOut() {
        let figures = FigureRows(LiveWorkoutExample.full(), ScreenStyle.plain(.unicode).figures)
        let labelWidth = figures.rows.map(\.label.count).max() ?? 0
        for columns in 30...120 {
            for (row, line) in zip(figures.rows, figures.lines(columns: columns, rows: 7)) {
                let text = line.text(.plain, .unicode).dropFirst(labelWidth + 2)
                let shown = (1...row.values.count).map {
                    row.values.prefix($0).joined(separator: "   ")
                }
                XCTAssertTrue(shown.contains(String(text)), "\(columns): \(text)")
                if let next = shown.first(where: { $0.count > text.count }) {
                    XCTAssertGreaterThan(labelWidth + 2 + next.count, columns, "\(text)")
                }
            }
        }
    }

    func testHeader_leavesOutWhatDoesNotFit_theLocationFirst() throws {
        var live = LiveWorkoutExample.full()
        live.heart = .rate(152, zone: 4, device: "Verity", isBackup: true)
        for columns in WorkoutScreen.minimumColumns...100 {
            let header = try XCTUnwrap(
                text(live, columns: columns).split(separator: "\n").first)
            XCTAssertFalse(header.contains("…"), "\(columns): \(header)")
            XCTAssertEqual(
                header.contains("backup: Verity"), columns > 30, "\(columns): \(header)")
            XCTAssertTrue(header.contains("RUNNING"), "\(columns): \(header)")
            let parts = ["running", "ada", "outdoor"].map { header.contains($0) }
            XCTAssertEqual(parts, parts.sorted { $0 && !$1 }, "\(columns): \(header)")
        }
    }

    func testLines_atEverySize_areNeverLongerOrHigherThanTheTerminal() {
        let lives = [
            LiveWorkoutExample.full(), LiveWorkoutExample.bare(.prepared),
            withHeart(.lost(device: "心拍計 ❤️ with a name that is far too long for it")),
        ]
        for columns in [1, 2, 5, 12, 28, 29, 30, 31, 33, 40, 60, 71, 72, 80, 119, 200] {
            for rows in [1, 2, 3, 4, 8, 9, 10, 11, 15, 24, 40, 60] {
                for live in lives {
                    let lines = WorkoutScreen(live, style: .plain())
                        .lines(columns: columns, rows: rows)
                    XCTAssertLessThanOrEqual(lines.count, rows)
                    XCTAssertFalse(lines.isEmpty)
                    for line in lines {
                        XCTAssertLessThanOrEqual(
                            TextWidth.columns(of: line), columns, "\(columns)x\(rows): \(line)")
                    }
                }
            }
        }
    }

    func testLines_withoutATerminal_areNone() {
        let screen = WorkoutScreen(LiveWorkoutExample.full(), style: .plain())
        XCTAssertEqual(screen.lines(columns: 0, rows: 24), [])
        XCTAssertEqual(screen.lines(columns: 80, rows: 0), [])
    }

    func testHeartRate_isDrawnLargerWhereThereIsMoreRoom() {
        var live = LiveWorkoutExample.full()
        XCTAssertTrue(isDrawn("152", ScreenRows.smallest, in: text(live)))
        live.step = nil
        live.gapCount = 0
        XCTAssertTrue(
            isDrawn("152", BlockDigits(face: .fine, dot: .blocks(rows: 1)), in: text(live)))
        XCTAssertTrue(
            isDrawn(
                "152", BlockDigits(face: .sturdy, dot: .blocks(rows: 3)),
                in: text(live, columns: 120, rows: 40)))
        XCTAssertTrue(isDrawn("152", ScreenRows.smallest, in: text(live, columns: 40, rows: 15)))
        XCTAssertTrue(isDrawn("152", ScreenRows.smallest, in: text(live, columns: 30, rows: 10)))
    }

    func testLines_whenTheTerminalIsSmall_arePlainText() {
        let live = LiveWorkoutExample.full()
        for (columns, rows) in [(29, 24), (80, 9)] {
            let text = text(live, columns: columns, rows: rows)
            XCTAssertTrue(text.hasPrefix("152 zone 4 of 5, hard\n1:20:11 RUNNING\n"), text)
            XCTAssertFalse(text.contains("█"))
        }
        XCTAssertEqual(text(live, columns: 28, rows: 1), "152 zone 4 of 5, hard")
        XCTAssertEqual(
            text(live, columns: 28, rows: 1) { $0.isConfirmingStop = true },
            " stop? s again  else cancel")
    }

    func testKeys_areInTheLastRow() {
        let live = LiveWorkoutExample.full()
        let lines = text(live, rows: 40).split(separator: "\n", omittingEmptySubsequences: false)
        XCTAssertEqual(lines.count, 40)
        XCTAssertEqual(lines.last, " p pause  l lap  s stop  q leave")
    }

    // MARK: Contents

    func testLines_showAllFigures() {
        let text = text(LiveWorkoutExample.full(), rows: 30)
        for part in [
            "RUNNING  running · outdoor · ada", "10:53:45", "zone 4 of 5, hard",
            "151–169 count/min", "Polar H10 8A2F", "elapsed 1:23:45", "lap 15    4:10",
            "average 151   722 m", "148 (88 to 178)",
            "912 kcal", "14.32 km   5:13 min/km", "12934   172 /min",
            "RMSSD     8 ms", "gaps      2 (no samples)", "▲ HARDER",
            "step 3 of 8  threshold", "1:20", "165│", "117│", "10 min ago", "now",
        ] {
            XCTAssertTrue(text.contains(part), "\(part)\n\(text)")
        }
    }

    func testZones_showTheTimeInEachAndMarkTheCurrentOne() {
        let text = text(LiveWorkoutExample.full())
        XCTAssertTrue(text.contains("▶ 4  151–169  ████████████████  34:03"), text)
        XCTAssertTrue(text.contains("  1  94–112   █                  2:02"), text)
        XCTAssertTrue(text.contains("  0  <94      ▎                  0:31"), text)
        let narrow = self.text(LiveWorkoutExample.full(), columns: 40, rows: 24)
        XCTAssertTrue(narrow.contains(" zones 01122223333333333▶44444444444455"), narrow)
        let tall = self.text(LiveWorkoutExample.full(), columns: 40, rows: 40)
        XCTAssertTrue(tall.contains("▶ 4  151–169  █████████████████  34:03"), tall)
    }

    func testHeart_whenThereIsNoRate_showsNoNumberAndWhatToDo() {
        let wants: [(LiveWorkout.Heart, title: String, remedy: String)] = [
            (.waiting, "NO HEART RATE YET", "put it on"),
            (.noContact(device: "H10"), "NO CONTACT", "moisten H10 and press it to the skin"),
            (.noContact(device: nil), "NO CONTACT", "moisten the strap and press"),
            (.lost(device: "H10"), "LOST", "no signal from H10: move closer"),
        ]
        for (heart, title, remedy) in wants {
            for (columns, rows) in [(80, 24), (120, 40), (40, 15), (28, 8)] {
                let text = text(withHeart(heart), columns: columns, rows: rows)
                XCTAssertTrue(text.contains(title), text)
                XCTAssertFalse(text.contains("152"), text)
                for digits in ScreenRows.sizes { XCTAssertFalse(isDrawn("152", digits, in: text)) }
                let words = text.split(separator: "\n").map(\.trimmingBlanks)
                    .joined(separator: " ")
                XCTAssertTrue(words.contains(remedy), text)
            }
        }
    }

    func testHeart_whenTheSnapshotIsStale_showsNoNumber() {
        let text = text(LiveWorkoutExample.full()) { $0.isStale = true }
        XCTAssertTrue(text.contains("NO UPDATES   no data from the gateway"), text)
        XCTAssertFalse(isDrawn("152", ScreenRows.smallest, in: text))
        XCTAssertFalse(text.contains("▶"))
    }

    func testBackup_isNamedWhileItCounts() {
        let live = withHeart(.rate(140, zone: 3, device: "Verity", isBackup: true))
        XCTAssertTrue(text(live).contains("backup: Verity"))
        XCTAssertTrue(text(live, columns: 28, rows: 8).contains("backup: Verity"))
        XCTAssertFalse(text(LiveWorkoutExample.full()).contains("backup"))
    }

    func testState_isShownAndDecidesTheKeys() {
        let wants: [(WorkoutState, words: String, keys: String)] = [
            (.prepared, "READY, waiting for sensors", " q leave"),
            (.paused, " PAUSED ", " p resume  s stop  q leave"),
            (.stopped, "STOPPED – saving", " q leave"),
            (.ended, "ENDED", " q leave"),
        ]
        for (state, words, keys) in wants {
            let text = text(LiveWorkoutExample.bare(state))
            XCTAssertTrue(text.contains(words), text)
            XCTAssertTrue(text.hasSuffix("\n\(keys)"), text)
        }
        var saved = LiveWorkoutExample.bare(.stopped)
        saved.isSaved = true
        XCTAssertTrue(text(saved).contains("SAVED – measuring recovery"))
    }

    func testKeys_whenTheScreenIsNarrow_allHaveRoom() {
        let lines = text(LiveWorkoutExample.full(), columns: 28, rows: 8)
        XCTAssertTrue(lines.hasSuffix("\np pause l lap s stop q leave"), lines)
    }

    func testKeys_whenLeavingWouldEndTheWorkout_areWithoutIt() {
        let lines = text(LiveWorkoutExample.full()) { $0.canLeave = false }
        XCTAssertTrue(lines.hasSuffix("\n p pause  l lap  s stop"), lines)
    }

    func testPrompt_andNotice_areShownWithTheKeys() {
        let live = LiveWorkoutExample.full()
        XCTAssertTrue(
            text(live) { $0.isConfirmingStop = true }.hasSuffix(
                "\n stop? s again  any other key cancels"))
        let notice = text(live) { $0.notice = "lap 15 begins" }
        XCTAssertTrue(notice.hasSuffix("q leave                                  lap 15 begins"))
        XCTAssertTrue(
            text(live, columns: 40, rows: 15) { $0.notice = "lap 15 begins" }
                .hasSuffix("\n lap 15 begins"))
    }

    // MARK: Terminals

    func testNames_cannotDriveTheTerminal() {
        var live = withHeart(.rate(140, zone: 3, device: "\u{1b}[2JH10\r\n", isBackup: true))
        live.step?.name = "go\u{7}"
        live.step?.remaining = "\u{9b}31m"
        for (columns, rows) in [(120, 40), (28, 8)] {
            let text = text(live, columns: columns, rows: rows) { $0.notice = "a\u{1b}c" }
            let controls = text.unicodeScalars.filter {
                $0.properties.generalCategory == .control && $0 != "\n"
            }
            XCTAssertEqual(controls.count, 0)
        }
        XCTAssertTrue(text(live, columns: 120).contains(#"backup: \u{1b}[2JH10"#))
    }

    func testLines_inALocaleWithoutUTF8_areASCII() {
        var live = withHeart(.rate(152, zone: 4, device: "心拍", isBackup: false))
        live.step?.name = "Steigerung für Ünal"
        for (columns, rows) in [(80, 24), (120, 40), (40, 15), (28, 8)] {
            let text = text(live, columns: columns, rows: rows, .ascii)
            XCTAssertTrue(text.utf8.allSatisfy { $0 < 0x80 }, text)
        }
        let text = text(live, rows: 30, .ascii)
        XCTAssertTrue(text.contains("######"))
        XCTAssertTrue(text.contains("> 4  151-169  ################  34:03"), text)
        XCTAssertTrue(text.contains("Steigerung f?r ?nal"))
        XCTAssertTrue(text.contains("165|"))
    }

    func testLines_inColour_areTheSameTextWithStyles() {
        let live = LiveWorkoutExample.full()
        let plain = WorkoutScreen(live, style: .plain()).lines(columns: 80, rows: 24)
        let painted = WorkoutScreen(live, style: .style(Painter(isOn: true)))
            .lines(columns: 80, rows: 24)
        XCTAssertEqual(painted.map(\.withoutStyles), plain)
        XCTAssertTrue(painted.contains { $0.contains("\u{1b}[33mzone 4 of 5, hard\u{1b}[0m") })
    }

    func testLines_ofImplausibleNumbers_doNotTrap() {
        var live = LiveWorkoutExample.full()
        live.heart = .rate(1e300, zone: .max, device: nil, isBackup: false)
        live.measures.elapsedSeconds = .infinity
        live.measures.activeSeconds = -.greatestFiniteMagnitude
        live.measures.zoneSeconds = [.nan, 1e308, 1e308, -5] + [Double](repeating: 1, count: 40)
        live.measures.distanceMeters = -1e200
        live.measures.stepCount = .nan
        live.zoneBounds = [-1e300, .nan]
        live.lapNumber = .min
        live.speed = 1e-300
        live.cadence = -.infinity
        live.rmssdMilliseconds = 1e300
        live.plot = [
            .init(secondsAgo: .nan, rate: 1), .init(secondsAgo: 1e300, rate: 1e300),
            .init(secondsAgo: -5, rate: 100), .init(secondsAgo: 5, rate: -1e5),
        ]
        live.step?.progress = .nan
        live.step?.number = .max
        for (columns, rows) in [(120, 40), (80, 24), (40, 15), (28, 8)] {
            let text = text(live, columns: columns, rows: rows)
            XCTAssertLessThanOrEqual(text.split(separator: "\n").count, rows)
        }
    }
}

extension StringProtocol {
    /// The text without the blanks around it.
    var trimmingBlanks: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }

    /// The text without the sequences that colour it.
    var withoutStyles: String {
        var text = ""
        var isInSequence = false
        for character in self {
            if character == "\u{1b}" { isInSequence = true }
            if !isInSequence { text.append(character) }
            if isInSequence, character == "m" { isInSequence = false }
        }
        return text
    }
}
