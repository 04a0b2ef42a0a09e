import ByteDecoding
import GatewayCore
import HealthModel
import Platform

/// The process of a sink's program, with the lines that it has answered.
final class SinkProcess: Sendable {
    let child: ChildProcess
    private let clock: any GatewayClock
    private let log: Logger

    init(_ child: ChildProcess, clock: any GatewayClock, log: Logger) {
        self.child = child
        self.clock = clock
        self.log = log
    }

    /// What a batch came to.
    enum Outcome: Sendable {
        case answer(SinkAnswer)
        /// The program has closed its standard output.
        case ended
        /// The time limit was reached.
        case timedOut
        /// The answer cannot be used.
        case invalid(String)
        case failed(String)
    }

    /// Writes a batch and waits for its answer.
    ///
    /// Meanwhile the program's messages are logged.
    func exchange(
        _ bytes: [UInt8], batch: UInt64, until deadline: BootInstant,
        messages: ProgramMessages
    ) async -> (Outcome, ProgramMessages) {
        await withTaskGroup(of: (Outcome?, ProgramMessages?).self) { group in
            group.addTask { (await self.send(bytes, until: deadline), nil) }
            group.addTask { (await self.receive(batch), nil) }
            group.addTask { (nil, await self.readErrors(messages)) }
            group.addTask {
                try? await self.clock.sleep(until: deadline)
                return (.timedOut, nil)
            }
            var (outcome, messages) = (Outcome.timedOut, messages)
            var hasOutcome = false
            for await (found, read) in group {
                if let read { messages = read }
                guard let found, !hasOutcome else { continue }
                outcome = found
                hasOutcome = true
                group.cancelAll()
            }
            return (outcome, messages)
        }
    }

    /// Writes the batch; nil when it is written, or when the answer will say more.
    private func send(_ bytes: [UInt8], until deadline: BootInstant) async -> Outcome? {
        do {
            let rest = try await child.input.write(bytes[...], until: deadline, on: clock)
            return rest.isEmpty ? nil : .timedOut
        } catch {
            // A program that has ended shows that by the end of its output.
            return nil
        }
    }

    private func receive(_ batch: UInt64) async -> Outcome {
        var splitter = DelimitedSplitter.lines(lengthLimit: SinkAnswer.lineLimit)
        do {
            while let bytes = try await child.output.read() {
                var outcome: Outcome?
                splitter.split(bytes) { piece in
                    outcome = outcome ?? Self.outcome(of: piece, batch)
                }
                if let outcome { return outcome }
            }
            return .ended
        } catch {
            return .failed("\(error)")
        }
    }

    private static func outcome(
        of piece: DelimitedSplitter.Piece, _ batch: UInt64
    ) -> Outcome {
        guard case .bytes(let line) = piece else { return .invalid("an answer is too long") }
        do throws(RecordDecodingError) {
            let answer = try SinkAnswer(line)
            return answer.batch == batch
                ? .answer(answer) : .invalid("an answer is to a batch that was not sent")
        } catch {
            return .invalid(error.problem)
        }
    }

    private func readErrors(_ messages: ProgramMessages) async -> ProgramMessages {
        var messages = messages
        while let bytes = try? await child.errors.read() {
            messages.handle(bytes, at: clock.now())
        }
        return messages
    }

    /// Ends the program.
    func end(graceSeconds: Double, killSeconds: Double) async -> ChildProcess.End? {
        await child.end(graceSeconds: graceSeconds, killSeconds: killSeconds, on: clock)
    }
}
