import { type Device, device } from '@isotherm/contract/devices'
import type { EndpointName } from '@isotherm/contract/endpoints/all'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { readLoop } from '../loop/loop-place.ts'
import { recordsOf } from '../loop/records.ts'
import { type MeasuredStation, startMeasuredStation } from './measured-station.testkit.ts'

let server: MeasuredStation['server']
let call: MeasuredStation['call']

beforeAll(async () => {
  ;({ server, call } = await startMeasuredStation())
})
afterAll(() => server.stop())

async function callOk(name: EndpointName, input: unknown): Promise<unknown> {
  const { code, text, data } = await call(name, input)
  if (code !== undefined) throw new Error(`${name}: ${code} ${text}`)
  return data
}
async function read(serial: string): Promise<Device> {
  const filter = [{ field: 'imei', cond: 'eq', vstd: serial }]
  const found = z
    .object({ datalist: z.array(device).length(1) })
    .parse(await callOk('getDev', { filter, limiter: { page: 1, size: 1 } }))
  const [first] = found.datalist
  if (!first) throw new Error(`there is no ${serial}`)
  return first
}

const readRecords = async () => {
  const loop = await readLoop(server.db, { stationPath: await server.pathOf('s1'), nodeName: '一号站' })
  const { loop: model, curves, assumed } = recordsOf(loop)
  return new Map(
    loop.consumers.map(({ deviceName }, index) => [
      deviceName,
      { valve: model.valves[index], source: curves?.[index], isPlateAssumed: assumed?.plates[index] === 1 },
    ]),
  )
}

test('a stated curve is preferred to one from the name plate, which is preferred to the usual one', async () => {
  const model = 'DN32 Kvs16 球阀'
  await server.db.insertInto('device_model').values({ kind: 'valve', name: model }).execute()
  await server.db
    .updateTable('device')
    .set({ model })
    .where('serial', 'in', ['V-b2u1', 'V-b2u2', 'V-b10u1'])
    .execute()
  const points = [
    { openingPct: 0, kvM3H: 0.1 },
    { openingPct: 50, kvM3H: 3 },
    { openingPct: 100, kvM3H: 9 },
  ]
  const stated = {
    'V-b2u1': { kind: 'linear', kvsM3H: 12 },
    'V-b2u2': { kind: 'measured', points },
  }
  for (const [serial, characteristic] of Object.entries(stated)) {
    const { id, version } = await read(serial)
    await callOk('updateDev', { id, version, characteristic })
  }
  const records = await readRecords()
  expect(records.get('V-b2u1')).toEqual({
    valve: { kind: 'linear', kvs: 12 },
    source: 'stated',
    isPlateAssumed: false,
  })
  expect(records.get('V-b2u2')).toMatchObject({
    valve: { kind: 'learned', kvs: 9, points: [0.1, 3, 9] },
    source: 'stated',
  })
  expect(records.get('V-b10u1')).toMatchObject({
    valve: { kind: 'quick-opening', kvs: 16 },
    source: 'plate',
  })
  expect(records.get('V-b10u2')).toMatchObject({
    valve: { kind: 'equal-percentage', rangeability: 40 },
    source: 'assumed',
  })
})

test('the console and the loop name the same source for every valve', async () => {
  for (const [name, { valve, source }] of await readRecords()) {
    const { curve } = await read(name)
    expect(curve?.source, name).toBe(source)
    expect(curve?.kind === 'measured' ? 'learned' : curve?.kind, name).toBe(valve?.kind)
  }
})
