import GatewayCore
import HealthModel
import Platform
import Readings

/// Sends the heart rate of the live lane, with the time of a clock.
actor HeartSender {
    private var relay: HeartRelay
    private let clock: any GatewayClock
    private let timer = DeadlineTimer()
    private let send: @Sendable (HeartRatePacket) async -> Void

    init(
        _ relay: HeartRelay, clock: any GatewayClock,
        send: @escaping @Sendable (HeartRatePacket) async -> Void
    ) {
        self.relay = relay
        self.clock = clock
        self.send = send
    }

    /// Sends until the task is cancelled.
    func run(on live: LiveLane) async {
        let records = live.subscribeBuffered()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.timer.run(on: self.clock) { await self.wake() } }
            // A gap needs no answer: only the newest value counts.
            while let delivery = await records.next() {
                guard case .records(let records) = delivery else { continue }
                await receive(records)
            }
            group.cancelAll()
        }
        live.cancel(records)
    }

    /// A central has subscribed, or the last one has left.
    func subscriptionChanged(to isOn: Bool) async {
        await finish(relay.subscriptionChanged(to: isOn, at: clock.now()))
    }

    private func receive(_ records: [Record]) async {
        let now = clock.now()
        await finish(relay.receive(records, at: now, time: clock.epoch().instant(at: now)))
    }

    private func wake() async {
        let now = clock.now()
        // The timer may come early.
        let isDue = relay.wakeTime.map { $0 <= now } ?? false
        await finish(isDue ? relay.timer(at: now) : nil)
    }

    private func finish(_ packet: HeartRatePacket?) async {
        timer.set(relay.wakeTime)
        if let packet { await send(packet) }
    }
}
