import fc from 'fast-check'

/**
 * Settings of property tests that judge mutants. They run once for each mutant, and most mutants fail within the
 * first samples: 20 samples, or what fits into 300 ms where a test asks for more.
 */
fc.configureGlobal({ numRuns: 20, interruptAfterTimeLimit: 300 })
