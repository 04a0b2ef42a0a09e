import Platform
import XCTest

/// Tests of searching a text in another one.
final class TextSearchTests: XCTestCase {
    private func places(_ text: String, in whole: String) -> [Int] {
        whole.ranges(ofText: text).map {
            whole.utf8.distance(from: whole.startIndex, to: $0.lowerBound)
        }
    }

    func testRanges_areAllPlaces_withoutOverlaps() {
        XCTAssertEqual(places("ab", in: "ab cab abab"), [0, 4, 7, 9])
        XCTAssertEqual(places("aa", in: "aaaaa"), [0, 2])
        XCTAssertEqual(places("aab", in: "aaab"), [1])
        XCTAssertEqual(places("b", in: "aaa"), [])
        XCTAssertEqual(places("", in: "aaa"), [])
        XCTAssertEqual(places("long", in: "lon"), [])
    }

    func testFirstRange_isOfTheTextItself_alsoInAPartOfAText() throws {
        let whole = "x: größe: größe"
        let range = try XCTUnwrap(whole.dropFirst(4).firstRange(ofText: "größe"))
        XCTAssertEqual(whole[range], "größe")
        XCTAssertEqual(whole[range.upperBound...], "")
        XCTAssertNil(whole.firstRange(ofText: "grösse"))
        XCTAssertEqual("abc".firstRange(ofText: "")?.isEmpty, true)
    }

    func testContains_comparesBytes() {
        XCTAssertTrue("line\r\nnext".contains(text: "line\r"))
        XCTAssertTrue("abc"[...].contains(text: "bc"))
        XCTAssertFalse("abc".contains(text: "cb"))
        XCTAssertTrue("".contains(text: ""))
    }

    func testReplacing_replacesEachPlaceOnce() {
        XCTAssertEqual("a-b-c".replacing(text: "-", with: "--"), "a--b--c")
        XCTAssertEqual("secret and secret".replacing(text: "secret", with: "…"), "… and …")
        XCTAssertEqual("nothing".replacing(text: "x", with: "y"), "nothing")
        XCTAssertEqual("abc".replacing(text: "", with: "x"), "abc")
    }
}
