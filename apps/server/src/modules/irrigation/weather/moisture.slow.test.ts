import { HOUR_MS } from '@isotherm/kernel/durations'
import { expect, test } from 'vitest'
import { useSourceOfTwoGroups } from '../irrigation-runs.testkit.ts'

const field = useSourceOfTwoGroups()
const { now, lastRun, addProgram } = field

/** The first group gets no water from 30 % of moisture on. */
async function setWet(): Promise<void> {
  const [group] = (await now()).groups
  if (!group) throw new Error('no group')
  const { id, version, name, mode } = group
  const valves = group.valves.map(({ deviceId, flowM3H, maxS }) => ({ deviceId, flowM3H, maxS }))
  const settings = { name, mode, valves, wetPct: 30 }
  await field.bench.settings.setGroup(field.bench.call(), {
    sourceId: field.source.id,
    id,
    version,
    settings,
  })
}

test('wet soil stops its group while the probe reports; a probe that died wet does not, and the page says so', async () => {
  await setWet()
  field.bench.note('C1V1', 'soil.moisture', 40)
  await addProgram(1, 20)
  await field.bench.pass(150, 10)
  expect(await lastRun()).toMatchObject({ conflicts: [{ kind: 'moist' }], steps: [{ state: 'closed' }] })
  expect((await now()).groups).toMatchObject([{ moisturePct: 40, silentProbes: [] }, { silentProbes: [] }])

  await field.bench.pass((7 * HOUR_MS) / 1000, HOUR_MS / 1000, false)
  const [group] = (await now()).groups
  expect(group?.moisturePct).toBeUndefined()
  expect(group?.silentProbes).toEqual([field.bench.idOf('C1V1')])
  await addProgram(2, 20)
  await field.bench.pass(240, 10)
  expect(await lastRun()).toMatchObject({ conflicts: [], steps: [{ state: 'closed' }, { state: 'closed' }] })
})
