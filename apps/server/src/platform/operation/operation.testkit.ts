import { type Operation, toSystemOperation } from './operation.ts'

/** An operation of the system itself, with the given fields. */
export const createTestOperation = (given: Partial<Operation> = {}): Operation => ({
  ...toSystemOperation('test', 0),
  ...given,
})
