import { encodeCjtRead, toCjtAddress } from '@isotherm/codecs/cjt188/encode'
import { encodeRspUd } from '@isotherm/codecs/mbus/encode'
import { gatewayConfig } from '@isotherm/contract/gateway-config'
import { resolveGatewayConfig } from '@isotherm/profiles/resolve-gateway-config'
import { expect, test } from 'vitest'
import { createRadioLine } from './radio-line.ts'
import { simulateCjtMeter } from './simulated-devices.testkit.ts'

/** A line whose devices are all behind one module; `report` takes a payload and returns who got a reading of energy. */
function openModule(profile: string, addresses: Readonly<Record<string, string>>) {
  const devices = Object.entries(addresses).map(([serial, address]) => ({
    platformId: 'P1',
    serial,
    address,
    profile,
  }))
  const platform = { kind: 'iotda', url: 'https://a', projectId: 'p', accessKey: 'a', secretKey: 's' }
  const base = { driver: 'northbound-http', id: 'N1', pushToken: 'push-token-0000001', platform }
  const config = gatewayConfig.parse({ v: 1, push: { port: 1 }, lines: [{ ...base, devices }] })
  const { lines, faults } = resolveGatewayConfig(config)
  const [resolved] = lines
  if (resolved === undefined || faults.length > 0) throw new Error('the configuration has faults')
  const got: string[] = []
  const line = createRadioLine(resolved, {
    meterZoneMin: 480,
    firstTimeOutMs: 1_000,
    now: () => 0,
    findMark: () => undefined,
    onUnknownDevice: () => undefined,
    onReadings: (children) => {
      got.push(...children.flatMap(({ id, m }) => ('heat.energy' in m ? [id] : [])))
    },
  })
  let sequence = 0
  return (...frames: (Uint8Array | undefined)[]): readonly string[] => {
    got.length = 0
    const data = Buffer.concat(frames.map((frame) => frame ?? new Uint8Array()))
    sequence++
    line.reported({
      address: 'P1',
      key: `${sequence}`,
      content: { data },
      at: sequence,
      sequence,
      rssi: undefined,
    })
    return got
  }
}

function readCjt(text: string): Uint8Array | undefined {
  const address = toCjtAddress(text)
  if (address === undefined) throw new Error('no address')
  const request = encodeCjtRead({ address, type: 0x20, order: 'big', sequence: 1 }, 0x901f)
  return simulateCjtMeter(text).answer(request)
}

test('of two CJ/T 188 meters behind one module each gets its own readings only', () => {
  const report = openModule('heat-meter-cjt188', { M1: '00001112345678', M2: '0000111234567a' })
  expect(report(readCjt('00001112345678'))).toEqual(['M1'])
  expect(report(readCjt('0000111234567A'))).toEqual(['M2'])
  expect(report(readCjt('00001112345678'), readCjt('0000111234567A'))).toEqual(['M1', 'M2'])
  expect(report(readCjt('00009999999999'))).toEqual([])
})

const replyMbus = (id: string): Uint8Array | undefined =>
  encodeRspUd(1, { id, manufacturer: 'KAM', version: 1, medium: 4 }, 1, [{ vib: [0x06], bytes: 4, whole: 7 }])

test('of two M-Bus meters behind one module each gets its own readings only', () => {
  const report = openModule('heat-meter-mbus', { M1: '12345678', M2: '12345679' })
  expect(report(replyMbus('12345678'))).toEqual(['M1'])
  expect(report(replyMbus('12345678'), replyMbus('12345679'))).toEqual(['M1', 'M2'])
  expect(report(replyMbus('99999999'))).toEqual([])
})
