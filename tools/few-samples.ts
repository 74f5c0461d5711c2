import fc from 'fast-check'

/**
 * Settings of property tests for mutation testing. They run once per mutant, and most mutants fail within the first
 * samples: so 20 samples, or at most 300 ms if a test requires more.
 */
fc.configureGlobal({ numRuns: 20, interruptAfterTimeLimit: 300 })
