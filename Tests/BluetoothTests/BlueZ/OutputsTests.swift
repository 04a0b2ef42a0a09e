import XCTest

@testable import Bluetooth

final class OutputsTests: XCTestCase {
    func testTakeAll_givesEverythingInOrderOnce() {
        var outputs = Outputs<Int>(limit: 10)
        XCTAssertTrue(outputs.isEmpty)
        for number in 1...3 { outputs.append(number) }
        XCTAssertFalse(outputs.isEmpty)

        let (batch, lost) = outputs.takeAll()

        XCTAssertEqual(batch, [1, 2, 3])
        XCTAssertEqual(lost, 0)
        XCTAssertTrue(outputs.isEmpty)
        XCTAssertEqual(outputs.takeAll().batch, [])
    }

    func testAppend_overTheLimit_isLostAndCountedOnce() {
        var outputs = Outputs<Int>(limit: 2)
        for number in 1...5 { outputs.append(number) }

        let first = outputs.takeAll()
        outputs.append(6)
        let second = outputs.takeAll()

        XCTAssertEqual(first.batch, [1, 2])
        XCTAssertEqual(first.lost, 3)
        XCTAssertEqual(second.batch, [6])
        XCTAssertEqual(second.lost, 0)
    }

    func testAppend_wakesTheReaderOnce() async {
        var outputs = Outputs<Int>(limit: 2)
        await withCheckedContinuation { continuation in
            outputs.reader = continuation
            outputs.append(1)
            // A continuation that is resumed twice traps.
            outputs.append(2)
            outputs.append(3)
        }

        XCTAssertNil(outputs.reader)
        XCTAssertEqual(outputs.takeAll().lost, 1)
    }

    func testWakeReader_withoutAnyOutput_wakesIt() async {
        var outputs = Outputs<Int>(limit: 2)
        await withCheckedContinuation { continuation in
            outputs.reader = continuation
            outputs.wakeReader()
            outputs.wakeReader()
        }

        XCTAssertTrue(outputs.isEmpty)
    }
}
