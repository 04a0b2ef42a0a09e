package import GatewayCore
package import GatewayHost
import HealthModel
import JSON
package import Platform
import Readings
import WorkoutService
import Workouts

/// The live state of all people, for any number of watchers.
///
/// It follows the live lane from the start of the gateway, so that a late watcher gets what was
/// measured before. While nobody watches, it takes records only now and then, and has no other timer.
package actor LiveFeed: ServiceTransport {
    /// The interval at which silence is noticed, in seconds.
    package static let tickSeconds = 1.0
    /// How long minor changes wait for others, in seconds.
    package static let flushSeconds = 0.25
    /// The interval at which facts such as the age are read again, in seconds.
    package static let subjectSeconds = 3_600.0
    /// How long records wait while nobody watches, in seconds.
    package static let restSeconds = 10.0
    /// The maximum number of records of the live lane that wait.
    private static let laneLimit = 10_000
    /// The number of waiting records that ends a rest.
    private static let restLimit = 2_000

    private let clock: any GatewayClock
    private let log: Logger
    let watchers = FollowWatchers()
    var board: FollowBoard
    private(set) var service: GatewayService?
    private var lane: SubscriptionBuffer?
    private var lastOffset: Int64?
    private var audienceCount = 0
    /// The numbers of the last started and of the last applied reading of the people.
    private var reads = (started: 0, applied: 0)
    private var lastRead: BootInstant?
    private let inbox = WorkoutInbox()
    private var observation: WorkoutObservation?
    private var isObserving = false
    private let watched = FeedSignal()
    private let minorChanges = FeedSignal()
    private let rests = FeedSignal()
    let reloads = FeedSignal()

    /// Creates a feed without people.
    ///
    /// - Parameter isSimulation: Whether the values are simulated: then everybody is on the wall who has not
    ///   denied it.
    package init(clock: any GatewayClock, log: Logger, isSimulation: Bool = false) {
        self.clock = clock
        board = FollowBoard(showsUndecided: isSimulation)
        self.log = log.named("live")
    }

    /// Follows the gateway until the task is cancelled.
    package func run(_ service: GatewayService) async {
        await begin(service)
        guard let lane else { return }
        defer { service.live.cancel(lane) }
        await withDiscardingTaskGroup { group in
            group.addTask { await self.consume(lane) }
            group.addTask { await self.endRests(lane) }
            group.addTask { await self.consumeWorkouts() }
            group.addTask { await self.readPeopleAfterReloads(service) }
            group.addTask { await self.tickWhileWatched() }
            group.addTask { await self.sendMinorChanges() }
        }
    }

    /// Subscribes to the live lane, and reads the people.
    func begin(_ service: GatewayService) async {
        if lane == nil {
            self.service = service
            lane = service.live.subscribeBuffered(limit: Self.laneLimit)
            service.observeReloads { [reloads] in reloads.send() }
        }
        if reads.applied == 0 { await readPeople(service) }
    }

    // MARK: People

    private func readPeopleAfterReloads(_ service: GatewayService) async {
        for await _ in reloads.stream { await readPeople(service) }
    }

    /// Reads the people and the facts about them: the store may be slow, so never for a record.
    private func readPeople(_ service: GatewayService) async {
        reads.started += 1
        let number = reads.started
        lastRead = clock.now()
        let subjects = await service.liveSubjects()
        guard number > reads.applied else { return }
        reads.applied = number
        let now = now()
        if board.set(subjects) {
            for index in board.people.indices {
                board.show(board.people[index].state(at: now), of: index)
            }
            for watcher in watchers.all {
                if let audience = watcher.audience { sendState(to: watcher, as: audience, at: now) }
            }
        } else {
            updateAll(at: now)
        }
    }

    // MARK: Records

    private func consume(_ lane: SubscriptionBuffer) async {
        while await lane.wait() {
            catchUp()
            guard watchers.isEmpty else { continue }
            lane.wakeReader(with: Self.restLimit)
            rests.send()
        }
    }

    private func endRests(_ lane: SubscriptionBuffer) async {
        for await _ in rests.stream {
            let slept: Void? = try? await clock.sleep(seconds: Self.restSeconds)
            guard slept != nil else { return }
            lane.wakeReader(with: 1)
        }
    }

    /// Takes the records that wait.
    func catchUp() {
        while let delivery = lane?.take() {
            switch delivery {
            case .records(let records): receive(records)
            case .gap(let missed): sendGap(missed)
            }
        }
    }

    private func receive(_ records: [Record]) {
        let now = now()
        let touched = board.add(records, at: now)
        guard !watchers.isEmpty else { return }
        for index in touched.sorted() { update(index, at: now) }
    }

    func sendGap(_ missed: Int) {
        log.warning("live feed dropped records", ["records": "\(missed)"])
        for watcher in watchers.all {
            guard let audience = watcher.audience else { continue }
            watcher.channel.send(
                JSONLine.make { json in
                    json.object("gap") { json in
                        if audience.readsEverything { json.field("missed", Int64(missed)) }
                    }
                })
        }
    }

    /// The present time; a clock that was set back makes the measured values worthless.
    func now() -> Instant {
        let epoch = clock.epoch()
        if let last = lastOffset, epoch.offsetNanoseconds < last { board.forgetValues() }
        lastOffset = epoch.offsetNanoseconds
        return epoch.instant(at: clock.now())
    }

    // MARK: Workouts

    private func consumeWorkouts() async {
        for await _ in inbox.signals { takeWorkouts() }
    }

    private func takeWorkouts() {
        let states = inbox.empty()
        guard !states.isEmpty, isObserving else { return }
        let now = now()
        for (person, workout) in states.sorted(by: { $0.key < $1.key }) {
            guard let index = board.set(workout, of: person) else { continue }
            update(index, at: now)
        }
    }

    // MARK: Time

    private func tickWhileWatched() async {
        for await _ in watched.stream {
            while !watchers.isEmpty {
                let slept: Void? = try? await clock.sleep(seconds: Self.tickSeconds)
                guard slept != nil else { return }
                tick()
            }
            observation?.cancel()
            (observation, isObserving) = (nil, false)
            board.removeWorkouts()
        }
    }

    private func tick() {
        updateAll(at: now())
        for watcher in watchers.all { _ = audience(of: watcher) }
        let isDue = lastRead.map { clock.now().seconds(since: $0) >= Self.subjectSeconds }
        if isDue == true { reloads.send() }
    }

    /// Sends minor changes together, a moment after the first of them.
    private func sendMinorChanges() async {
        for await _ in minorChanges.stream {
            let slept: Void? = try? await clock.sleep(seconds: Self.flushSeconds)
            guard slept != nil else { return }
            let now = now()
            for index in board.people.indices where board.people[index].isPending {
                update(index, at: now, sendsMinor: true)
            }
        }
    }

    // MARK: Watchers

    /// Sends a client the full state, and then each change of it until the stream is cancelled.
    func follow(
        _ person: String?, _ service: GatewayService, _ channel: any ResponseChannel
    ) async -> any ResponseStream {
        await begin(service)
        catchUp()
        lane?.wakeReader(with: 1)
        // It counts as a watcher from now on, so that the workouts stay observed.
        let watcher = FollowWatcher(channel, person: person)
        watchers.add(watcher)
        watched.send()
        if !isObserving {
            isObserving = true
            observation = await service.workouts.observe { [inbox] person, workout in
                inbox.put(workout, of: person)
            }
        }
        takeWorkouts()
        let now = now()
        // The others get the same state, so that all share the next lines.
        updateAll(at: now)
        channel.endStream(RequestHandler.followName)
        let decisions = service.readable(by: channel.client)
        sendState(to: watcher, as: makeAudience(decisions), at: now)
        return FollowStream(watchers: watchers, watcher: watcher)
    }

    private func updateAll(at now: Instant) {
        for index in board.people.indices { update(index, at: now, sendsMinor: true) }
    }

    /// Sends a change of a person now, or a minor one a moment later.
    private func update(_ index: Int, at now: Instant, sendsMinor: Bool = false) {
        let state = board.people[index].state(at: now)
        switch board.people[index].change(to: state) {
        case .none: board.show(state, of: index)
        case .minor where !sendsMinor:
            board.postpone(index)
            minorChanges.send()
        case .minor, .urgent:
            board.show(state, of: index)
            send(index)
        }
    }

    private func send(_ index: Int) {
        let name = board.people[index].name
        for watcher in watchers.all where watcher.follows(name) {
            guard let audience = audience(of: watcher),
                let line = board.line(index, for: audience)
            else { continue }
            watcher.channel.send(line)
        }
    }

    private func sendState(
        to watcher: FollowWatcher, as audience: LiveAudience, at now: Instant
    ) {
        watcher.join(audience)
        watcher.channel.send(board.state(of: watcher.person, for: audience, at: now))
    }

    /// The audience of a watcher; nil before its first state, and when it was sent a new one because
    /// the owner has decided otherwise.
    private func audience(of watcher: FollowWatcher) -> LiveAudience? {
        guard let audience = watcher.audience else { return nil }
        let decisions = service?.readable(by: watcher.channel.client)
        guard decisions != audience.decisions else { return audience }
        sendState(to: watcher, as: makeAudience(decisions), at: now())
        return nil
    }

    /// The audience with these decisions: one that has watchers, or a new one.
    private func makeAudience(_ decisions: AccessDecisions?) -> LiveAudience {
        let known = watchers.all.lazy.compactMap(\.audience).first { $0.decisions == decisions }
        if let known { return known }
        audienceCount += 1
        return LiveAudience(number: audienceCount, decisions: decisions)
    }
}
