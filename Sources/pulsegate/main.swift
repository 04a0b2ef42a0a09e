import PulsegateCommand

PulsegateCommand.main(plugins: builtIn)
