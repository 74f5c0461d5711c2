import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getWeather } from '@isotherm/contract/endpoints/monitoring/weather'
import { ROOT_KEY } from '@isotherm/contract/tree'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reportOnce } from '../../testing/connect-gateway.testkit.ts'
import { createRegistry, importAndWait } from '../../testing/core.testkit.ts'
import { placeOnMap } from '../../testing/placed-things.testkit.ts'
import { startTestServer, type TestServer, type Tokens } from '../../testing/server.testkit.ts'

let folder: string
let server: TestServer
let desk: Tokens

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weather-'))
  const url = `file://${folder}/{tenant}/../{latitude},{longitude}.json`
  server = await startTestServer({ settings: { ISOTHERM_FORECAST_URL: url } })
  await server.createAccount('desk', ['pr-rtreal'], ['b2'])
  desk = await server.logIn('desk')
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true })
})

const read = async (token = desk['ht-api']) =>
  getWeather.output.parse((await server.call(getWeather, { nodes: [ROOT_KEY] }, token)).data)

test('a user who sees a building sees the weather of its company: the median of trusted sensors', async () => {
  expect(await read()).toMatchObject({ outdoorC: null, sensors: 0, measured: [] })
  await reportOnce(server, 'C-b2', { 'C-b2': { 'temp.outdoor': -3.5 } })
  await reportOnce(server, 'C-b10', { 'C-b10': { 'temp.outdoor': -4.5 } })
  // A sensor that shows what no weather has.
  await reportOnce(server, 'C-b3', { 'C-b3': { 'temp.outdoor': 400 } })
  await expect
    .poll(() => read())
    .toMatchObject({ outdoorC: -4, sensors: 2, measured: [{ outdoorC: expect.toBeOneOf([-3.5, -4.5]) }] })
})

test('the forecast is that of the middle of the company, from the present hour on', async () => {
  expect((await read()).forecast).toEqual({ state: 'no-place' })
  await placeOnMap(server, ['b2', 'b10'])
  const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
  const hours = [-2, 0, 1, 71, 80].map((each) => hour + each * HOUR_MS)
  const hourly = { time: hours.map((at) => at / 1000), temperature_2m: hours.map((_, index) => -index) }
  await writeFile(join(folder, '39.90,116.40.json'), JSON.stringify({ hourly }))
  expect((await read()).forecast).toMatchObject({
    state: 'known',
    values: [
      { at: hours[1], outdoorC: -1 },
      { at: hours[2], outdoorC: -2 },
      { at: hours[3], outdoorC: -3 },
    ],
  })
  const foreign = await server.call(getWeather, { nodes: [await server.nodeKey('b3')] }, desk['ht-api'])
  expect(foreign.code).toBe('node.not-found')
})

test('two companies have no common forecast', async () => {
  const registry = createRegistry('other')
  const devices = registry.devices.map((device) => ({
    ...device,
    serial: `O${device.serial}`,
    concentrator: device.concentrator === null ? null : `O${device.concentrator}`,
  }))
  await importAndWait(server, { ...registry, devices })
  await server.createAccount('provider', ['pe-fmreal'], [], 'provider')
  const provider = await server.logIn('provider')
  expect((await read(provider['ht-api'])).forecast).toEqual({ state: 'several-companies' })
})
