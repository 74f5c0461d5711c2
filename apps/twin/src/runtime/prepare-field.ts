import { rebootGateway } from '../devices/gateway/field-gateway.ts'
import type { Pace } from '../devices/models/valve-actuator.ts'
import { createField, type Field } from '../field/field.ts'
import { stepPlant } from '../plant/plant.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import { restoreSnapshot, type TwinSnapshot } from './snapshot.ts'
import { readSnapshotFile } from './snapshot-file.ts'

/** Shortest move, s, so that it is visible to users. */
export const VISIBLE_MOVE_S = 2

export interface Prepared {
  readonly field: Field
  readonly boot: number
  readonly pace: Pace
  /** Whether there was no snapshot: the company starts for the first time. */
  readonly isFirst: boolean
}

/** Restores a field from a snapshot, or returns why it does not fit: it can be from another version. */
function tryRestore(field: Field, snapshot: TwinSnapshot): string | undefined {
  try {
    restoreSnapshot(snapshot, field)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/**
 * The field of a scenario, from the snapshot at `path` if it fits, otherwise warmed up. Boot numbers never repeat, even if the
 * snapshot was lost.
 */
export function prepareField(
  scenario: Scenario,
  path: string,
  timeFactor: number,
  nowMs: number,
  reportProblem: (problem: string) => void,
): Prepared {
  const saved = readSnapshotFile(path, scenario)
  if (saved.kind === 'unusable') reportProblem(`${path} is not used: ${saved.reason}`)
  const boot = saved.kind === 'snapshot' ? saved.snapshot.boot + 1 : Math.floor(nowMs / 1000)
  const pace = { minMoveS: VISIBLE_MOVE_S * timeFactor }
  const create = (warmUp: 'warm-up' | 'cold') => createField(scenario, { boot, nowMs, pace, warmUp })
  let field = create(saved.kind === 'snapshot' ? 'cold' : 'warm-up')
  if (saved.kind === 'snapshot') {
    const problem = tryRestore(field, saved.snapshot)
    if (problem !== undefined) {
      reportProblem(`${path} is not used: ${problem}`)
      field = create('warm-up')
    }
  }
  for (const gateway of field.gateways) rebootGateway(gateway, boot)
  // Computes the derived values (flows, temperatures at nodes) before anything reads them.
  stepPlant(field.plant, 1)
  return { field, boot, pace, isFirst: saved.kind === 'none' }
}
