import { quality } from '@isotherm/contract/metrics'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { expect, test } from 'vitest'
import { sourceSettings } from '../irrigation-runs.testkit.ts'
import { useSourceWithSensors } from './sensors.testkit.ts'

const field = useSourceWithSensors()
const { idOf, attach, changeGroup, now, lastRun, listFaultNames, addProgram } = field

test('the controller no longer counts where a flow meter is attached', async () => {
  await attach({ stationId: field.bench.stationId, meterId: idOf('M1') })
  field.bench.house.leakM3H = 2
  await field.bench.pass(120)
  expect(await listFaultNames()).not.toContain('irrigation-leak')
  expect((await now()).ownSensors).toEqual([
    { setting: 'meterId', deviceId: idOf('M1'), deviceName: 'M1', isSilent: true },
  ])
})

test('water of a source with a flow meter is no leak of the other at its controller', async () => {
  const { bench } = field
  await attach({ stationId: bench.stationId })
  const { node } = await now()
  const shared = { ...sourceSettings, name: '二号', stationId: bench.stationId, meterId: idOf('F1') }
  const other = await bench.settings.setSource(bench.call(), { node, settings: shared })
  const valves = [{ deviceId: bench.idOf('C1V6'), flowM3H: 6, maxS: 1_800 }]
  const settings = { name: '三组', mode: 'parallel' as const, valves }
  await bench.settings.setGroup(bench.call(), { sourceId: other.id, settings })
  Object.assign(bench.valves.get('C1V6') ?? {}, { openingPct: 100 })
  await bench.pass(200)
  expect((await now()).leak).toBeUndefined()
  Object.assign(bench.valves.get('C1V6') ?? {}, { openingPct: 0 })
  bench.house.leakM3H = 2
  await bench.pass(200)
  expect((await now()).leak).toBeDefined()
})

test('a source without a controller counts its water by its flow meter', async () => {
  await attach({ meterId: idOf('F1') })
  field.bench.house.brokenM3H = 8
  await field.bench.irrigation.start(field.bench.call(), { groupId: field.groupIds[0] ?? 0, runS: 60 })
  await field.bench.pass(100)
  const run = await lastRun()
  expect(run?.steps).toMatchObject([{ state: 'closed', finding: 'line-break' }])
})

test('a pump is stopped by the pressure before it, measured by a sensor of its own', async () => {
  await attach({ inletId: idOf('K1'), minInletKpa: 10 })
  field.bench.house.inletKpa = 5
  await field.bench.irrigation.start(field.bench.call(), { groupId: field.groupIds[0] ?? 0, runS: 300 })
  await field.bench.pass(150)
  expect(await now()).toMatchObject({ halt: { reason: 'dry-run' }, inletKpa: 5 })
})

test('wet soil at the probe of a group stops it whatever its valves say, and a probe that died wet does not', async () => {
  await changeGroup({ wetPct: 30, probeIds: [idOf('M1')] })
  field.bench.note('C1V1', 'soil.moisture', 10)
  field.bench.note('M1', 'soil.moisture', 40)
  await addProgram(1, 20)
  await field.bench.pass(150, 10)
  expect(await lastRun()).toMatchObject({ conflicts: [{ kind: 'moist' }] })
  const [group] = (await now()).groups
  expect(group).toMatchObject({
    moisturePct: 40,
    silentProbes: [],
    probes: [{ deviceId: idOf('M1'), deviceName: 'M1' }],
  })

  await field.bench.pass((7 * HOUR_MS) / 1000, HOUR_MS / 1000, false)
  expect((await now()).groups[0]).toMatchObject({ silentProbes: [idOf('M1')] })
  await addProgram(2, 20)
  await field.bench.pass(240, 10)
  expect(await lastRun()).toMatchObject({ conflicts: [], steps: [{ state: 'closed' }, { state: 'closed' }] })
})

test('values of a broken sensor neither set a leak nor stop a pump nor judge a flow, and good ones do again', async () => {
  const { bench, groupIds } = field
  const { house } = bench
  await attach({ stationId: bench.stationId, meterId: idOf('F1'), inletId: idOf('K1'), minInletKpa: 10 })
  const water = (runS: number) => bench.irrigation.start(bench.call(), { groupId: groupIds[0] ?? 0, runS })
  for (const bits of [quality.sensorFault, quality.outOfRange, quality.implausible, quality.stale]) {
    Object.assign(house, { quality: bits, leakM3H: 2 })
    await bench.pass(100)
    const { leak, flowM3H } = await now()
    expect({ leak, flowM3H }).toEqual({ leak: undefined, flowM3H: undefined })
    Object.assign(house, { leakM3H: 0, brokenM3H: 30, inletKpa: 5 })
    await water(100)
    await bench.pass(150)
    expect((await now()).halt).toBeUndefined()
    expect((await lastRun())?.steps).toMatchObject([{ state: 'closed' }])
    expect((await lastRun())?.steps[0]?.finding).toBeUndefined()
    Object.assign(house, { brokenM3H: 0, inletKpa: 50 })
  }
  Object.assign(house, { quality: quality.clockCorrected, leakM3H: 2 })
  await bench.pass(100)
  expect((await now()).leak).toBeDefined()
  Object.assign(house, { leakM3H: 0, inletKpa: 5 })
  await water(300)
  await bench.pass(150)
  expect((await now()).halt).toBeDefined()
})

test('two values with hours of untrusted ones between them make no leak, and one of a restarted server neither', async () => {
  const { bench } = field
  await attach({ meterId: idOf('F1'), leakS: 60 })
  // What was open before is closed for long enough.
  await bench.pass(60)
  bench.house.leakM3H = 2
  await bench.pass(40)
  bench.house.quality = quality.sensorFault
  await bench.pass((2 * HOUR_MS) / 1000, 600)
  bench.house.quality = 0
  await bench.pass(40)
  expect((await now()).leak).toBeUndefined()
  await bench.pass((2 * HOUR_MS) / 1000, 600, false)
  await bench.restart()
  await bench.pass(40)
  expect((await now()).leak).toBeUndefined()
  await bench.pass(40)
  expect((await now()).leak).toBeDefined()
})

test('a protection whose meter or pressure sensor falls silent or fails is a fault until values come back', async () => {
  const { bench } = field
  const { stationId } = bench
  const what = 'irrigation-unmeasured'
  /** Faults of an hour later, while only some devices report. */
  const listAfterHour = async (isReporting: boolean) => {
    await bench.pass(HOUR_MS / 1000 + 10, HOUR_MS / 1000 + 10, false)
    if (!isReporting) bench.clock.shiftMs += HOUR_MS + 10_000
    return listFaultNames()
  }
  // Nothing measures here, so nothing is lost; a controller without a meter loses nothing either.
  await attach({})
  expect(await listAfterHour(false)).toEqual([])
  for (const settings of [{ stationId }, { meterId: idOf('F1') }]) {
    await attach(settings)
    await bench.pass(5)
    expect(await listAfterHour(true)).toEqual([])
    expect(await listAfterHour(false)).toEqual([what])
    await bench.pass(5)
    expect(await listFaultNames()).toEqual([])
  }
  // The pressure is watched only with a least one.
  await attach({ inletId: idOf('K1') })
  expect(await listAfterHour(false)).toEqual([])
  await attach({ inletId: idOf('K1'), minInletKpa: 10 })
  expect(await listFaultNames()).toEqual([what])
  await bench.pass(5)
  expect(await listFaultNames()).toEqual([])
  // A sensor with faults measures nothing, and one that never reported does not either.
  bench.house.quality = quality.sensorFault
  await bench.pass(5)
  expect(await listFaultNames()).toEqual([what])
  bench.house.quality = 0
  await bench.pass(5)
  await attach({ meterId: idOf('M2') })
  expect(await listFaultNames()).toEqual([what])
})
