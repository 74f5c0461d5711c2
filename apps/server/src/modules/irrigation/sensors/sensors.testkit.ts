import type { IrrigationGroupSettings, IrrigationSourceSettings } from '@isotherm/contract/irrigation'
import { afterAll, beforeAll } from 'vitest'
import { type SourceOfTwoGroups, sourceSettings, useSourceOfTwoGroups } from '../irrigation-runs.testkit.ts'
import { watchSensors } from './watch-sensors.ts'

export interface SourceWithSensors extends SourceOfTwoGroups {
  idOf(serial: string): number
  /** Changes the settings of the source. */
  attach(change: Partial<IrrigationSourceSettings>): Promise<void>
  /** Changes the settings of its first group. */
  changeGroup(change: Partial<IrrigationGroupSettings>): Promise<void>
  /** A device as the registry locks it, for a change. */
  toItem(serial: string): Promise<{ readonly id: number; readonly version: number }>
}

/**
 * Starts the bench for the tests of this file. Their source can have the sensors F1 (flow), K1 (pressure), R1, M1 and M2. The registry
 * is guarded as in a server.
 */
export function useSourceWithSensors(): SourceWithSensors {
  const field = useSourceOfTwoGroups()
  let stopWatching = () => {}
  beforeAll(() => {
    stopWatching = watchSensors(field.bench.registry)
  })
  afterAll(() => stopWatching())
  return Object.assign(field, {
    idOf: (serial: string) => field.bench.idOf(serial),
    async attach(change: Partial<IrrigationSourceSettings>) {
      const { id, version, node } = await field.now()
      const settings = { ...sourceSettings, leakS: 60, dryRunS: 60, ...change }
      field.source = await field.bench.settings.setSource(field.bench.call(), { id, version, node, settings })
    },
    async changeGroup(change: Partial<IrrigationGroupSettings>) {
      const [group] = (await field.now()).groups
      if (!group) throw new Error('no group')
      const { id, version, name, mode } = group
      const valves = group.valves.map(({ deviceId, flowM3H, maxS }) => ({ deviceId, flowM3H, maxS }))
      const settings = { name, mode, valves, ...change }
      const given = { sourceId: field.source.id, id, version, settings }
      await field.bench.settings.setGroup(field.bench.call(), given)
    },
    toItem: (serial: string) =>
      field.bench.db
        .selectFrom('device')
        .select(['id', 'version'])
        .where('serial', '=', serial)
        .executeTakeFirstOrThrow(),
  })
}
