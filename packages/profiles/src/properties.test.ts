import { deviceProfile } from '@isotherm/contract/device-profile'
import { gatewayConfig } from '@isotherm/contract/gateway-config'
import { expect, test } from 'vitest'
import { decodeByProfile, decodeProperties } from './decode-by-profile.ts'
import { encodeCommand, encodePropertyCommand } from './encode-by-profile.ts'
import { resolveGatewayConfig } from './resolve-gateway-config.ts'

const profile = deviceProfile.parse({
  v: 1,
  id: 'meter-and-valve',
  name: { zh: '表阀', en: 'Meter and valve' },
  kind: 'valve',
  pollPeriodS: 3_600,
  bus: {
    driver: 'properties',
    readings: [
      { metric: 'valve.opening', property: 'Valve.isOpen', scale: 100, unit: '%' },
      { metric: 'temp.supply', property: 'Meter.t1', scale: 0.1, unit: '°C' },
      { metric: 'heat.energy', property: 'Meter.energy', unit: 'GJ' },
    ],
    commands: {
      opening: { service: 'Valve', command: 'set', parameter: 'share', scale: 0.5, offset: 10, unit: '%' },
    },
  },
})
const inTenths = deviceProfile.parse({
  ...profile,
  bus: { ...profile.bus, commands: { opening: { parameter: 'share', scale: 0.1, unit: '%' } } },
})
const decode = (values: object) => decodeProperties(profile, new Map(Object.entries(values)))

test('reads numbers, digits and truth values in the units of the metrics', () => {
  expect(decode({ 'Valve.isOpen': true, 'Meter.t1': '485', 'Meter.energy': 3.6, other: 1 })).toMatchObject({
    kind: 'readings',
    readings: [
      { metric: 'valve.opening', value: 100, quality: 0 },
      { metric: 'temp.supply', value: 48.5, quality: 0 },
      { metric: 'heat.energy', value: 1_000, quality: 0 },
    ],
    missing: [],
  })
})

test('lists metrics whose property is absent or is no number', () => {
  expect(decode({ 'Valve.isOpen': 'open', 'Meter.t1': 485 })).toMatchObject({
    readings: [{ metric: 'temp.supply', value: 48.5 }],
    missing: [
      { metric: 'valve.opening', reason: 'absent' },
      { metric: 'heat.energy', reason: 'not-in-frame' },
    ],
  })
  expect(decode({ other: 1 })).toEqual({ kind: 'no-readings', reason: 'other-data' })
  expect(decodeByProfile(profile, Uint8Array.of(1)).kind).toBe('other-protocol')
})

test('a command has the names of the product model, and no bytes', () => {
  const write = { service: 'Valve', command: 'set', parameter: 'share', value: 70 }
  expect(encodePropertyCommand(profile, 'opening', 45)).toEqual(write)
  expect(encodePropertyCommand(profile, 'head', 45)).toBeUndefined()
  // A quotient of floating-point numbers is not 483.99999999999994.
  expect(encodePropertyCommand(inTenths, 'opening', 48.4)).toMatchObject({ value: 484 })
  expect(encodeCommand(profile, { address: '1', sequence: 0 }, 'opening', 45)).toBeUndefined()
})

test('a line of a platform refuses profiles of other drivers, and two meters on one module', () => {
  const platform = { kind: 'iotda', url: 'https://a', projectId: 'p', accessKey: 'a', secretKey: 's' }
  const base = { driver: 'northbound-http', pushToken: 'push-token-0000001', platform }
  const device = { platformId: 'P1', address: '00001112345678', profile: 'heat-meter-cjt188' }
  const faultsOf = (...devices: object[]) =>
    resolveGatewayConfig(
      gatewayConfig.parse({
        v: 1,
        push: { port: 1 },
        profiles: [profile],
        lines: [{ ...base, id: 'N1', devices }],
      }),
    ).faults.map(({ serial, reason }) => `${serial} ${reason}`)
  const meter = { ...device, serial: 'M1' }
  expect(
    faultsOf(
      meter,
      { ...device, serial: 'V1', profile: 'valve-on-off-cjt188' },
      { ...device, serial: 'M2', platformId: 'P2' },
      { ...device, serial: 'V2', platformId: 'P3', address: '1', profile: 'meter-and-valve' },
    ),
  ).toEqual([])
  expect(
    faultsOf(
      meter,
      { ...device, serial: 'M2' },
      { ...device, serial: 'V1', address: '5', profile: 'valve-modulating-modbus' },
    ),
  ).toEqual(['M2 same-address', 'V1 wrong-driver'])
})
