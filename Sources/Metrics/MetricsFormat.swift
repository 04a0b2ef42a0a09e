import JSON

/// A text format of metrics.
package enum MetricsFormat: String, CaseIterable, Sendable {
    /// Version 0.0.4 of Prometheus ("Exposition formats" in its documentation).
    case prometheus
    /// OpenMetrics 1.0.0: a counter's name has no `_total` in its description, and an end is marked.
    case openMetrics

    private static let counterEnd = "_total"

    /// Writes metrics; those without a value are left out.
    package func text(of families: [MetricFamily]) -> String {
        let text = families.filter { !$0.values.isEmpty }.map(text).joined()
        return self == .openMetrics ? text + "# EOF\n" : text
    }

    private func text(of family: MetricFamily) -> String {
        var name = family.name[...]
        if self == .openMetrics, family.kind == .counter {
            name = name.dropLast(Self.counterEnd.count)
        }
        // In OpenMetrics a quotation mark of the help is escaped, too.
        let help = Self.escaped(family.help, quotes: self == .openMetrics)
        var text = "# HELP \(name) \(help)\n# TYPE \(name) \(family.kind.rawValue)\n"
        for value in family.values {
            let labels = value.labels.map {
                #"\#($0.name)="\#(Self.escaped($0.value, quotes: true))""#
            }
            let list = labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}"
            text += "\(family.name)\(list) \(Self.number(value.number))\n"
        }
        return text
    }

    /// Backslashes and line feeds are escaped, and quotation marks in the value of a label.
    private static func escaped(_ text: String, quotes: Bool) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quotes: escaped += "\\\""
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    private static func number(_ number: Double) -> String {
        if number.isNaN { return "NaN" }
        if number.isInfinite { return number > 0 ? "+Inf" : "-Inf" }
        return Number.string(number)
    }
}
