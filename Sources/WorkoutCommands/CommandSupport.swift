// Every command is one: its base is there without a line in each of their files.
@_exported public import CommandSupport
