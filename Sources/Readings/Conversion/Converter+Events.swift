import HealthModel
import Platform

extension Converter {
    /// Adds a change of the device's own state.
    mutating func add(
        _ state: StateReading, at receipt: BootInstant, in epoch: ClockEpoch,
        to conversion: inout Conversion
    ) {
        if case .battery(let charge) = state, !(0...1).contains(charge) {
            conversion.faults.add(charge.isFinite ? .implausible : .notFinite, of: "battery")
            return
        }
        guard let change = change(to: state) else { return }
        announce(
            change, reason: change == DeviceState() ? "contact is no longer reported" : nil,
            at: receipt, in: epoch, to: &conversion)
    }

    /// Returns the changed state to announce; nil if unchanged.
    ///
    /// Lost contact ends the chain of beats.
    private mutating func change(to state: StateReading) -> DeviceState? {
        switch state {
        case .contact(let isOnSkin):
            if isOnSkin == false { beatClock.restart() }
            guard contact != isOnSkin else { return nil }
            contact = isOnSkin
            return DeviceState(contact: isOnSkin)
        case .battery(let charge):
            guard battery != charge else { return nil }
            battery = charge
            return DeviceState(battery: charge)
        }
    }

    /// Announces a new identity, which devices report in several parts, with one event.
    mutating func announceIdentity(
        at receipt: BootInstant, in epoch: ClockEpoch, to conversion: inout Conversion
    ) {
        guard isIdentityNew else { return }
        isIdentityNew = false
        announce(DeviceState(), reason: "identified", at: receipt, in: epoch, to: &conversion)
    }

    /// Adds an event with the device's new state.
    mutating func announce(
        _ state: DeviceState, reason: String? = nil, at receipt: BootInstant, in epoch: ClockEpoch,
        to conversion: inout Conversion
    ) {
        let now = epoch.instant(at: receipt)
        let index = lastEvent.map { $0.receipt == receipt ? $0.index + 1 : 0 } ?? 0
        lastEvent = (receipt, index)
        let id = makeID(start: now, seed: eventSeed, key: Self.key(index, at: receipt))
        conversion.records.append(
            .event(
                DeviceEvent(
                    id: id, at: now, device: device, source: source, person: person, state: state,
                    reason: reason, metadata: Metadata().marked(in: epoch))))
    }
}

extension Metadata {
    /// Returns this metadata with ``HealthModel/MetadataKey/clockUnset`` if the time is estimated.
    func marked(in epoch: ClockEpoch) -> Metadata {
        guard epoch.isUnset else { return self }
        // If there is no space for the mark, it replaces the device's metadata.
        for var metadata in [self, Metadata()] {
            if (try? metadata.set(true, for: .clockUnset)) != nil { return metadata }
        }
        return self
    }
}
