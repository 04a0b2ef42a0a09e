import GatewayCore
import HealthModel
import Workouts
import XCTest

@testable import PulsegateCommand

/// The small parts that screens are put together from.
final class ScreenPartsTests: XCTestCase {
    // MARK: Lines

    func testCut_marksWhatIsMissingAndKeepsStyles() {
        var line = StyledLine("zone 4", .good)
        line.append(" of 5")
        XCTAssertEqual(line.width, 11)
        XCTAssertEqual(line.cut(to: 11), line)
        XCTAssertEqual(
            line.cut(to: 8).text(Painter(isOn: true), .unicode), "\u{1b}[32mzone 4\u{1b}[0m …")
        XCTAssertEqual(line.cut(to: 1).text(.plain, .ascii), "~")
        XCTAssertEqual(line.cut(to: 0).text(.plain, .unicode), "")
    }

    func testCut_neverDividesAWideCharacter() {
        XCTAssertEqual(StyledLine("心拍計").cut(to: 4).text(.plain, .unicode), "心…")
        XCTAssertEqual(StyledLine("心拍計").cut(to: 6).text(.plain, .unicode), "心拍計")
        XCTAssertEqual(StyledLine("e\u{301}a❤️").width, 4)
    }

    func testJustified_givesTheRightLineItsRoom() {
        let line = StyledLine("left side").justified(StyledLine("12"), columns: 8)
        XCTAssertEqual(line.text(.plain, .unicode), "left… 12")
        XCTAssertEqual(
            StyledLine("a").justified(StyledLine("b"), columns: 4).text(.plain, .unicode), "a  b")
        XCTAssertEqual(StyledLine("abc").justified(StyledLine("12345"), columns: 3).width, 3)
    }

    func testWrapped_breaksBetweenWords() {
        XCTAssertEqual(
            TextWidth.wrapped("come nearer or check", columns: 11), ["come nearer", "or check"])
        XCTAssertEqual(TextWidth.wrapped("incomprehensible", columns: 4), ["inco"])
        XCTAssertEqual(TextWidth.wrapped("", columns: 4), [])
    }

    func testCharacters_areThoseOfTheLocale() {
        func characters(_ variables: [String: String]) -> TerminalCharacters {
            TerminalCharacters(Environment(variables: variables))
        }
        XCTAssertEqual(characters(["LANG": "de_DE.UTF-8"]), .unicode)
        XCTAssertEqual(characters(["LANG": "C.utf8"]), .unicode)
        XCTAssertEqual(characters(["LANG": "de_DE.UTF-8", "LC_CTYPE": "C"]), .ascii)
        XCTAssertEqual(characters(["LC_ALL": "POSIX", "LC_CTYPE": "C.UTF-8"]), .ascii)
        XCTAssertEqual(characters(["LC_ALL": "", "LC_CTYPE": "C.UTF-8"]), .unicode)
        XCTAssertEqual(characters([:]), .ascii)
    }

    // MARK: Digits and bars

    func testDigits_areAsWideAndHighAsTheySay() {
        let dots: [BlockDigits.Dot] = [.blocks(rows: 1), .blocks(rows: 3), .halves, .narrow]
        for face in [BlockDigits.Face.sturdy, .fine] {
            for dot in dots {
                let digits = BlockDigits(face: face, dot: dot)
                for text in ["0123456789", "1:20", "---"] {
                    let lines = digits.lines(of: text)
                    XCTAssertEqual(lines.count, digits.rows)
                    XCTAssertEqual(Set(lines.map(\.count)), [digits.columns(of: text)])
                }
                XCTAssertEqual(digits.lines(of: "x"), [])
                XCTAssertNil(digits.columns(of: ""))
            }
        }
        XCTAssertEqual(
            ScreenRows.smallest.lines(of: "17"),
            [
                "  ██    ██████", "████        ██", "  ██        ██", "  ██        ██",
                "██████      ██",
            ])
    }

    func testBar_isFinerThanAColumn() {
        XCTAssertEqual(ShareBar.text(0.5, columns: 3), "█▌")
        XCTAssertEqual(ShareBar.text(1, columns: 2), "██")
        XCTAssertEqual(ShareBar.text(7, columns: 2), "██")
        XCTAssertEqual(ShareBar.text(-1, columns: 2), "")
        XCTAssertEqual(ShareBar.text(.nan, columns: 2), "")
        XCTAssertEqual(ShareBar.text(1, columns: -2), "")
    }

    func testColumns_areDividedWithoutLoss() {
        XCTAssertEqual(ShareBar.columns([1, 1, 1], among: 10), [4, 3, 3])
        XCTAssertEqual(ShareBar.columns([1_000, 1, 0], among: 10), [9, 1, 0])
        XCTAssertEqual(ShareBar.columns([0, 0], among: 10), [0, 0])
        XCTAssertEqual(ShareBar.columns([1, .infinity, .nan], among: 10), [10, 0, 0])
        XCTAssertEqual(ShareBar.columns([5, 5, 5], among: 2).reduce(0, +), 2)
    }

    // MARK: Rows

    func testRows_ofASmallTerminal_giveThePlotWayForFigures() {
        XCTAssertEqual(
            ScreenRows(12, middle: 7, digitColumns: 30),
            ScreenRows(digits: ScreenRows.smallest, middle: 4, plot: 3, blanks: 0))
        XCTAssertEqual(
            ScreenRows(10, middle: 7, digitColumns: 30),
            ScreenRows(digits: ScreenRows.smallest, middle: 5, plot: 0, blanks: 0))
    }

    func testRows_areNeverMoreThanThereAre() {
        for rows in 5...80 {
            for middle in 0...8 {
                let division = ScreenRows(rows, middle: middle, digitColumns: 200)
                let used = division.digits.rows + division.middle + division.plot + division.blanks
                XCTAssertLessThanOrEqual(used, rows)
            }
        }
    }

    // MARK: Figures

    private let figures = ScreenStyle.plain().figures

    func testFigures_areThoseOfPeople() {
        XCTAssertEqual(WorkoutFigures.clock(0), "0:00")
        XCTAssertEqual(WorkoutFigures.clock(59.9), "0:59")
        XCTAssertEqual(WorkoutFigures.clock(3_600), "1:00:00")
        XCTAssertEqual(WorkoutFigures.clock(360_061), "100:01:01")
        XCTAssertEqual(WorkoutFigures.clock(-5), "0:00")
        XCTAssertEqual(figures.distance(999.4), "999 m")
        XCTAssertEqual(figures.distance(999.6), "1.00 km")
        XCTAssertEqual(figures.distance(12_345), "12.35 km")
        XCTAssertEqual(figures.distance(1_050), "1.05 km")
        XCTAssertEqual(figures.energy(411.6), "412 kcal")
    }

    func testSpeed_isPaceWherePeopleWalkOrRun() {
        let (running, cycling) = (WorkoutActivity(.running), WorkoutActivity(.cycling))
        XCTAssertEqual(figures.speed(10.0 / 3, of: running), "5:00 min/km")
        XCTAssertEqual(figures.speed(3.2, of: running), "5:13 min/km")
        XCTAssertEqual(figures.speed(0.1, of: running), "– min/km")
        XCTAssertEqual(figures.speed(7.63, of: cycling), "27.5 km/h")
        XCTAssertEqual(figures.speed(0, of: cycling), "0.0 km/h")
    }

    func testFigures_haveTheDecimalSignOfTheLanguage() {
        let format = QuantityFormat(unit: nil, people: People(), decimalSign: ",")
        XCTAssertEqual(WorkoutFigures(format: format).distance(1_234), "1,23 km")
    }

    func testZones_haveNamesRangesAndColours() {
        let zones = ZonePalette(bounds: [94, 112.8, 131.6, 150.4, 169.2])
        XCTAssertEqual(zones.title(0), "below zone 1")
        XCTAssertEqual(zones.title(5), "zone 5 of 5, maximum")
        XCTAssertEqual(
            (0...5).map(zones.range), ["<94", "94–112", "113–131", "132–150", "151–169", "≥170"])
        XCTAssertEqual(zones.zone(of: 150.4), 4)
        XCTAssertEqual((0...5).map(zones.style), [.plain, .calm, .easy, .good, .doubtful, .bad])
        let three = ZonePalette(bounds: [100, 120, 140])
        XCTAssertEqual(three.title(3), "zone 3 of 3")
        XCTAssertEqual((0...3).map(three.style), [.plain, .easy, .doubtful, .bad])
        XCTAssertEqual(ZonePalette(bounds: []).range(1), "")
    }
}
