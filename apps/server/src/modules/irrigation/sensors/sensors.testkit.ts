import type { IrrigationGroupSettings, IrrigationSourceSettings } from '@isotherm/contract/irrigation'
import { type SourceOfTwoGroups, sourceSettings, useSourceOfTwoGroups } from '../irrigation-runs.testkit.ts'

export interface SourceWithSensors extends SourceOfTwoGroups {
  idOf(serial: string): number
  /** Changes the settings of the source. */
  attach(change: Partial<IrrigationSourceSettings>): Promise<void>
  /** Changes the settings of its first group. */
  changeGroup(change: Partial<IrrigationGroupSettings>): Promise<void>
}

/** Starts the bench for the tests of this file. Their source can have the sensors F1 (flow), K1 (pressure), R1, M1 and M2. */
export function useSourceWithSensors(): SourceWithSensors {
  const field = useSourceOfTwoGroups()
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
  })
}
