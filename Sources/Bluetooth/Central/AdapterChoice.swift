/// Which of several adapters connects a device, by signal strength and number of links.
struct AdapterChoice {
    /// Signal strengths that differ by no more than this, in dB, count as equal.
    static let similarDecibels = 5
    /// A signal strength, in dBm, with which a link is good wherever else the device is received.
    static let goodStrength = -75

    /// The device objects, one for each adapter.
    let objects: [BlueZDevice]
    /// The object of the last attempt, when that attempt has failed.
    let failed: String?

    /// The objects to choose from: those with a bond, because a bonded device may refuse another
    /// adapter; of these, those that receive the device, if any does.
    static func candidates(among objects: [BlueZDevice]) -> [BlueZDevice] {
        let bonded = objects.filter(\.isPaired)
        let usable = bonded.isEmpty ? objects : bonded
        let received = usable.filter(\.isInRange)
        return received.isEmpty ? usable : received
    }

    /// The objects to connect with; the device waits for one of their adapters to be idle.
    ///
    /// An adapter that receives the device badly is not used while a better one is merely busy.
    var acceptable: [BlueZDevice] {
        let strongest = strongest(of: objects)
        return objects.filter {
            Self.strength($0) >= min(strongest - Self.similarDecibels, Self.goodStrength)
                || $0.path == failed
        }
    }

    /// The object to connect with now: of those with nearly the strongest signal, the one whose
    /// adapter has the fewest links.
    ///
    /// After a failure another adapter takes precedence, if there is one.
    func best(linkCount: (_ adapter: String) -> Int) -> BlueZDevice? {
        let candidates = withoutFailed(objects)
        let least = strongest(of: candidates) - Self.similarDecibels
        func rank(_ device: BlueZDevice) -> (Int, Int, String) {
            (linkCount(device.adapterPath), -Self.strength(device), device.path)
        }
        return candidates.filter { Self.strength($0) >= least }.min { rank($0) < rank($1) }
    }

    private func withoutFailed(_ devices: [BlueZDevice]) -> [BlueZDevice] {
        let others = devices.filter { $0.path != failed }
        return others.isEmpty ? devices : others
    }

    private func strongest(of devices: [BlueZDevice]) -> Int {
        withoutFailed(devices).map(Self.strength).max() ?? Self.unknownStrength
    }

    /// The weakest strength of the Bluetooth specification (Core 5.4, Vol 4, Part E, 7.7.65.2).
    private static let unknownStrength = -127

    private static func strength(_ device: BlueZDevice) -> Int {
        device.signalStrength ?? unknownStrength
    }
}
