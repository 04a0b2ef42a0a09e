/// A metric with the values of all its labels.
package struct MetricFamily: Equatable, Sendable {
    /// How a value changes.
    package enum Kind: String, Sendable {
        /// It goes up and down.
        case gauge
        /// It only grows; its name ends with `_total`.
        case counter
    }

    /// A value with its labels, in the order of their output.
    package struct Value: Equatable, Sendable {
        package let labels: [Label]
        package let number: Double
    }

    /// A label of a value.
    package struct Label: Equatable, Sendable {
        package let name: String
        package let value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The name, with its unit.
    package let name: String
    /// What the metric means, in one sentence.
    package let help: String
    package private(set) var values: [Value] = []

    /// How its values change; its name says it.
    package var kind: Kind { name.hasSuffix("_total") ? .counter : .gauge }

    init(_ name: String, _ help: String) {
        self.name = name
        self.help = help
    }

    /// A metric with one value without labels; without a value it is left out.
    init(_ name: String, _ help: String, _ number: Double?) {
        self.init(name, help)
        add(number)
    }

    /// Adds a value; nil is an unknown one, which is left out.
    mutating func add(_ number: Double?, _ labels: Label...) {
        guard let number else { return }
        values.append(Value(labels: labels, number: number))
    }

    mutating func add(_ count: Int64, _ labels: Label...) {
        values.append(Value(labels: labels, number: Double(count)))
    }

    mutating func add(_ flag: Bool?, _ labels: Label...) {
        guard let flag else { return }
        values.append(Value(labels: labels, number: flag ? 1 : 0))
    }
}
