package import HealthModel

extension Record {
    /// Returns this record with a device, a person and a source where it has none.
    ///
    /// An event has its own device.
    package func filling(device: Device, person: String?, source: SourceRevision) -> Record {
        let own = (
            device: self.device ?? device, person: self.person ?? person,
            source: self.source ?? source
        )
        guard self.device == nil || self.person != own.person || self.source == nil else {
            return fillingMembers()
        }
        // Only a person could be refused, and its name was checked where it was configured.
        let filled = try? with(device: own.device, person: own.person, source: own.source)
        return (filled ?? self).fillingMembers()
    }

    /// Returns this record with a person where it has none.
    package func filling(person: String) -> Record {
        guard self.person == nil else { return fillingMembers() }
        // Only the person could be refused, and the caller has checked its name.
        let filled = try? with(device: device, person: person, source: source)
        return (filled ?? self).fillingMembers()
    }

    /// Returns a correlation whose samples without a person have that of the correlation, as they are found
    /// by it; another record unchanged.
    package func fillingMembers() -> Record {
        guard case .correlation(let group) = self, let person = group.person,
            group.samples.contains(where: { $0.record.person == nil })
        else { return self }
        let samples = group.samples.map { member -> Correlation.Member in
            switch member.record.filling(person: person) {
            case .sample(let sample): .quantity(sample)
            case .category(let sample): .category(sample)
            default: member
            }
        }
        // One that becomes too long for a line stays as it is.
        let filled = try? Correlation(
            id: group.id, type: group.type, start: group.start, end: group.end,
            samples: samples, person: person, device: group.device, source: group.source,
            metadata: group.metadata)
        return filled.map { .correlation($0) } ?? self
    }

    private func with(device: Device?, person: String?, source: SourceRevision?) throws -> Record {
        switch self {
        case .sample(let sample):
            .sample(
                try QuantitySample(
                    id: sample.id, type: sample.type, start: sample.start, end: sample.end,
                    quantity: sample.quantity, person: person, device: device, source: source,
                    metadata: sample.metadata))
        case .category(let sample):
            .category(
                try CategorySample(
                    id: sample.id, type: sample.type, start: sample.start, end: sample.end,
                    value: sample.value, person: person, device: device, source: source,
                    metadata: sample.metadata))
        case .correlation(let group):
            .correlation(
                try Correlation(
                    id: group.id, type: group.type, start: group.start, end: group.end,
                    samples: group.samples, person: person, device: device, source: source,
                    metadata: group.metadata))
        case .workout(let workout):
            .workout(
                try Workout(
                    id: workout.id, activity: workout.activity, location: workout.location,
                    start: workout.start, end: workout.end, events: workout.events,
                    totals: workout.totals, person: person, device: device, source: source,
                    metadata: workout.metadata))
        case .event(let event):
            .event(
                DeviceEvent(
                    id: event.id, at: event.at, device: event.device, source: source,
                    person: person, state: event.state, reason: event.reason,
                    metadata: event.metadata))
        case .deletion: self
        }
    }
}
