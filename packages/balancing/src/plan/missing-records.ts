import type { FlowKnowledge, LoopReadings, LoopRecords } from '../records/loop-records.ts'

/**
 * What would help a refused plan: wider limits of valves that the plan would open or close further; records or readings
 * that identify the loop better, which are floor areas, plates of valves with their Kvs, pipes from the station to the
 * buildings, flow meters, and pressures behind the exchanger and at buildings; and readings at other openings.
 */
export type MissingKind = 'limits' | 'areas' | 'plates' | 'pipes' | 'meters' | 'pressures' | 'snapshots'

export interface MissingRecord {
  readonly kind: MissingKind
  /** Number of consumers without it, or stopped by limits, and of all consumers. Absent for what is not counted by consumer: pressures and
   * snapshots. */
  readonly missing?: number
  readonly consumers?: number
}

/**
 * What would help, the most certain help first; `limited` valves stop at their limits. Pressures help unless consumers
 * already measure them: otherwise the loss of the station's exchanger is assumed. Where everything is recorded and
 * measured, another operating point separates mains, circuits and valves.
 */
export function listMissing(
  { assumed }: Pick<LoopRecords, 'assumed'>,
  { meterKgS }: Pick<LoopReadings, 'meterKgS'>,
  flows: FlowKnowledge,
  limited = 0,
): readonly MissingRecord[] {
  const consumers = meterKgS.length
  const count = (kind: MissingKind, missing: number): MissingRecord[] =>
    missing === 0 ? [] : [{ kind, missing, consumers }]
  const marked = (marks: Uint8Array | undefined): number => marks?.filter((mark) => mark === 1).length ?? 0
  const unmetered = flows === 'metered' ? meterKgS.filter((flow) => !(flow >= 0)).length : consumers
  const records = [
    ...count('limits', limited),
    ...count('areas', marked(assumed?.areas)),
    ...count('plates', marked(assumed?.plates)),
    ...count('pipes', marked(assumed?.pipes)),
    ...count('meters', unmetered),
    ...(assumed?.pressures === false ? [] : [{ kind: 'pressures' } as const]),
  ]
  return records.length > 0 ? records : [{ kind: 'snapshots' }]
}
