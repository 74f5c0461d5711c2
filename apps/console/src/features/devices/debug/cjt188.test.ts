import { expect, test } from 'vitest'
import { readMeterFrame } from './cjt188.ts'

// Made with the layout of CJ/T 188-2004: meter 00001112345678, identifier 901F.
const REQUEST = '68207856341211000001031F90016116'
const REPLY =
  '682078563412110000812E1F90010010000005563412000550120000172381000035509900002C254800103800214300000008010170190000D516'
const REFUSAL = '682078563412110000C1030100027416'

test('a request has the address of its meter', () => {
  expect(readMeterFrame(REQUEST)).toEqual({
    address: '00001112345678',
    function: 'read',
    isReply: false,
    isRefused: false,
    isSumRight: true,
    values: undefined,
  })
})

test('a reply has its values in the units of the metrics, also after wake-up bytes', () => {
  expect(readMeterFrame(`FEFE${REPLY.toLowerCase()}`)).toMatchObject({
    isReply: true,
    isSumRight: true,
    values: {
      energyKwh: 1234.56,
      powerKw: 12.5,
      flowM3h: 0.8123,
      volumeM3: 99.5,
      supplyC: 48.25,
      returnC: 38.1,
      hoursH: 4321,
    },
  })
})

test('an energy in GJ becomes kWh', () => {
  // The unit code 0x11 stands behind the energy.
  const inGj = REPLY.replace('5634120005', '5634120011')
  expect(readMeterFrame(inGj)?.values?.energyKwh).toBeCloseTo(342_933.33, 1)
})

test('a refusal and a damaged frame are known as such', () => {
  expect(readMeterFrame(REFUSAL)).toMatchObject({ isRefused: true, values: undefined })
  expect(readMeterFrame(REQUEST.replace('6116', '6216'))?.isSumRight).toBe(false)
})

test.each(['', '68', '0103000A0002E409', REQUEST.slice(0, -2)])('%s is no frame of CJ/T 188', (hex) => {
  expect(readMeterFrame(hex)).toBeUndefined()
})
