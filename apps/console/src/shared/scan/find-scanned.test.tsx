import type { Device } from '@isotherm/contract/devices'
import { getDevs } from '@isotherm/contract/endpoints/devices/devices'
import { expect, test } from 'vitest'
import { type FakeApi, startFakeApi } from '../testing/fake-api.testkit.ts'
import { findScanned } from './find-scanned.ts'
import type { DeviceNumbers } from './read-code.ts'
import { mounted } from './scan.testkit.ts'

const meter: Device = { ...mounted, id: 2, imei: 'M-2', kind: 'heat-meter', meterNo: '1001' }
/** Its serial is the meter number of another device. */
const valve: Device = { ...mounted, id: 3, imei: '1001', meterNo: undefined }

function startApi(devices: readonly Device[]): FakeApi {
  const api = startFakeApi()
  api.decide(getDevs, ({ text = '' }) => {
    if (text.length < 3) return { refusal: { code: 'filter.too-wide', text: '条件太宽' } }
    const list = devices.filter(({ imei, meterNo }) => imei.includes(text) || meterNo === text)
    return { data: { list, total: list.length } }
  })
  return api
}

const find = async (numbers: DeviceNumbers) => (await findScanned({ kind: 'numbers', numbers }))?.id

test.each<readonly [string, readonly Device[], DeviceNumbers, number | undefined]>([
  ['a meter number before the same serial', [valve, meter], { meterNo: '1001' }, 2],
  ['a serial before the same meter number', [meter, valve], { serial: '1001' }, 3],
  ['the only number, though it is of another kind', [meter], { serial: '1001' }, 2],
  ['the meter number beside a serial', [valve, meter], { serial: 'X-99', meterNo: '1001' }, 2],
  ['no meter number of another device as serial', [meter], { serial: '1001', meterNo: '2002' }, undefined],
  ['a number after one that is too short', [meter], { serial: '7', meterNo: '1001' }, 2],
])('%s is found', async (_what, devices, numbers, expected) => {
  startApi(devices)
  expect(await find(numbers)).toBe(expected)
})

test('a code with nothing but too short numbers says so', async () => {
  startApi([meter])
  await expect(find({ serial: '7', meterNo: '10' })).rejects.toMatchObject({ code: 'filter.too-wide' })
})
