import XCTest

@testable import Bluetooth

/// What a link reports for a capture.
final class LinkTrafficTests: XCTestCase {
    private var recording: LinkPolicy {
        var policy = LinkPolicy()
        policy.recordsTraffic = true
        return policy
    }

    private func events(_ policy: LinkPolicy) -> [String] {
        let driver = LinkDriver(policy: policy)
        driver.reach(.resolving)
        var all = driver.resolved() + driver.answerAll() + driver.notify([72]) + driver.notify([])
        all += driver.battery(50)
        return all.filter { !$0.hasPrefix("read") && !$0.hasPrefix("write") }
    }

    func testTraffic_isReportedBeforeWhatItMeans() {
        let words = events(recording)
        XCTAssertEqual(words.prefix(2), [#"adapter {"profiles":["pulse"]}"#, "opened Strap"])
        let pulse = words.firstIndex(of: "pulse 72.0") ?? words.firstIndex(of: "pulse 72") ?? 0
        XCTAssertEqual(words[max(pulse - 1, 0)], "traffic [72] on 00002a37", "\(words)")
        XCTAssertTrue(words.contains("traffic [] on 00002a37"), "\(words)")
        XCTAssertTrue(words.contains("traffic [1] on 00002a38"), "\(words)")
    }

    func testWithoutACapture_theRestIsTheSame() {
        let words = events(recording).filter {
            !$0.hasPrefix("traffic") && !$0.hasPrefix("adapter")
        }
        XCTAssertEqual(events(LinkPolicy()), words)
    }
}
