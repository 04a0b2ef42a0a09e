import HealthModel
import XCTest

/// Tests for the cache of parsed units.
final class UnitCacheTests: XCTestCase {
    func testUnit_isTheSameAsParsed_forAnyNumberOfTexts() throws {
        var cache = UnitCache()
        let texts =
            ["count/min", "ms", "mL/min·kg", "", "ml/(kg*min)"] + (2...20).map { "m^\($0)" }
        XCTAssertGreaterThan(texts.count, UnitCache.maximumCount)
        for _ in 0..<3 {
            for text in texts + texts.reversed() {
                XCTAssertEqual(try cache.unit(parsing: text), try Unit(parsing: text), text)
            }
        }
    }

    func testUnit_whenNotAUnit_throwsEveryTime() throws {
        var cache = UnitCache()
        for _ in 0..<2 {
            XCTAssertThrowsError(try cache.unit(parsing: "ml/kg/min")) {
                XCTAssertEqual(($0 as? UnitParseError)?.suggestion, "mL/min·kg")
            }
        }
        XCTAssertEqual(try cache.unit(parsing: "m"), .meter)
    }

    func testUnit_whenATextIsOnlyCanonicallyEquivalent_isParsedAgain() throws {
        // Strings with the Kelvin sign and the Greek ano teleia equal those with K and the middle dot.
        for (text, lookalike) in [("K", "\u{212A}"), ("m·s", "m\u{387}s")] {
            XCTAssertEqual(text, lookalike)
            var cache = UnitCache()
            XCTAssertNoThrow(try cache.unit(parsing: text))
            XCTAssertThrowsError(try cache.unit(parsing: lookalike), text)
            XCTAssertNoThrow(try cache.unit(parsing: text))
        }
    }
}
