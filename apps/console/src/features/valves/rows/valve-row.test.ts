import { describe, expect, test } from 'vitest'
import { sampleCommand, sampleState } from '../../../shared/devices/valve-samples.testkit.ts'
import { findPending, findTargetPct } from './valve-row.ts'

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
