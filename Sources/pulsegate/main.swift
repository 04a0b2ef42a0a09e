import PulsegateBuiltIn
import PulsegateCommand

PulsegateCommand.main(plugins: builtIn, contract: .version1)
