import { AppError } from '../../../../platform/app-error.ts'
import { UnreadablePlan } from '../../campaign/storage/stored-plan.ts'
import type { Hindrance } from './tick-needs.ts'

/** Error codes of plans that fail because readings or records are missing. */
export const UNMEASURED: ReadonlySet<string> = new Set([
  'balance.not-measured',
  'balance.no-valves',
  'balance.no-head',
  'balance.no-flow',
  'balance.no-rooms',
  'balance.no-weather',
  'balance.no-station',
  'balance.too-large',
  'node.not-found',
])

/** Outcome of a tick whose plan or approval failed; other errors are thrown. */
export function toHindrance(error: unknown): Hindrance {
  // The plan has the format of another server version.
  if (error instanceof UnreadablePlan) return { kind: 'refused', code: 'entity.stale' }
  if (!(error instanceof AppError)) throw error
  const params = { ...error.params }
  const { code } = error
  if (UNMEASURED.has(code)) return { kind: 'not-measured', code, params }
  return { kind: code === 'campaign.loop-taken' ? 'loop-taken' : 'refused', code, params }
}
