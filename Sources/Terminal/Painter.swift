package import Platform

/// Colours words where somebody can see them.
package struct Painter {
    /// How a word is meant.
    package enum Style: String {
        case plain = ""
        /// The heading of a column.
        case heading = "1"
        case good = "32"
        case doubtful = "33"
        case bad = "31"
        /// What explains, and need not be seen at once.
        case faint = "2"
        /// What must be seen at once.
        case striking = "1;7"
        /// An effort between rest and ``good``.
        case calm = "36"
        case easy = "94"
    }

    /// A painter that does nothing.
    package static let plain = Painter(isOn: false)

    private let isOn: Bool

    /// A painter that colours, or one that does nothing.
    package init(isOn: Bool) {
        self.isOn = isOn
    }

    /// Colours at a terminal that knows colours, unless `NO_COLOR` is set (no-color.org).
    package init(_ stream: StandardStream, environment: Environment) {
        let knowsColors = environment["TERM"].map { $0 != "dumb" } ?? false
        isOn = stream.isTerminal && knowsColors && environment["NO_COLOR"] == nil
    }

    /// The text in a style (ECMA-48, select graphic rendition).
    package func paint(_ text: String, _ style: Style) -> String {
        isOn && style != .plain ? "\u{1b}[\(style.rawValue)m\(text)\u{1b}[0m" : text
    }
}
