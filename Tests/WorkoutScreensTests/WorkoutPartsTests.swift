import HealthModel
import XCTest

@testable import GatewayCore
@testable import Terminal
@testable import WorkoutScreens

final class WorkoutPartsTests: XCTestCase {
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

    func testFigures_areRoundedWithUnits() {
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
        XCTAssertEqual((0...5).map(zones.style), [.plain, .calm, .easy, .good, .warning, .bad])
        let three = ZonePalette(bounds: [100, 120, 140])
        XCTAssertEqual(three.title(3), "zone 3 of 3")
        XCTAssertEqual((0...3).map(three.style), [.plain, .easy, .warning, .bad])
        XCTAssertEqual(ZonePalette(bounds: []).range(1), "")
    }
}
