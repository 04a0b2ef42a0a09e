// Every command has a syntax: it is there without a line in each of their files.
@_exported public import CommandArguments
