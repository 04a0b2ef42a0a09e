// What a store is asked belongs to its contract: who imports the store has it, without a line for it.
@_exported public import StoreQueries
