import type { Gate } from '@isotherm/kernel/gate'
import { createCallerGate } from '../../../platform/tasks/turns/caller-gate.ts'

/** Plans of one caller that wait. Each campaign and strategy that the server runs is a caller of its own. */
const WAITING = 32

/**
 * Runs one plan at a time, whether the one before succeeded or failed. Callers and campaigns take turns. Throws
 * request.too-many for the plans of a caller who has too many waiting.
 */
export const createPlanTurns = (): Gate => createCallerGate({ running: 1, waiting: WAITING })
