import XCTest

@testable import ControlSocket
@testable import GatewayHost
@testable import HealthModel

final class ControlRequestTests: XCTestCase {
    func testLine_isPlainJSON() {
        let request = ControlRequest.tap(TapFilter(type: .quantity(.heartRate), person: "ada"))
        XCTAssertEqual(
            String(decoding: request.line, as: UTF8.self),
            #"{"request":"tap","type":"heartRate","person":"ada"}"#)
    }
}

final class RequestLinesTests: XCTestCase {
    private func take(_ pieces: [String]) throws -> [String] {
        var lines = RequestLines()
        var taken: [String] = []
        for piece in pieces {
            taken += try lines.take(Array(piece.utf8)).map { String(decoding: $0, as: UTF8.self) }
        }
        return taken
            + (lines.finish().map { ["rest: " + String(decoding: $0, as: UTF8.self)] } ?? [])
    }

    func testTake_linesHoweverTheyAreCut() throws {
        XCTAssertEqual(try take(["a\nbc\n"]), ["a", "bc"])
        XCTAssertEqual(try take(["a", "b", "\n", "\n\nc", "d\n"]), ["ab", "cd"])
        XCTAssertEqual(try take(["a\nb"]), ["a", "rest: b"])
        XCTAssertEqual(try take(["\n", ""]), [])
    }

    func testTake_keepsNoMoreThanALineMayHave() throws {
        let longest = String(repeating: "x", count: ControlRequest.longestLine)
        XCTAssertEqual(try take([longest, "\n"]), [longest])
        XCTAssertThrowsError(try take([longest, "x"]))
        XCTAssertThrowsError(try take([longest + "x\n"]))
        XCTAssertThrowsError(try take(["a\n" + longest, "x"]))
    }
}
