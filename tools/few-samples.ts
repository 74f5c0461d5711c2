import fc from 'fast-check'

/** Property tests run once for each mutant; most mutants fail within the first samples. */
fc.configureGlobal({ numRuns: 20 })
