package import GatewayCore

/// Checks the sinks of a configuration against each other and the sources.
package struct SinkRules {
    package let sources: [Gateway.NamedSource]
    package let sinks: [Gateway.NamedSink]

    /// Checks all sinks.
    ///
    /// - Throws: ``ConfigurationError`` with the key path of the first problem.
    package func check() throws(ConfigurationError) {
        for sink in sinks {
            try checkBlock(sink)
            try checkPreviousName(sink)
        }
    }

    /// A sink must not block a source that cannot wait, such as a sensor.
    private func checkBlock(_ sink: Gateway.NamedSink) throws(ConfigurationError) {
        guard sink.options.buffer.whenFull == .block,
            let live = sources.first(where: { !$0.source.canWait })
        else { return }
        throw ConfigurationError(
            path: "sinks.\(sink.name).buffer.whenFull",
            problem:
                "must not be `block`: the source `\(live.name)` cannot wait; "
                + "set `dropOldest`, and increase `maxSize` if needed")
    }

    /// Two sinks cannot take over the same cursor; they can swap cursors.
    private func checkPreviousName(_ sink: Gateway.NamedSink) throws(ConfigurationError) {
        guard let former = sink.options.previousName else { return }
        let path = "sinks.\(sink.name).previousName"
        let current = sinks.first { $0.name == former }
        guard former != sink.name, current.map({ $0.options.previousName != nil }) ?? true else {
            throw ConfigurationError(
                path: path,
                problem:
                    "must not be `\(former)`, the name of a current sink; "
                    + "set that sink's `previousName` too, or remove this key")
        }
        let others = sinks.filter { $0.options.previousName == former && $0.name != sink.name }
        guard let other = others.first else { return }
        throw ConfigurationError(
            path: path,
            problem: "sink `\(other.name)` has the same `previousName`; remove one of them")
    }
}
