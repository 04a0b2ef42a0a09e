package import Platform

extension Gateway {
    /// Adds the probes of the pipeline and the journal, which are in use until the results are released.
    package nonisolated func addProbes(to probes: ProgressProbes) -> [ProgressProbe] {
        [
            probes.add(.pipeline) { [pipeline, executor] answer in
                Task(executorPreference: executor) {
                    await pipeline.answer()
                    answer()
                }
            },
            probes.add(.journal) { [journal, executor] answer in
                Task(executorPreference: executor) {
                    await journal.answer()
                    answer()
                }
            },
        ]
    }
}
