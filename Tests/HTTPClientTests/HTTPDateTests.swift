import HTTPClient
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
}
