import GatewayCore
import HealthModel
import Platform
import XCTest

@testable import Bluetooth

final class OutputsTests: XCTestCase {
    func testNext_givesEverythingInOrderOnce() async {
        let outputs = Outputs<Word>(limit: 10)
        for number in 1...3 { outputs.append(Word(number)) }
        let batch = await outputs.next()
        XCTAssertEqual(batch?.elements, [1, 2, 3])
        XCTAssertEqual(batch?.lost, 0)
        outputs.append(4)
        let next = await outputs.next()
        XCTAssertEqual(next?.elements, [4])
    }

    func testAppend_overTheLimit_isLostAndCountedOnce() async {
        let outputs = Outputs<Word>(limit: 2)
        for number in 1...5 { outputs.append(Word(number)) }
        let first = await outputs.next()
        outputs.append(6)
        let second = await outputs.next()
        XCTAssertEqual(first?.elements, [1, 2])
        XCTAssertEqual(first?.lost, 3)
        XCTAssertEqual(second?.elements, [6])
        XCTAssertEqual(second?.lost, 0)
    }

    func testAppend_ofWhatMustNotBeLost_isTakenOverTheLimit() async {
        let outputs = Outputs<Word>(limit: 2)
        for number in 1...3 { outputs.append(Word(number)) }
        outputs.append(Word(4, isDroppable: false))
        outputs.append(5)
        let batch = await outputs.next()
        XCTAssertEqual(batch?.elements, [1, 2, Word(4, isDroppable: false)])
        XCTAssertEqual(batch?.lost, 2)
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

    /// A writer and a reader on different threads: nothing is lost, and nothing comes twice.
    func testNext_whileAnotherThreadAppends_givesEverything() async {
        let outputs = Outputs<Word>(limit: 1_000_000)
        let count = 20_000
        let writer = Task.detached { [outputs] in
            for number in 0..<count { outputs.append(Word(number)) }
            outputs.end()
        }
        var received: [Word] = []
        while let batch = await outputs.next() { received += batch.elements }
        await writer.value
        XCTAssertEqual(received, (0..<count).map { Word($0) })
    }

    func testEnd_givesTheRest_andThenNothing() async {
        let outputs = Outputs<Word>(limit: 2)
        let waiting = Task { [outputs] in await outputs.next() == nil }
        outputs.end()
        let isEnded = await waiting.value
        XCTAssertTrue(isEnded)
        outputs.append(1)
        let rest = await outputs.next()
        XCTAssertEqual(rest?.elements, [1])
        let end = await outputs.next()
        XCTAssertNil(end)
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
