import GatewayCore
import HealthModel
import Platform

extension SinkCheck {
    /// The maximum length of a reason, in bytes of UTF-8.
    private static let reasonLimit = 1_024
    /// When writes are cancelled, in seconds after their start.
    private static let cancelTimes = [0, 0.001, 0.01, 0.1]

    /// Cancels writes at several times, one of them before its start: each must end.
    mutating func cancellation(
        _ makeSink: () throws -> any Sink, isSilent: Bool = false
    ) async throws {
        let clock = SystemClock()
        for seconds in [nil] + Self.cancelTimes.map(Optional.some) {
            let (sink, batch) = (try makeSink(), try records.heartRates(1_000))
            let before = try await stored?()
            let write = TimedOperation(isCancelled: seconds == nil) { try await sink.write(batch) }
            try await clock.sleep(seconds: seconds ?? 0)
            write.cancel()
            guard let end = await write.end(within: SinkConformance.cancelSeconds) else {
                return find(
                    "a cancelled write did not end within \(Int(SinkConformance.cancelSeconds)) s")
            }
            guard case .success = end else { continue }
            if isSilent { find("a write to a destination that does not answer returned") }
            if let before, let after = try await stored?(), after - before != batch.count {
                find("a cancelled write returned without storing its batch; throw instead")
            }
        }
    }

    /// Closes a sink twice after a write; a later write must still end.
    mutating func closing(_ sink: any Sink) async throws {
        guard let closable = sink as? any Closable else { return }
        _ = await write(try records.heartRates(1), to: sink)
        for _ in 0..<2 { await close(closable) }
        let batch = try records.heartRates(1)
        let late = TimedOperation { try await sink.write(batch) }
        if await late.end(within: SinkConformance.writeSeconds) == nil {
            find("a write after `close` did not end")
        }
    }

    /// Closes a sink while a write waits for its destination.
    mutating func closingDuringWrite(_ sink: any Sink) async throws {
        guard let closable = sink as? any Closable else { return }
        let batch = try records.heartRates(1_000)
        let write = TimedOperation { try await sink.write(batch) }
        try await SystemClock().sleep(seconds: Self.cancelTimes.last ?? 0)
        await close(closable)
        write.cancel()
    }

    private mutating func close(_ sink: any Closable) async {
        let close = TimedOperation { await sink.close() }
        guard await close.end(within: SinkConformance.closeSeconds) == nil else { return }
        find("`close` did not return within \(Int(SinkConformance.closeSeconds)) s")
    }

    /// What came of a write; an error outside of the contract is a finding.
    mutating func outcome(
        of end: Result<Void, any Error>?, _ batch: [Record]
    ) -> Outcome {
        switch end {
        case nil:
            find("a write did not end within \(Int(SinkConformance.writeSeconds)) s")
            return .ended
        case .success: return .stored
        case .failure(let error as SinkError): return outcome(of: error, batch)
        case .failure(is CancellationError):
            find("a write threw CancellationError without being cancelled")
            return .ended
        case .failure(let error):
            find("a write threw \(type(of: error)), which is not a SinkError")
            return .failed
        }
    }

    private mutating func outcome(of error: SinkError, _ batch: [Record]) -> Outcome {
        checkReason(error.description)
        switch error {
        case .retry(_, let seconds):
            if let seconds, !seconds.isFinite || seconds < 0 {
                find("`retry` has a delay that is negative or not finite")
            }
            return .failed
        case .storageFull, .blocked, .closed: return .failed
        case .rejected(let ids, _):
            if !ids.isSubset(of: batch.map(\.id)) {
                find("`rejected` names records that are not in the batch")
            }
            if !batch.isEmpty, ids.count == batch.count {
                find("`rejected` names the whole batch; `blocked` lets the operator fix the cause")
            }
            return .rejected(ids)
        }
    }

    private mutating func checkReason(_ reason: String) {
        if reason.isEmpty || reason.utf8.count > Self.reasonLimit {
            find("the reason of an error is empty or longer than \(Self.reasonLimit) bytes")
        }
        if reason.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
            find("the reason of an error contains control characters")
        }
        if reason.contains("\(ConformanceRecords.heartRate)") {
            find("the reason of an error contains a health value")
        }
    }
}
