import { rebootGateway } from '../devices/gateway/field-gateway.ts'
import type { Pace } from '../devices/models/valve-actuator.ts'
import { stepPlant } from '../plant/plant.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import { createField, type Field } from './field.ts'
import { restoreSnapshot, type TwinSnapshot } from './snapshot.ts'
import { readSnapshotFile } from './snapshot-file.ts'

/** A move takes at least this long for a person who watches, s. */
export const VISIBLE_MOVE_S = 2

export interface Prepared {
  readonly field: Field
  readonly boot: number
  readonly pace: Pace
}

/** The field where a snapshot left it, or why it cannot be there: it may be of an earlier version's plant. */
function goOn(field: Field, snapshot: TwinSnapshot): string | undefined {
  try {
    restoreSnapshot(snapshot, field)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/**
 * The field of a scenario, from the snapshot at `path` where there is one that fits, else warmed up. Boot numbers never
 * repeat, even when it was lost.
 */
export function prepareField(
  scenario: Scenario,
  path: string,
  timeFactor: number,
  nowMs: number,
  complain: (problem: string) => void,
): Prepared {
  const saved = readSnapshotFile(path, scenario)
  if (saved.kind === 'unusable') complain(`${path} is not used: ${saved.reason}`)
  const boot = saved.kind === 'snapshot' ? saved.snapshot.boot + 1 : Math.floor(nowMs / 1000)
  const pace = { minMoveS: VISIBLE_MOVE_S * timeFactor }
  const create = (warmUp: 'warm-up' | 'cold') => createField(scenario, { boot, nowMs, pace, warmUp })
  let field = create(saved.kind === 'snapshot' ? 'cold' : 'warm-up')
  if (saved.kind === 'snapshot') {
    const problem = goOn(field, saved.snapshot)
    if (problem !== undefined) {
      complain(`${path} is not used: ${problem}`)
      field = create('warm-up')
    }
  }
  for (const gateway of field.gateways) rebootGateway(gateway, boot)
  // Fills what is derived (flows, temperatures at gateways) before anyone reads it.
  stepPlant(field.plant, 1)
  return { field, boot, pace }
}
