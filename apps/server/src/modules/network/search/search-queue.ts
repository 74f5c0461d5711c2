import type { Gate } from '@isotherm/kernel/gate'
import { createCallerGate } from '../../../platform/tasks/turns/caller-gate.ts'

/**
 * Runs a search as soon as the limits allow. A search uses two connections of the process's pool of twelve. A fast typist sends the
 * next search before the answer to the last one; more than four that wait are not typing. Callers take turns. Throws request.too-many.
 */
export const createSearchQueue = (): Gate => createCallerGate({ running: 4, runningPerCaller: 2, waiting: 4 })
