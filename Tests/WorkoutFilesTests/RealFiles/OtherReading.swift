import Foundation

/// What a reader of others found in a file; times are seconds since 1970.
///
/// The script `read_folder.py` writes it.
struct OtherReading: Decodable {
    /// A lap or session.
    struct Part: Decodable {
        let start: Double?
        /// When it was written.
        let written: Double?
        let elapsed: Double?
        let active: Double?
        let distance: Double?
        let energy: Double?
        /// The time between the tracks of a lap of TCX.
        let gaps: Double?

        var end: Double? {
            let seconds = elapsed ?? active.map { $0 + (gaps ?? 0) }
            return start.flatMap { start in seconds.map { start + $0 } } ?? written
        }
    }

    /// A value of a point.
    struct Value: Decodable {
        let time: Double?
        let value: Double

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            time = try list.decode(Double?.self)
            value = try list.decode(Double.self)
        }
    }

    let path: String?
    let reader: String?
    /// The package that is missing.
    let missing: String?
    let error: String?
    // Of fitdecode:
    let types: [Double?]?
    let sessions: [Part]?
    let distances: [Value]?
    let energies: [Value]?
    /// The number of messages of beats that a strap stored.
    let stored: Int?
    /// The number of times that count from the start of the device, and of dates for them.
    let relative: Int?
    let correlated: Int?
    // Of tcxreader:
    let distance: Double?
    let energy: Double?
    // Of lxml:
    let root: String?
    let activities: Int?
    let laps: [Part]?
    // Of all:
    let rates: [Value]?
    let times: [Double?]?

    private enum CodingKeys: CodingKey {
        case path, reader, missing, error, types, sessions, distances, energies, stored, relative
        case correlated, distance, energy, root, activities, laps, rates, times
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        path = try values.decodeIfPresent(String.self, forKey: .path)
        reader = try values.decodeIfPresent(String.self, forKey: .reader)
        missing = try values.decodeIfPresent(String.self, forKey: .missing)
        error = try values.decodeIfPresent(String.self, forKey: .error)
        types = try values.decodeIfPresent([Double?].self, forKey: .types)
        sessions = try values.decodeIfPresent([Part].self, forKey: .sessions)
        distances = try values.decodeIfPresent([Value].self, forKey: .distances)
        energies = try values.decodeIfPresent([Value].self, forKey: .energies)
        stored = try values.decodeIfPresent(Int.self, forKey: .stored)
        relative = try values.decodeIfPresent(Int.self, forKey: .relative)
        correlated = try values.decodeIfPresent(Int.self, forKey: .correlated)
        distance = try values.decodeIfPresent(Double.self, forKey: .distance)
        energy = try values.decodeIfPresent(Double.self, forKey: .energy)
        root = try values.decodeIfPresent(String.self, forKey: .root)
        activities = try values.decodeIfPresent(Int.self, forKey: .activities)
        laps = try? values.decodeIfPresent([Part].self, forKey: .laps)
        rates = try values.decodeIfPresent([Value].self, forKey: .rates)
        times = try values.decodeIfPresent([Double?].self, forKey: .times)
    }
}
