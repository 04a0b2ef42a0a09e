import GatewayHost
import PulsegateBuiltIn
import PulsegateCommand

var plugins = builtIn
plugins.serialProtocols += WrongAdapter.all.map(\.factory)
plugins.sinks += [NeverEndingSink.factory, ThrowingSink.factory, SpinningSink.factory]
plugins.sources += [EndingSource.factory, BlockingSource.factory]
PulsegateCommand.main(plugins: plugins, contract: .version1)
