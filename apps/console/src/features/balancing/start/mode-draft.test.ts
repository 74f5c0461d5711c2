import { describe, expect, test } from 'vitest'
import { findMode, listKinds, startDraft } from './mode-draft.ts'

describe('the form of a new balance', () => {
  test('starts with the present heat load, or the default if unknown', () => {
    expect(startDraft('energy', 27.44).heatWM2).toBe(27.4)
    expect(startDraft('energy', undefined).heatWM2).toBe(30)
    expect(startDraft('energy', 0).heatWM2).toBe(30)
  })

  test('returns a mode of its kind without fields of other kinds', () => {
    const draft = startDraft('temperature', 27)
    expect(findMode({ ...draft, target: 'room' })).toEqual({ kind: 'temperature', target: 'room' })
    expect(findMode({ ...draft, kind: 'energy' })).toEqual({ kind: 'energy', heatWM2: 27 })
    expect(findMode({ ...draft, kind: 'flow', flowKgHM2: 2.5 })).toEqual({ kind: 'flow', flowKgHM2: 2.5 })
  })

  test('uses the proportional loop only for equal return temperatures', () => {
    const draft = { ...startDraft('temperature', 27), method: 'proportional' } as const
    expect(findMode(draft)).toEqual({ kind: 'temperature', target: 'return', method: 'proportional' })
    expect(findMode({ ...draft, target: 'room' })).toEqual({ kind: 'temperature', target: 'room' })
    expect(findMode({ ...draft, kind: 'flow' })).toEqual({ kind: 'flow' })
  })

  test('leaves the pump alone in any mode on request', () => {
    const draft = { ...startDraft('temperature', 27), keepsPump: true }
    for (const kind of ['temperature', 'energy', 'flow'] as const)
      expect(findMode({ ...draft, kind })).toMatchObject({ kind, pump: 'keep' })
  })

  test('without a flow the shares follow the areas; without a heat load within its bounds there is no mode', () => {
    const draft = startDraft('flow', undefined)
    expect(findMode(draft)).toEqual({ kind: 'flow' })
    expect(findMode({ ...draft, flowKgHM2: 25 })).toBeUndefined()
    expect(findMode({ ...draft, kind: 'energy', heatWM2: null })).toBeUndefined()
    expect(findMode({ ...draft, kind: 'energy', heatWM2: 300 })).toBeUndefined()
  })
})

test('a user without control permission is offered no kind, others the kinds of their permitted pages', () => {
  expect(listKinds(new Set(['pe-egmonitor', 'pe-enmonitor']))).toEqual([])
  expect(listKinds(new Set(['pe-fmcontrol', 'pe-egmonitor', 'pe-flowmonitor']))).toEqual([
    'temperature',
    'flow',
  ])
})
