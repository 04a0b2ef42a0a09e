import GatewayCore
import HealthModel
import Workouts

/// The statistics of a workout, calculated the slow way: each query scans all samples.
struct NaiveWorkout {
    let workout: Workout
    let samples: [QuantitySample]
    let subject: WorkoutSubject
    /// All times of readings and calls are so far apart, or more.
    var stepNanoseconds: Int64 = 10_000_000

    /// The heart rates that count.
    private(set) lazy var rates = chosen(.heartRate)

    private struct Run {
        let times: [Instant]
        let isFirst: Bool
        let goesOnUntil: Instant

        func isSteady(at time: Instant, limit: Double) -> Bool {
            isFirst || times.contains { $0 <= time && apart($0, times[0]) >= limit }
        }
    }

    /// The time without pauses, cut at a span.
    func active(in span: Range<Instant>) -> [Range<Instant>] {
        var bounds = workout.pauses.flatMap { [$0.lowerBound, $0.upperBound] }
        bounds += [workout.start, workout.end, span.lowerBound, span.upperBound]
        bounds.sort()
        return zip(bounds, bounds.dropFirst()).compactMap { from, to in
            let part = from..<to
            let isIn = span.lowerBound <= from && to <= span.upperBound
            let isPaused = workout.pauses.contains { $0.lowerBound <= from && to <= $0.upperBound }
            return isIn && !isPaused && from < to ? part : nil
        }
    }

    func laps() -> [Range<Instant>] {
        let marks = workout.events.filter { $0.kind == .lap }.map(\.end)
        let bounds = Set(marks + [workout.start, workout.end]).sorted()
        return zip(bounds, bounds.dropFirst()).map { $0..<$1 }
    }

    // MARK: Which counts

    private func rank(_ sample: QuantitySample) -> Int {
        switch subject.roles[sample.device?.localIdentifier ?? ""] {
        case .primary: 0
        case nil: 1
        case .backup: 2
        }
    }

    /// The readings that count.
    func chosen(_ type: QuantityType, limit: Double = 5) -> [QuantitySample] {
        let all = samples.filter {
            $0.type == type && $0.start >= workout.start && $0.end <= workout.end
        }
        let byDevice = Dictionary(grouping: all) { $0.device?.localIdentifier ?? "" }
        let runs = byDevice.mapValues { self.runs($0.map(\.end).sorted(), limit: limit) }
        let ranks = byDevice.mapValues { rank($0[0]) }
        return all.sorted { $0.end < $1.end }.filter { sample in
            let scores = runs.compactMap { device, runs -> (Int, Int, String)? in
                let there = runs.first { $0.times[0] <= sample.end && sample.end <= $0.goesOnUntil }
                guard let there else { return nil }
                let isSteady = there.isSteady(at: sample.end, limit: limit)
                return (isSteady ? 0 : 1, ranks[device] ?? 9, device)
            }
            return scores.min { $0 < $1 }?.2 == sample.device?.localIdentifier
        }
    }

    private func runs(_ times: [Instant], limit: Double) -> [Run] {
        var groups: [[Instant]] = []
        for time in times {
            if let last = groups.last?.last, apart(time, last) <= limit {
                groups[groups.count - 1].append(time)
            } else {
                groups.append([time])
            }
        }
        return groups.enumerated().map { index, times in
            let last = times[times.count - 1]
            let isLast = index == groups.count - 1
            let isUnbroken = isLast && apart(workout.end, last) <= limit
            return Run(
                times: times, isFirst: index == 0, goesOnUntil: isUnbroken ? workout.end : last)
        }
    }

    // MARK: What it comes to

    /// How long the rate was known, its average, and how long it was in each zone.
    mutating func heart(in span: Range<Instant>) throws -> (
        seconds: Double, average: Double, [Double]
    ) {
        var (weight, area) = (0.0, 0.0)
        var zones = [Double](repeating: 0, count: (subject.zones?.count ?? 0) + 1)
        let rates = rates
        for part in active(in: span) {
            let rates = Self.near(part, rates)
            let seconds = try subject.zones?.seconds(of: rates, in: part) ?? [0]
            for (zone, some) in seconds.enumerated() { zones[zone] += some }
            let known = seconds.reduce(0, +)
            guard known > 0 else { continue }
            area += try average(rates, .heartRate, in: part) * known
            weight += known
        }
        return (weight, weight > 0 ? area / weight : 0, zones)
    }

    /// The readings, in the order of time, that say something about a span.
    private static func near(
        _ span: Range<Instant>, _ readings: [QuantitySample]
    ) -> [QuantitySample] {
        readings.filter {
            $0.end > span.lowerBound.adding(nanoseconds: -61_000_000_000)
                && $0.end < span.upperBound.adding(nanoseconds: 61_000_000_000)
        }
    }

    /// The average over time, from one small step to the next.
    private func average(
        _ readings: [QuantitySample], _ type: QuantityType, in span: Range<Instant>
    ) throws -> Double {
        let values = try readings.map { ($0.end, try $0.quantity.value(in: type.canonicalUnit)) }
        var (sum, count) = (0.0, 0)
        var next = 0
        var time = span.lowerBound.adding(nanoseconds: stepNanoseconds / 2)
        while time < span.upperBound {
            while next < values.count, values[next].0 <= time { next += 1 }
            if next > 0, next < values.count {
                let ((from, low), (to, high)) = (values[next - 1], values[next])
                if apart(to, from) <= 60 {
                    sum += low + (high - low) * apart(time, from) / apart(to, from)
                    count += 1
                }
            }
            time = time.adding(nanoseconds: stepNanoseconds)
        }
        return count > 0 ? sum / Double(count) : 0
    }

    /// The energy by the heart rate, less the rest, by the rates in a span.
    mutating func heartKilocalories(in span: Range<Instant>) throws -> Double {
        guard let equation = subject.energy, let rest = subject.restingKilocaloriesPerHour else {
            return 0
        }
        let rates = rates
        return try active(in: span).reduce(0) { sum, part in
            let estimate = try equation.energy(of: rates, in: part)
            return sum + (try estimate.energy.value(in: .kilocalorie))
                - rest * estimate.seconds / 3_600
        }
    }

    /// The sum of counts, from one bound to the next by the best device that counted then.
    func count(_ type: QuantityType, in span: Range<Instant>) throws -> Double {
        let counts = samples.filter { $0.type == type }
        return try active(in: span).reduce(0) { sum, part in
            let near = counts.filter { $0.start < part.upperBound && $0.end > part.lowerBound }
                .sorted { $0.start < $1.start }
            let bounds = near.flatMap { [$0.start, $0.end] }.filter { part.contains($0) }
            let cuts = Set(bounds).union([part.lowerBound, part.upperBound]).sorted()
            var (open, next, sum) = ([QuantitySample](), 0, sum)
            for (from, to) in zip(cuts, cuts.dropFirst()) {
                open.removeAll { $0.end <= from }
                while next < near.count, near[next].start <= from {
                    if near[next].end > from { open.append(near[next]) }
                    next += 1
                }
                guard let best = open.min(by: { rank($0) < rank($1) }) else { continue }
                let share = apart(to, from) / apart(best.end, best.start)
                sum += try best.quantity.value(in: type.canonicalUnit) * share
            }
            return sum
        }
    }

    func seconds(in span: Range<Instant>) -> Double {
        active(in: span).reduce(0) { $0 + apart($1.upperBound, $1.lowerBound) }
    }
}

/// Two instants, the later one first.
private func apart(_ later: Instant, _ earlier: Instant) -> Double {
    Double(later.nanoseconds(since: earlier)) / 1e9
}
