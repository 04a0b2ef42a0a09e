import DBus
import GatewayCore
import Platform

/// The calls of the machine and their answers.
extension BlueZClient {
    /// The timeout of the call that shows that bluetoothd has received all calls before it.
    private static var barrierSeconds: Double { 5 }

    /// Makes a call as soon as few enough others are unanswered.
    func perform(_ request: Machine.Request, _ call: BlueZCall, isLast: Bool) {
        guard bus != nil, let owner else { return }
        let busCall = call.addressed(to: owner)
        guard isLast else {
            callQueue.add(request, call, at: clock.now())
            sendQueuedCalls()
            return
        }
        guard callQueue.canSend else {
            // The client ends, so it is sent at once; its answer does not matter.
            bus?.send(busCall)
            unansweredFinalCalls.append(request)
            return
        }
        send(busCall, request, timeoutSeconds: call.timeoutSeconds, isLast: true)
    }

    /// Sends the next calls of the queue.
    func sendQueuedCalls() {
        guard let owner else { return }
        while let entry = callQueue.next() {
            let seconds = max(0, entry.deadline.seconds(since: clock.now()))
            send(
                entry.call.addressed(to: owner), entry.request, timeoutSeconds: seconds,
                isLast: false)
        }
    }

    /// Reports the calls that have waited for too long.
    func expireQueuedCalls(at now: BootInstant) {
        let expired = callQueue.removeExpired(at: now)
        guard !expired.isEmpty else { return }
        for request in expired { watchdog.hold(request) }
        checkDaemon()
    }

    private func send(
        _ call: BusCall, _ request: Machine.Request, timeoutSeconds: Double, isLast: Bool
    ) {
        callQueue.noteSent()
        watchdog.noteCall(at: clock.now())
        if isLast { finalCallCount += 1 }
        bus?.call(call, timeoutSeconds: timeoutSeconds) { [weak self] result in
            self?.assumeIsolated { client in
                client.callQueue.noteAnswered()
                // The answer may lead to another final call.
                defer { if isLast { client.finalCallFinished() } }
                client.sendQueuedCalls()
                // A restarted bluetoothd does not know this call.
                guard call.destination == client.owner, client.isLoaded else { return }
                if case .failure(.timedOut) = result, !isLast {
                    // It is the fault of bluetoothd when that does not respond at all.
                    client.watchdog.hold(request)
                    return client.checkDaemon()
                }
                if result.error != .timedOut { client.noteSign() }
                client.noteAnswer(call, result)
                client.handle(.finished(request, result))
            }
        }
    }

    /// Waits until bluetoothd has received the final calls that were sent without an answer.
    func awaitUnansweredCalls() {
        guard !unansweredFinalCalls.isEmpty, let owner else { return }
        let requests = unansweredFinalCalls
        unansweredFinalCalls = []
        finalCallCount += 1
        let ping = BusCall(owner, BlueZName.root, BlueZName.peer, "Ping")
        bus?.call(ping, timeoutSeconds: Self.barrierSeconds) { [weak self] _ in
            self?.assumeIsolated { client in
                defer { client.finalCallFinished() }
                for request in requests { client.handle(.finished(request, .failure(.timedOut))) }
            }
        }
    }

    private func finalCallFinished() {
        finalCallCount -= 1
        guard finalCallCount == 0 else { return }
        finalCallsFinished?.resume()
        finalCallsFinished = nil
    }
}

extension BlueZCall {
    fileprivate func addressed(to owner: String) -> BusCall {
        BusCall(owner, path, interface, member, body)
    }
}
