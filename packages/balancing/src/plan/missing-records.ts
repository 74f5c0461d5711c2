import type { FlowKnowledge, LoopRecords, SeenLoop } from '../records/loop-records.ts'

/**
 * Records or readings that would identify a loop better: floor areas, plates of valves with their Kvs, pipes from the
 * station to the buildings, flow meters, and pressures behind the exchanger and at buildings.
 */
export type MissingKind = 'areas' | 'plates' | 'pipes' | 'meters' | 'pressures'

export interface MissingRecord {
  readonly kind: MissingKind
  /** Number of consumers without it, of all; without numbers it is measured nowhere. */
  readonly missing?: number
  readonly consumers?: number
}

/** What would help to identify a loop, the most certain help first. */
export function listMissing(
  { assumed }: Pick<LoopRecords, 'assumed'>,
  { meterKgS }: Pick<SeenLoop, 'meterKgS'>,
  flows: FlowKnowledge,
): readonly MissingRecord[] {
  const consumers = meterKgS.length
  const count = (kind: MissingKind, missing: number): MissingRecord[] =>
    missing === 0 ? [] : [{ kind, missing, consumers }]
  const marked = (marks: Uint8Array | undefined): number => marks?.filter((mark) => mark === 1).length ?? 0
  const unmetered = flows === 'metered' ? meterKgS.filter((flow) => !(flow >= 0)).length : consumers
  return [
    ...count('areas', marked(assumed?.areas)),
    ...count('plates', marked(assumed?.plates)),
    ...count('pipes', marked(assumed?.pipes)),
    ...count('meters', unmetered),
    // Only the station's head is measured, so the loss of its exchanger is assumed.
    { kind: 'pressures' },
  ]
}
