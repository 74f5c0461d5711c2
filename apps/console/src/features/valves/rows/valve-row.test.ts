import { quality } from '@isotherm/contract/metrics'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { describe, expect, test } from 'vitest'
import { findPending, findTargetPct, toTrust } from './valve-row.ts'
import { NOW, sampleCommand, sampleDevice, sampleState } from './valve-samples.testkit.ts'

describe('trust', () => {
  test('a reading is live up to three report periods and stale after', () => {
    expect(toTrust(sampleDevice(), sampleState({ ts: NOW - 30_000 }), NOW)).toBe('live')
    expect(toTrust(sampleDevice(), sampleState({ ts: NOW - 30_001 }), NOW)).toBe('stale')
  })

  test('a device that never reported has the trust never', () => {
    expect(toTrust(sampleDevice(), undefined, NOW)).toBe('never')
  })

  test('absence outweighs age, and a silent device differs from one behind a silent concentrator', () => {
    expect(toTrust(sampleDevice(), sampleState({ absence: 'silent' }), NOW)).toBe('silent')
    const old = sampleState({ absence: 'unknown', ts: NOW - HOUR_MS })
    expect(toTrust(sampleDevice(), old, NOW)).toBe('unknown')
  })

  test('a faulty sensor makes a fresh reading doubtful, a corrected clock does not', () => {
    expect(toTrust(sampleDevice(), sampleState({ quality: quality.sensorFault }), NOW)).toBe('doubtful')
    expect(toTrust(sampleDevice(), sampleState({ quality: quality.clockCorrected }), NOW)).toBe('live')
  })
})

describe('target', () => {
  test('is that of the command under way, else that of the device', () => {
    const state = sampleState({ metrics: { 'valve.target': 35 } })
    expect(findTargetPct({ state, command: sampleCommand() })).toBe(60)
    expect(findTargetPct({ state, command: sampleCommand({ state: 'failed' }) })).toBe(35)
  })

  test('is unknown when the device reports none and its last command failed', () => {
    expect(
      findTargetPct({ state: sampleState(), command: sampleCommand({ state: 'failed' }) }),
    ).toBeUndefined()
  })
})

test('a command is pending until it ends', () => {
  expect(findPending(sampleCommand({ state: 'done' }))).toBeDefined()
  expect(findPending(sampleCommand({ state: 'confirmed' }))).toBeUndefined()
  expect(findPending(undefined)).toBeUndefined()
})
