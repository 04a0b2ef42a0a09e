import GatewayCore
import Glibc
import JSON
import Platform
import Readings

/// The answers to the lines of a program, in the order of the lines.
struct ProgramAnswers: Sendable {
    /// An answer to come.
    enum Item: Sendable {
        /// Lines that are answered once their report is committed.
        case report(ReportReceipt, [ProgramOutput.Line])
        /// A line that cannot be used.
        case refuse(UInt64, reason: String)
        /// A line that came before.
        case repeated(ReadingLineNumber)

        /// The number of lines.
        var count: Int {
            if case .report(_, let lines) = self { lines.count } else { 1 }
        }
    }

    /// The maximum number of lines without an answer; more lines are not read.
    static let limit = 10_000
    /// The time in which the program must read some of its answers, in seconds.
    static let writeSeconds = 10.0

    /// The answers that are not written yet.
    let queue = BoundedQueue<Item>(limit: limit)
    private let input: ChildPipe
    private let memory: ProgramMemory
    private let clock: any GatewayClock
    private let program: String

    /// Makes the answers to a program.
    init(
        input: ChildPipe, memory: ProgramMemory, clock: any GatewayClock, program: String
    ) {
        self.input = input
        self.memory = memory
        self.clock = clock
        self.program = program
    }

    /// Writes the answers until the queue ends.
    ///
    /// - Throws: ``LinkError`` when lines were not stored, or the program does not read its answers.
    func run() async throws {
        var isReading = true
        while case let items = await queue.removeAll(), !items.isEmpty {
            try Task.checkCancellation()
            var bytes: [UInt8] = []
            for item in items { bytes += try await answers(to: item) }
            if isReading { isReading = try await write(bytes) }
            queue.release(items.reduce(0) { $0 + $1.count })
        }
    }

    /// Writes answers; false if the program has closed its input.
    private func write(_ bytes: [UInt8]) async throws -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let deadline = clock.now().adding(
                nanoseconds: Int64(clampedNanosecondsOf: Self.writeSeconds))
            let left: ArraySlice<UInt8>
            do {
                left = try await input.write(rest, until: deadline, on: clock)
            } catch let error as ChildProcessError where error.code == EPIPE {
                return false
            }
            guard left.count < rest.count else {
                throw LinkError(
                    "`\(program)` does not read its standard input",
                    remedy: "read a line for each line with `seq`, or leave out `seq`")
            }
            rest = left
        }
        return true
    }

    private func answers(to item: Item) async throws -> [UInt8] {
        switch item {
        case .refuse(let sequence, let reason): return Self.refusal(sequence, reason)
        case .repeated(let number): return answer(to: number)
        case .report(let receipt, let lines):
            guard try await memory.settle(receipt, lines) else {
                throw LinkError(
                    "lines of `\(program)` could not be stored",
                    remedy: "see the journal in `pulsegate status`")
            }
            var bytes: [UInt8] = []
            for line in lines { bytes += answer(to: line.number) }
            return bytes
        }
    }

    private func answer(to number: ReadingLineNumber) -> [UInt8] {
        memory.refusal(of: number).map { Self.refusal(number.sequence, $0) }
            ?? Self.acknowledgement(number.sequence)
    }

    private static func acknowledgement(_ sequence: UInt64) -> [UInt8] {
        Array("{\"ack\":\(sequence)}\n".utf8)
    }

    private static func refusal(_ sequence: UInt64, _ reason: String) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.field("nack", Int64(sequence))
            json.field("reason", reason)
        }
        return json.bytes + [UInt8(ascii: "\n")]
    }
}

extension ProgramMemory {
    /// Waits for the outcome of a report, and notes the lines that were refused.
    ///
    /// - Returns: False if it was lost; then everything is forgotten, so that its lines may come again.
    func settle(_ receipt: ReportReceipt, _ lines: [ProgramOutput.Line]) async throws -> Bool {
        guard case .committed(let faults) = try await receipt.outcome() else {
            clear()
            return false
        }
        for item in faults where item.fault != .duplicate {
            guard let line = lines.first(where: { $0.items.contains(item.index) }) else { continue }
            refuse(line.number, reason: item.fault.explanation)
        }
        return true
    }
}

extension ReadingFault {
    /// The reason for the author of a program.
    fileprivate var explanation: String {
        switch self {
        case .implausible: "the value is out of the plausible range of its type"
        case .wrongUnit: "the unit is not one of the type"
        case .wrongKind: "a cumulative type needs a counter, another type an instant"
        case .notFinite: "the value is not finite"
        case .unknownType: "the type is not declared"
        case .foreignType: "the type is declared differently"
        case .outOfTime: "the time is too far in the past or in the future"
        case .duplicate: "the measurement was received before"
        case .unknownPerson:
            "the person is not in the configuration, or a sample of a correlation has a person and the correlation "
                + "another or none; give both the same person"
        case .flood: "more types than a device may have"
        }
    }
}
