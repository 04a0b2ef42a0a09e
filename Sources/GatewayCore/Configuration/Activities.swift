public import HealthModel
import JSON

/// What is known of the activities that people do in workouts: how much energy they take.
///
/// It is for activities that HealthKit knows as well as for those of one's own, by their names.
public struct Activities: Sendable, Hashable {
    /// What is known of one activity.
    public struct Facts: Sendable, Hashable {
        /// The energy that it takes in an hour, where nothing measures it; nil when nobody says.
        public let energyPerHour: Quantity?

        /// Tells what is known.
        public init(energyPerHour: Quantity?) {
            self.energyPerHour = energyPerHour
        }
    }

    /// What an activity can take in an hour, in kilocalories.
    private static let energyRange = 0.0...5_000

    /// Those of one's own that are known when nothing is said, in kilocalories an hour.
    private static let builtIn: [(name: String, kilocalories: Double)] = [("prancercise", 450)]

    private var facts: [WorkoutActivity: Facts]

    /// Those that are known when nothing is said.
    public init() {
        facts = [:]
        for (name, kilocalories) in Self.builtIn {
            guard let activity = WorkoutActivity(customName: name),
                let energy = try? Quantity(kilocalories, .kilocalorie)
            else { continue }
            facts[activity] = Facts(energyPerHour: energy)
        }
    }

    /// The keys of an activity.
    public static let settings = [
        PluginDescription.Setting(
            "energyPerHour", "{ value: 700, unit: \"kcal\" }", kind: .object, default: "unknown")
    ]

    /// Reads `{ "stair-run": { energyPerHour: { value: 700, unit: "kcal" } } }`.
    ///
    /// What is said there of an activity takes the place of what is known of it else.
    init(_ node: ConfigurationNode) throws(ConfigurationError) {
        self.init()
        for (name, entry) in try node.entries() {
            let object = try entry.object(keys: Self.settings.map(\.name))
            guard let activity = Self.activity(named: name) else {
                throw entry.error("is no activity: \(WorkoutActivity.nameRule)")
            }
            facts[activity] = Facts(energyPerHour: try object["energyPerHour"].map(Self.energy))
        }
    }

    /// What is known of an activity; nil when nothing is.
    public subscript(activity: WorkoutActivity) -> Facts? { facts[activity] }

    /// The activities of one's own of which something is known, by their names.
    public var own: [WorkoutActivity] {
        facts.keys.filter { $0.customName != nil }.sorted { $0.name < $1.name }
    }

    private static func activity(named name: String) -> WorkoutActivity? {
        guard let type = WorkoutActivityType.named(name) else {
            return WorkoutActivity(customName: name)
        }
        // Its identifier would be a second key for the same one.
        return type.name == name ? WorkoutActivity(type) : nil
    }

    private static func energy(_ node: ConfigurationNode) throws(ConfigurationError) -> Quantity {
        let object = try node.object(keys: ["value", "unit"])
        let unitNode = try object.require("unit")
        let valueNode = try object.require("value")
        let text = try unitNode.string()
        let unit: Unit
        do { unit = try Unit(parsing: text) } catch { throw unitNode.error("\(error)") }
        guard unit.isCompatible(with: .kilocalorie) else {
            throw unitNode.error("`\(text)` does not measure energy; `kcal` does")
        }
        let number = try valueNode.number()
        guard let quantity = try? Quantity(number, unit),
            let value = try? quantity.value(in: .kilocalorie), energyRange.contains(value)
        else { throw valueNode.error("must be from 0 to 5000 kcal") }
        return quantity
    }
}
