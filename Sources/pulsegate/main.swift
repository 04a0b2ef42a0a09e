import PulsegateCommand

await PulsegateCommand.main(plugins: builtIn)
