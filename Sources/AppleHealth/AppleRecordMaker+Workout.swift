import HealthModel

extension AppleRecordMaker {
    /// A workout with the statistics and events that the model can hold; others are counted.
    mutating func workout(_ element: AppleHealthElement) -> Outcome {
        guard let activity = WorkoutActivityType.named(element["workoutActivityType"] ?? "") else {
            return .unknown
        }
        guard let origin = origin(of: element) else { return .invalid }
        let events = events(of: element, in: origin)
        let totals = totals(of: element)
        let metadata = metadata(of: element)
        let workout = try? Workout(
            id: origin.id(of: "workout \(activity.name)", value: 0),
            activity: WorkoutActivity(activity),
            location: metadata[.indoorWorkout].map { $0 ? .indoor : .outdoor } ?? .unknown,
            start: origin.start, end: origin.end, events: events, totals: totals, person: person,
            device: origin.device, source: origin.source, metadata: metadata)
        return workout.map { .record(.workout($0)) } ?? .invalid
    }

    // MARK: Events

    private mutating func events(
        of element: AppleHealthElement, in origin: AppleOrigin
    ) -> [WorkoutEvent] {
        let elements = element.children.filter { $0.name == "WorkoutEvent" }
        var events = elements.compactMap { event($0, in: origin) }.sorted { $0.start < $1.start }
        // A workout is not paused at its start.
        while let first = events.first, [.resume, .motionResumed].contains(first.kind) {
            events.removeFirst()
        }
        events = Array(events.prefix(Workout.maximumEventCount))
        counts.addInvalid("WorkoutEvent", count: elements.count - events.count)
        return events
    }

    private mutating func event(
        _ element: AppleHealthElement, in origin: AppleOrigin
    ) -> WorkoutEvent? {
        let prefix = "HKWorkoutEventType"
        guard let type = element["type"], type.hasPrefix(prefix),
            let kind = WorkoutEvent.Kind.allCases.first(where: {
                $0.name.lowercased() == type.dropFirst(prefix.count).lowercased()
            }),
            let start = AppleTime.instant(element["date"]), start >= origin.start,
            start <= origin.end
        else { return nil }
        var end = start
        if kind.hasDuration, let duration = element["duration"],
            let seconds = try? quantity(duration, unit: element["durationUnit"] ?? "min")?
                .value(in: .second), seconds > 0, seconds < 1e9
        {
            // The times are whole seconds, the duration is not.
            end = min(start.adding(nanoseconds: Int64(seconds * 1e9)), origin.end)
        }
        return try? WorkoutEvent(kind, from: start, to: end, metadata: metadata(of: element))
    }

    // MARK: Totals

    private mutating func totals(of element: AppleHealthElement) -> [WorkoutTotal] {
        var totals: [WorkoutTotal] = []
        for child in element.children where child.name == "WorkoutStatistics" {
            guard let type = QuantityTypes.standard.named(child["type"] ?? ""),
                let total = total(type, child), !totals.contains(where: { $0.type == type })
            else {
                counts.addInvalid("WorkoutStatistics")
                continue
            }
            totals.append(total)
        }
        // Exports before iOS 16 have two totals as attributes.
        addOlder("totalEnergyBurned", .activeEnergyBurned, element, &totals)
        addOlder("totalDistance", distance(of: element), element, &totals)
        return totals
    }

    private mutating func total(
        _ type: QuantityType, _ element: AppleHealthElement
    ) -> WorkoutTotal? {
        let unit = element["unit"]
        if type.isCumulative {
            return quantity(element["sum"], unit: unit).flatMap { try? WorkoutTotal(type, sum: $0) }
        }
        guard let average = quantity(element["average"], unit: unit),
            let minimum = quantity(element["minimum"], unit: unit),
            let maximum = quantity(element["maximum"], unit: unit)
        else { return nil }
        return try? WorkoutTotal(type, average: average, minimum: minimum, maximum: maximum)
    }

    private mutating func addOlder(
        _ name: String, _ type: QuantityType?, _ element: AppleHealthElement,
        _ totals: inout [WorkoutTotal]
    ) {
        guard let text = element[name], !totals.contains(where: { $0.type == type }) else { return }
        guard let quantity = quantity(text, unit: element["\(name)Unit"]) else {
            return counts.addInvalid(name)
        }
        // A workout without the total has 0 of it.
        guard quantity.value != 0 else { return }
        guard let type, let total = try? WorkoutTotal(type, sum: quantity) else {
            return counts.addInvalid(name)
        }
        totals.append(total)
    }

    /// The type of the distance of an activity; nil when it is not known.
    private func distance(of element: AppleHealthElement) -> QuantityType? {
        switch WorkoutActivityType.named(element["workoutActivityType"] ?? "") {
        case .walking, .running, .hiking: .distanceWalkingRunning
        case .cycling: .distanceCycling
        case .swimming: .distanceSwimming
        case .rowing: .distanceRowing
        default: nil
        }
    }
}
