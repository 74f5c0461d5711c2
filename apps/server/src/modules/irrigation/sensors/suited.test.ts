import { partOfSetting } from '@isotherm/contract/irrigation'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestOperation } from '../../../platform/operation/operation.testkit.ts'
import { useSourceWithSensors } from './sensors.testkit.ts'
import { watchSensors } from './watch-sensors.ts'

const field = useSourceWithSensors()
const { idOf, attach, changeGroup, now } = field

let stop = () => {}
beforeAll(() => {
  stop = watchSensors(field.bench.registry)
})
afterAll(() => stop())

/** The device as the registry locks it, for a change. */
async function toItem(serial: string) {
  const { id, version } = await field.bench.db
    .selectFrom('device')
    .select(['id', 'version'])
    .where('serial', '=', serial)
    .executeTakeFirstOrThrow()
  return { id, version }
}
/** A call of somebody who manages the registry. */
const manage = () => ({ ...field.bench.call(), operation: createTestOperation({ account: 'keeper' }) })

/** A profile of a sensor that reports one metric. */
const toProfile = (id: string, metric: string) => ({
  v: 1,
  id,
  name: { zh: '水表', en: 'Meter' },
  kind: 'sensor',
  pollPeriodS: 900,
  checks: [],
  bus: { driver: 'properties', readings: [{ metric, property: 'x', scale: 1, offset: 0, unit: 'm³' }] },
})

test('a sensor is offered and attached only for what its profile reports, and for anything without a profile', async () => {
  const { db } = field.bench
  const describe = (metric: string) =>
    db
      .updateTable('device_profile')
      .set({ profile: JSON.stringify(toProfile('water-volume', metric)) })
      .where('key', '=', 'water-volume')
      .execute()
  await db
    .insertInto('device_profile')
    .values({
      key: 'water-volume',
      kind: 'sensor',
      profile: JSON.stringify(toProfile('water-volume', 'heat.volume')),
    })
    .execute()
  await db
    .insertInto('device_model')
    .values({ kind: 'sensor', name: 'volume', profile: 'water-volume' })
    .execute()
  await db.updateTable('device').set({ model: 'volume' }).where('serial', '=', 'M2').execute()
  const partsOf = async (serial: string) =>
    (await now()).sensors.find(({ deviceName }) => deviceName === serial)?.parts
  const unsuitedAs = (part: string) => ({
    code: 'irrigation.sensor-unsuited',
    params: { device: 'M2', part },
  })
  // A volume alone is no flow: neither a leak nor a dry pump could be found.
  expect([await partsOf('M2'), await partsOf('K1')]).toEqual([[], undefined])
  for (const [setting, part] of Object.entries(partOfSetting))
    await expect(attach({ [setting]: idOf('M2') })).rejects.toMatchObject(unsuitedAs(part))
  await expect(changeGroup({ probeIds: [idOf('M1'), idOf('M2')] })).rejects.toMatchObject(unsuitedAs('probe'))
  await describe('heat.flow')
  expect(await partsOf('M2')).toEqual(['meter'])
  await attach({ meterId: idOf('M2'), inletId: idOf('K1') })
  await expect(attach({ meterId: idOf('M2'), rainId: idOf('M2') })).rejects.toMatchObject(unsuitedAs('rain'))
  // One that was attached before its profile was known stays: the source can still be changed.
  await describe('heat.volume')
  await attach({ meterId: idOf('M2'), leakS: 90 })
  // The configuration of its gateway may read it by another profile: what it reports counts too.
  await attach({})
  field.bench.note('M2', 'pressure.supply', 300)
  expect(await partsOf('M2')).toEqual(['inlet', 'outlet'])
  await attach({ inletId: idOf('M2') })
  await db.updateTable('device').set({ model: 'p' }).where('serial', '=', 'M2').execute()
})

test('a sensor gets no model that does not report what it is there for, nor is it replaced by such a device', async () => {
  const { db, registry } = field.bench
  await attach({ meterId: idOf('F1') })
  await changeGroup({ probeIds: [idOf('M1')] })
  const name = 'rain-only'
  const profile = JSON.stringify(toProfile(name, 'rain.total'))
  await db
    .insertInto('device_profile')
    .values({ key: name, kind: 'sensor', profile })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await db
    .insertInto('device_model')
    .values({ kind: 'sensor', name, profile: name })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { id: rain } = await db
    .selectFrom('device_model')
    .select('id')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  for (const [serial, part] of [
    ['F1', 'meter'],
    ['M1', 'probe'],
  ] as const) {
    const unsuited = { code: 'irrigation.sensor-unsuited', params: { device: serial, part } }
    const replacement = { ...(await toItem(serial)), imei: `${serial}B`, modelId: rain }
    await expect(registry.replace(manage(), replacement)).rejects.toMatchObject(unsuited)
    const change = { modelId: rain }
    await expect(registry.changeOne(manage(), await toItem(serial), change)).rejects.toMatchObject(unsuited)
  }
  expect(await now()).toMatchObject({ meterId: idOf('F1') })
  // One that nothing has attached gets any model, and one that has it already keeps it.
  await registry.changeOne(manage(), await toItem('R1'), { modelId: rain })
  await attach({ rainId: idOf('R1') })
  await registry.changeOne(manage(), await toItem('R1'), { modelId: rain, periodS: 5 })
  await attach({})
  await db.updateTable('device').set({ model: 'p' }).where('serial', '=', 'R1').execute()
})
