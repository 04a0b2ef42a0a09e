import PulsegateBuiltIn
import PulsegateCommand
import SkinPatch

var plugins = builtIn
plugins.types.append(SkinPatch.temperature)
plugins.serialProtocols.append(SkinPatch.factory)
plugins.sinks.append(NewestValues.factory)

PulsegateCommand.main(plugins: plugins, contract: .version1)
