package import GatewayCore

/// What the sinks of one configuration must not want from each other and from the sources.
package struct SinkRules {
    package let sources: [Gateway.NamedSource]
    package let sinks: [Gateway.NamedSink]

    /// - Throws: ``ConfigurationError`` with the key path of the first thing that is wrong.
    package func check() throws(ConfigurationError) {
        for sink in sinks {
            try checkBlock(sink)
            try checkFormerName(sink)
        }
    }

    /// Nobody can make a body wait.
    private func checkBlock(_ sink: Gateway.NamedSink) throws(ConfigurationError) {
        guard sink.options.buffer.whenFull == .block,
            let hasty = sources.first(where: { !$0.source.canWait })
        else { return }
        throw ConfigurationError(
            path: "sinks.\(sink.name).buffer.whenFull",
            problem:
                "`block` makes the sources wait, and `\(hasty.name)` reads what does not wait; "
                + "say `dropOldest`, or give the sink a larger `maxSize`")
    }

    /// Two sinks cannot go on from the same cursor; they can swap theirs.
    private func checkFormerName(_ sink: Gateway.NamedSink) throws(ConfigurationError) {
        guard let former = sink.options.previousName else { return }
        let path = "sinks.\(sink.name).previousName"
        let namesake = sinks.first { $0.name == former }
        guard former != sink.name, namesake.map({ $0.options.previousName != nil }) ?? true else {
            throw ConfigurationError(
                path: path,
                problem:
                    "`\(former)` is the name of a sink now; let that one say, too, what it was "
                    + "called, or take this away if it is done")
        }
        let others = sinks.filter { $0.options.previousName == former && $0.name != sink.name }
        guard let other = others.first else { return }
        throw ConfigurationError(
            path: path, problem: "`\(other.name)` says the same, and only one of them can be it")
    }
}
