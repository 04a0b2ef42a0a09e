import GatewayTesting
import HTTPClient
import Platform
import XCTest

/// RFC 9110, section 5.6.7.
final class HTTPDateTests: XCTestCase {
    func testDate_inEachOfTheThreeWays() {
        for text in [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994",
        ] {
            XCTAssertEqual(HTTPDate.secondsSince1970(text), 784_111_777, text)
        }
    }

    func testDate_withTwoDigitsForTheYear_isOfThisCentury() {
        XCTAssertEqual(
            HTTPDate.secondsSince1970("Wednesday, 18-Nov-26 08:50:37 GMT"), 1_794_991_837)
    }

    func testWhatIsNoDate_isNil() {
        let long = "Sun, 06 Nov 1994 08:49:37 GMT" + String(repeating: " ", count: 40)
        for text in ["", "120", "soon", "Sun, 06 Foo 1994 08:49:37 GMT", "6 Nov 1994\0", long] {
            XCTAssertNil(HTTPDate.secondsSince1970(text), text)
        }
    }

    func testDate_ofAnyText_isATimeOrNil() {
        let dates = [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994",
        ]
        let words = ["GMT", ",", "31", "9999", "-1", "99:99:99", "Feb", "\0", "é", "+2400", " "]
            .map { Array($0.utf8) }
        var run = FuzzRun("dates of HTTP", inputs: 5_000)
        while var random = run.next() {
            var bytes = Array(random.pick(dates).utf8)
            for _ in 0...random.pick([0, 2, 5]) { random.mutate(&bytes, words: words) }
            let text = String(decoding: bytes, as: UTF8.self)
            let time = HTTPDate.secondsSince1970(text)
            run.expect(time == nil || text.utf8.count <= 64, "a date of \(text.utf8.count) bytes")
            run.expect(HTTPDate.secondsSince1970(text) == time, "\(text) is read in two ways")
        }
        XCTAssertEqual(run.finish(), [])
    }
}
