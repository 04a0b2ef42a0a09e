import GatewayCore
import HealthModel
import Platform
import XCTest

@testable import Bluetooth

final class OutputsTests: XCTestCase {
    func testTakeAll_givesEverythingInOrderOnce() {
        var outputs = Outputs<Word>(limit: 10)
        XCTAssertTrue(outputs.isEmpty)
        for number in 1...3 { outputs.append(Word(number)) }
        XCTAssertFalse(outputs.isEmpty)

        let (batch, lost) = outputs.removeAll()

        XCTAssertEqual(batch, [1, 2, 3])
        XCTAssertEqual(lost, 0)
        XCTAssertTrue(outputs.isEmpty)
        XCTAssertEqual(outputs.removeAll().batch, [])
    }

    func testAppend_overTheLimit_isLostAndCountedOnce() {
        var outputs = Outputs<Word>(limit: 2)
        for number in 1...5 { outputs.append(Word(number)) }

        let first = outputs.removeAll()
        outputs.append(6)
        let second = outputs.removeAll()

        XCTAssertEqual(first.batch, [1, 2])
        XCTAssertEqual(first.lost, 3)
        XCTAssertEqual(second.batch, [6])
        XCTAssertEqual(second.lost, 0)
    }

    func testAppend_ofWhatMustNotBeLost_isTakenOverTheLimit() {
        var outputs = Outputs<Word>(limit: 2)
        for number in 1...3 { outputs.append(Word(number)) }
        outputs.append(Word(4, isDroppable: false))
        outputs.append(5)

        let (batch, lost) = outputs.removeAll()

        XCTAssertEqual(batch, [1, 2, Word(4, isDroppable: false)])
        XCTAssertEqual(lost, 2)
    }

    func testReports_onlyWhatIsMeasuredMayBeLost() {
        let moment = BootInstant(nanoseconds: 1)
        let address = BluetoothAddress.ending(1)
        let contents: [(DeviceReport.Content, Bool)] = [
            (.opened(Device(), at: moment), false), (.closed(at: moment, reason: ""), false),
            (.stale(at: moment, reason: ""), false), (.link(.live, reason: nil), false),
            (.readings([]), true), (.dropped([:]), true), (.seen(at: moment), true),
        ]
        for (content, isDroppable) in contents {
            let output = CentralMachine.Output.report(address, content)
            XCTAssertEqual(output.isDroppable, isDroppable, content.words)
        }
    }

    func testAppend_wakesTheReaderOnce() async {
        var outputs = Outputs<Word>(limit: 2)
        await withCheckedContinuation { continuation in
            outputs.reader = continuation
            outputs.append(1)
            // A continuation that is resumed twice traps.
            outputs.append(2)
            outputs.append(3)
        }

        XCTAssertNil(outputs.reader)
        XCTAssertEqual(outputs.removeAll().lost, 1)
    }

    func testWakeReader_withoutAnyOutput_wakesIt() async {
        var outputs = Outputs<Word>(limit: 2)
        await withCheckedContinuation { continuation in
            outputs.reader = continuation
            outputs.wakeReader()
            outputs.wakeReader()
        }

        XCTAssertTrue(outputs.isEmpty)
    }
}

private struct Word: BlueZOutput, Hashable, ExpressibleByIntegerLiteral {
    let number: Int
    let isDroppable: Bool

    init(_ number: Int, isDroppable: Bool = true) {
        self.number = number
        self.isDroppable = isDroppable
    }

    init(integerLiteral number: Int) { self.init(number) }
}
