import { partOfSetting } from '@isotherm/contract/irrigation'
import { expect, test } from 'vitest'
import { storeSensorModel } from '../../devices/profiles/sensor-model.testkit.ts'
import { useSourceWithSensors } from './sensors.testkit.ts'

const field = useSourceWithSensors()
const { idOf, attach, changeGroup, toItem, now } = field
/** The refusal of a device that does not report what a part needs. */
const unsuited = (device: string, part: string) => ({
  code: 'irrigation.sensor-unsuited',
  params: { device, part },
})

test('a sensor is offered and attached only for what its profile reports, and for anything without a profile', async () => {
  const { db } = field.bench
  await storeSensorModel(db, 'water-meter', 'heat.volume')
  await db.updateTable('device').set({ model: 'water-meter' }).where('serial', '=', 'M2').execute()
  const partsOf = async (serial: string) =>
    (await now()).sensors.find(({ deviceName }) => deviceName === serial)?.parts
  // A volume alone is no flow: neither a leak nor a dry pump could be found.
  expect([await partsOf('M2'), await partsOf('K1')]).toEqual([[], undefined])
  for (const [setting, part] of Object.entries(partOfSetting))
    await expect(attach({ [setting]: idOf('M2') })).rejects.toMatchObject(unsuited('M2', part))
  await expect(changeGroup({ probeIds: [idOf('M1'), idOf('M2')] })).rejects.toMatchObject(
    unsuited('M2', 'probe'),
  )
  await storeSensorModel(db, 'water-meter', 'heat.flow')
  expect(await partsOf('M2')).toEqual(['meter'])
  await attach({ meterId: idOf('M2'), inletId: idOf('K1') })
  await expect(attach({ meterId: idOf('M2'), rainId: idOf('M2') })).rejects.toMatchObject(
    unsuited('M2', 'rain'),
  )
  // One that was attached before its profile was known stays: the source can still be changed.
  await storeSensorModel(db, 'water-meter', 'heat.volume')
  await attach({ meterId: idOf('M2'), leakS: 90 })
  // The configuration of its gateway may read it by another profile: what it reports counts too.
  await attach({})
  field.bench.note('M2', 'pressure.supply', 300)
  expect(await partsOf('M2')).toEqual(['inlet', 'outlet'])
  await attach({ inletId: idOf('M2') })
  await db.updateTable('device').set({ model: 'p' }).where('serial', '=', 'M2').execute()
})

test('a sensor gets no model that does not report what it is there for, nor is it replaced by such a device', async () => {
  const { db, registry, call } = field.bench
  await attach({ meterId: idOf('F1') })
  await changeGroup({ probeIds: [idOf('M1')] })
  const rain = await storeSensorModel(db, 'rain-only', 'rain.total')
  for (const [serial, part] of [
    ['F1', 'meter'],
    ['M1', 'probe'],
  ] as const) {
    const refusal = unsuited(serial, part)
    const replacement = { ...(await toItem(serial)), imei: `${serial}B`, modelId: rain }
    await expect(registry.replace(call(), replacement)).rejects.toMatchObject(refusal)
    const change = { modelId: rain }
    await expect(registry.changeOne(call(), await toItem(serial), change)).rejects.toMatchObject(refusal)
  }
  expect(await now()).toMatchObject({ meterId: idOf('F1') })
  // One that nothing has attached gets any model, and one that has it already keeps it.
  await registry.changeOne(call(), await toItem('R1'), { modelId: rain })
  await attach({ rainId: idOf('R1') })
  await registry.changeOne(call(), await toItem('R1'), { modelId: rain, periodS: 5 })
  await attach({})
  await db.updateTable('device').set({ model: 'p' }).where('serial', '=', 'R1').execute()
})
