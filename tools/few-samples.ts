import fc from 'fast-check'

/**
 * Settings of property tests for mutation testing: 20 samples, or at most 300 ms if a test requires more. The tests run
 * once per mutant, and the first samples detect most mutants.
 */
fc.configureGlobal({ ...fc.readConfigureGlobal(), numRuns: 20, interruptAfterTimeLimit: 300 })
