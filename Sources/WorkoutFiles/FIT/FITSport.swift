import HealthModel

/// A FIT sport and sub-sport, by their numbers in the FIT Profile.
struct FITSport: Hashable {
    let sport: Int
    let subSport: Int

    init(_ sport: Int, _ subSport: Int = 0) {
        self.sport = sport
        self.subSport = subSport
    }

    private static let generic = FITSport(0)

    /// The FIT sport of each activity; for activities with the same sport, the first one is used
    /// for import.
    private static let table: [(activity: WorkoutActivityType, sport: FITSport)] = [
        (.running, FITSport(1)), (.cycling, FITSport(2)), (.transition, FITSport(3)),
        (.swimming, FITSport(5)), (.basketball, FITSport(6)), (.soccer, FITSport(7)),
        (.tennis, FITSport(8)), (.americanFootball, FITSport(9)), (.walking, FITSport(11)),
        (.crossCountrySkiing, FITSport(12)), (.downhillSkiing, FITSport(13)),
        (.snowboarding, FITSport(14)), (.rowing, FITSport(15)), (.hiking, FITSport(17)),
        (.swimBikeRun, FITSport(18)), (.paddleSports, FITSport(19)), (.golf, FITSport(25)),
        (.equestrianSports, FITSport(27)), (.hunting, FITSport(28)), (.fishing, FITSport(29)),
        (.climbing, FITSport(31)), (.sailing, FITSport(32)), (.surfingSports, FITSport(38)),
        (.boxing, FITSport(47)), (.baseball, FITSport(49)), (.underwaterDiving, FITSport(53)),
        (.wheelchairWalkPace, FITSport(65)), (.wheelchairRunPace, FITSport(66)),
        (.discSports, FITSport(69)), (.cricket, FITSport(71)), (.rugby, FITSport(72)),
        (.hockey, FITSport(73)), (.lacrosse, FITSport(74)), (.volleyball, FITSport(75)),
        (.waterSports, FITSport(78)), (.archery, FITSport(79)), (.cardioDance, FITSport(83)),
        (.jumpRope, FITSport(84)), (.highIntensityIntervalTraining, FITSport(62)),
        (.highIntensityIntervalTraining, FITSport(10, 70)), (.handCycling, FITSport(2, 12)),
        (.elliptical, FITSport(4, 15)), (.stairClimbing, FITSport(4, 16)),
        (.flexibility, FITSport(10, 19)), (.traditionalStrengthTraining, FITSport(10, 20)),
        (.mixedCardio, FITSport(10, 26)), (.yoga, FITSport(10, 43)),
        (.pilates, FITSport(10, 44)), (.crossTraining, FITSport(10)),
    ]

    /// The sports of indoor activities.
    private static let indoors: [(activity: WorkoutActivityType, sport: FITSport)] = [
        (.running, FITSport(1, 1)), (.running, FITSport(1, 45)), (.cycling, FITSport(2, 6)),
        (.cycling, FITSport(2, 5)), (.walking, FITSport(11, 27)), (.walking, FITSport(11, 1)),
        (.rowing, FITSport(15, 14)), (.rowing, FITSport(4, 14)), (.climbing, FITSport(31, 68)),
        (.swimming, FITSport(5, 17)),
    ]

    /// Creates the sport of an activity.
    init(_ activity: WorkoutActivity, _ location: WorkoutLocation) {
        guard activity.customName == nil, let type = activity.type else {
            self = Self.generic
            return
        }
        let indoor = location == .indoor ? Self.indoors.first { $0.activity == type } : nil
        let entry = indoor ?? Self.table.first { $0.activity == type }
        self = entry?.sport ?? Self.generic
    }

    /// Whether the sport is generic, so that only a name identifies the activity.
    var isGeneric: Bool { self == Self.generic }

    /// The activity and location; a name identifies activities without a FIT sport.
    func activity(name: String?) -> (WorkoutActivity, WorkoutLocation) {
        if let entry = Self.indoors.first(where: { $0.sport == self }) {
            return (WorkoutActivity(entry.activity), .indoor)
        }
        if isGeneric, let name, let activity = WorkoutActivity(named: name) {
            return (activity, .unknown)
        }
        let plain = FITSport(sport)
        let entry =
            Self.table.first { $0.sport == self } ?? Self.table.first { $0.sport == plain }
        return (WorkoutActivity(entry?.activity ?? .other), .unknown)
    }
}
