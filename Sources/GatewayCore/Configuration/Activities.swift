public import HealthModel
import JSON

/// The settings of workout activities: their energy use.
///
/// They apply to HealthKit's activities and to custom ones, by name.
public struct Activities: Sendable, Hashable {
    /// The settings of one activity.
    public struct Facts: Sendable, Hashable {
        /// The energy per hour where it is not measured; nil if unknown.
        public let energyPerHour: Quantity?

        /// Makes settings.
        public init(energyPerHour: Quantity?) {
            self.energyPerHour = energyPerHour
        }
    }

    /// The valid range of energy per hour, in kilocalories.
    private static let energyRange = 0.0...5_000

    /// The built-in custom activities, in kilocalories per hour.
    private static let builtIn: [(name: String, kilocalories: Double)] = [("prancercise", 450)]

    private var facts: [WorkoutActivity: Facts]

    /// Makes the built-in settings.
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
    /// A configured activity replaces a built-in one.
    init(_ node: ConfigurationNode) throws(ConfigurationError) {
        self.init()
        for (name, entry) in try node.entries() {
            let object = try entry.object(keys: Self.settings.map(\.name))
            guard let activity = Self.activity(named: name) else {
                throw entry.error("is not an activity: \(WorkoutActivity.nameRule)")
            }
            facts[activity] = Facts(energyPerHour: try object["energyPerHour"].map(Self.energy))
        }
    }

    /// The settings of an activity; nil if there are none.
    public subscript(activity: WorkoutActivity) -> Facts? { facts[activity] }

    /// The custom activities with settings, sorted by name.
    public var own: [WorkoutActivity] {
        facts.keys.filter { $0.customName != nil }.sorted { $0.name < $1.name }
    }

    private static func activity(named name: String) -> WorkoutActivity? {
        guard let type = WorkoutActivityType.named(name) else {
            return WorkoutActivity(customName: name)
        }
        // An alias would be a second key for the same activity.
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
            throw unitNode.error("`\(text)` is not a unit of energy; use `kcal`")
        }
        let number = try valueNode.number()
        guard let quantity = try? Quantity(number, unit),
            let value = try? quantity.value(in: .kilocalorie), energyRange.contains(value)
        else { throw valueNode.error("must be from 0 to 5000 kcal") }
        return quantity
    }
}
