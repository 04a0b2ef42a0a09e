import XCTest

@testable import Terminal
@testable import WorkoutScreens

final class HeartPlotTests: XCTestCase {
    private func plot(
        _ points: [(Double, Double)], span: ClosedRange<Double> = 0...100,
        bounds: [Double] = [], breaks: [Double] = [], columns: Int = 14, rows: Int = 3,
        _ characters: TerminalCharacters = .unicode
    ) -> [String] {
        let points = points.map { HeartPlot.Point(time: $0.0, rate: $0.1) }
        let plot = HeartPlot(
            points, span: span, zones: ZonePalette(bounds: bounds), breaks: breaks)
        return plot.lines(columns: columns, rows: rows, characters).map {
            $0.text(.plain, characters)
        }
    }

    /// A reading every 5 s.
    private func ramp(_ times: [Double], rate: (Double) -> Double) -> [(Double, Double)] {
        times.map { ($0, rate($0)) }
    }

    func testLines_haveTheHighestAndTheLowestValueAtTheirRows() {
        let lines = plot(ramp(Array(stride(from: 0, through: 100, by: 5))) { 100 + $0 })
        XCTAssertEqual(lines, ["200│      ⢀⡠⠔⠊", "   │   ⢀⡠⠎⠁", "100│⡠⠔⠊⠁"])
    }

    func testLines_withoutReadings_areEmpty() {
        let before = Array(stride(from: 0.0, through: 30, by: 5))
        let after = Array(stride(from: 70.0, through: 100, by: 5))
        let lines = plot(ramp(before + after) { _ in 120 }, rows: 1)
        XCTAssertEqual(lines, ["120│⠤⠤⠤⠄  ⠠⠤⠤⠤"])
    }

    func testLines_atABreak_areNotConnected() {
        let times = Array(stride(from: 0.0, through: 100, by: 10))
        let rates: (Double) -> Double = { $0 < 45 ? 100 : 140 }
        XCTAssertEqual(
            plot(ramp(times, rate: rates), breaks: [45], rows: 2, .ascii),
            ["140|     '''''", "100|....."])
        XCTAssertEqual(
            plot(ramp(times, rate: rates), rows: 2, .ascii),
            ["140|     :''''", "100|.....'"])
    }

    func testLines_ofASteadyRate_lieInTheMiddleWithOneLabel() {
        let lines = plot(ramp([0, 10, 20]) { _ in 72 }, rows: 3, .ascii)
        XCTAssertEqual(lines.map { $0.prefix(3) }, ["  |", "72|", "  |"].map { $0[...] })
    }

    func testLines_withoutPointsOrRoom_areNone() {
        XCTAssertEqual(plot([]), [])
        XCTAssertEqual(plot([(0, 100)], rows: 0), [])
        XCTAssertEqual(plot([(0, 100)], columns: 6), [])
        XCTAssertEqual(plot([(500, 100)]), [])
        XCTAssertEqual(plot([(5, 100)], span: 5...5), [])
    }

    func testLines_haveTheColourOfTheZone() {
        let points = [(0.0, 100.0), (10.0, 180.0)].map { HeartPlot.Point(time: $0.0, rate: $0.1) }
        let plot = HeartPlot(
            points, span: 0...10, zones: ZonePalette(bounds: [90, 110, 130, 150, 170]))
        let lines = plot.lines(columns: 20, rows: 4, .unicode)
        XCTAssertEqual(lines.map { $0.pieces.last?.style }, [.bad, .warning, .easy, .calm])
    }
}
