package import HealthModel
import HealthStatistics

/// The energy of a span between two pauses.
package struct IntervalEnergy: Sendable, Hashable {
    /// From the start or a resume to a pause or the end.
    package let span: Range<Instant>
    /// The energy, in kcal.
    package let kilocalories: Double
    /// How the energy was determined.
    package let method: EnergyMethod
}

extension WorkoutTally {
    /// The statistics of the whole workout until a time, for which it must be settled.
    func measures(at time: Instant) -> WorkoutMeasures {
        measures(of: timeline.cells.indices, in: timeline.span, at: time, methods(at: time))
    }

    /// The statistics of a lap until a time, for which it must be settled.
    func measures(ofLap lap: Int, at time: Instant) -> WorkoutMeasures {
        let cells = timeline.cells
        let first = cells.firstIndex { $0.lap >= lap } ?? cells.count
        let last = cells[first...].firstIndex { $0.lap > lap } ?? cells.count
        return measures(of: first..<last, in: timeline.laps[lap], at: time, methods(at: time))
    }

    /// The energy of each interval that has started by a time, where it is known.
    func energies(at time: Instant) -> [IntervalEnergy] {
        let methods = methods(at: time)
        return timeline.intervals.indices.compactMap { interval in
            let span = timeline.intervals[interval]
            guard span.lowerBound < time, let method = methods[interval] else { return nil }
            let cells = timeline.cells.indices.filter { timeline.cells[$0].interval == interval }
            return IntervalEnergy(
                span: span.lowerBound..<min(span.upperBound, time),
                kilocalories: cells.reduce(0) { $0 + kilocalories(of: $1, method, at: time) },
                method: method)
        }
    }

    // MARK: Parts

    private func measures(
        of cells: Range<Int>, in span: Range<Instant>, at time: Instant, _ methods: [EnergyMethod?]
    ) -> WorkoutMeasures {
        var measures = WorkoutMeasures()
        measures.elapsedSeconds = span.seconds(until: time)
        measures.activeSeconds = cells.reduce(0) {
            $0 + timeline.cells[$1].span.seconds(until: time)
        }
        measures.heartRate = spread(ofFirst: [.heartRate], in: cells)
        measures.zoneSeconds = zoneSeconds(in: cells)
        measures.cadence = spread(ofFirst: activity.cadenceTypes, in: cells)
        measures.speed = spread(ofFirst: activity.speedTypes, in: cells)
        let power = tally(ofFirst: activity.powerTypes, in: cells)
        measures.power = power?.spread
        measures.workKilojoules = power?.integral.map { $0 / 1_000 }
        measures.distanceMeters = distance(in: cells)
        measures.stepCount = sum(of: .stepCount, in: cells)
        measures.rmssdMilliseconds =
            beats.tallies[cells].reduce(into: BeatTally()) { $0.add($1) }
            .rmssdMilliseconds
        for cell in cells where timeline.cells[cell].span.lowerBound < time {
            guard let method = methods[timeline.cells[cell].interval] else { continue }
            let energy = kilocalories(of: cell, method, at: time)
            measures.energyKilocalories = (measures.energyKilocalories ?? 0) + energy
            measures.energyMethods.insert(method)
        }
        return measures
    }

    /// The spread of the first of some types that was measured in the workout.
    func spread(ofFirst types: [QuantityType], in cells: Range<Int>) -> WorkoutMeasures.Spread? {
        tally(ofFirst: types, in: cells)?.spread
    }

    private func tally(ofFirst types: [QuantityType], in cells: Range<Int>) -> CurveTally? {
        let tallies = types.lazy.compactMap { curves[$0]?.tallies }
        guard let first = tallies.first(where: { $0.contains { !$0.isEmpty } }) else { return nil }
        return first[cells].reduce(into: CurveTally()) { $0.add($1) }
    }

    private func zoneSeconds(in cells: Range<Int>) -> [Double] {
        guard let zones = subject.zones else { return [] }
        var seconds = [Double](repeating: 0, count: zones.count + 1)
        for heart in curves[.heartRate]?.hearts[cells] ?? [] {
            for (zone, part) in heart.zoneSeconds.enumerated() { seconds[zone] += part }
        }
        return seconds
    }

    /// The sum of a type; nil when it was not counted in the whole workout.
    func sum(of type: QuantityType, in cells: Range<Int>) -> Double? {
        guard let tallies = counts[type]?.tallies, tallies.contains(where: { $0.nanoseconds > 0 })
        else { return nil }
        return tallies[cells].reduce(0) { $0 + $1.sum }
    }

    private func distance(in cells: Range<Int>) -> Double? {
        activity.distances { sum(of: $0, in: cells) != nil }
            .reduce(nil) { ($0 ?? 0) + (sum(of: $1, in: cells) ?? 0) }
    }

    // MARK: Energy

    /// The energy method of each interval: the best one that has data.
    private func methods(at time: Instant) -> [EnergyMethod?] {
        let counted = counts[.activeEnergyBurned]?.tallies
        let hearts = curves[.heartRate]?.hearts
        var methods = [EnergyMethod?](repeating: nil, count: timeline.intervals.count)
        for (index, cell) in timeline.cells.enumerated() where cell.span.lowerBound < time {
            var ways: [EnergyMethod] = []
            if let counted, counted[index].nanoseconds > 0 { ways.append(.counter) }
            if let hearts, hearts[index].exerciseSeconds > 0, let heart = subject.heartEnergy {
                ways.append(heart.method)
            }
            if subject.activityKilocaloriesPerHour != nil { ways.append(.ratePerHour) }
            methods[cell.interval] = ([methods[cell.interval]].compactMap(\.self) + ways).min()
        }
        return methods
    }

    private func kilocalories(of cell: Int, _ method: EnergyMethod, at time: Instant) -> Double {
        switch method {
        case .counter: counts[.activeEnergyBurned]?.tallies[cell].sum ?? 0
        case .heartRate, .heartRateWithRest:
            (curves[.heartRate]?.hearts[cell].kilojoules ?? 0)
                / HeartRateEnergy.kilojoulesPerKilocalorie
        case .ratePerHour:
            (subject.activityKilocaloriesPerHour ?? 0)
                * timeline.cells[cell].span.seconds(until: time) / 3_600
        }
    }
}

extension Range<Instant> {
    /// The part of the span that has passed at a time, in seconds.
    fileprivate func seconds(until time: Instant) -> Double {
        guard time > lowerBound else { return 0 }
        return (lowerBound..<Swift.min(time, upperBound)).seconds
    }
}
