import { describe, expect, test } from 'vitest'
import { NOW, sampleCommand } from '../rows/valve-samples.testkit.ts'
import { mergeCommands, mergeLast, toSteps } from './command-progress.ts'

const shape = (command = sampleCommand()) => toSteps(command).map(({ state, status }) => `${state} ${status}`)

describe('line of steps', () => {
  test('of a queued command waits for it to be sent', () => {
    expect(shape()).toEqual([
      'queued reached',
      'sent awaited',
      'accepted ahead',
      'done ahead',
      'confirmed ahead',
    ])
  })

  test('shows the delivery only when it was reported', () => {
    const accepted = sampleCommand({
      state: 'accepted',
      reached: { queued: NOW, sent: NOW + 1, accepted: NOW + 3 },
    })
    expect(shape(accepted)).not.toContain('delivered reached')
    const delivered = sampleCommand({
      state: 'delivered',
      reached: { queued: NOW, sent: NOW + 1, delivered: NOW + 2 },
    })
    expect(shape(delivered)).toEqual([
      'queued reached',
      'sent reached',
      'delivered reached',
      'accepted awaited',
      'done ahead',
      'confirmed ahead',
    ])
  })

  test('of a confirmed command has every step behind it, with the instants', () => {
    const reached = { queued: NOW, sent: NOW + 1, accepted: NOW + 2, done: NOW + 3, confirmed: NOW + 4 }
    const steps = toSteps(sampleCommand({ state: 'confirmed', reached }))
    expect(steps.map((step) => step.at)).toEqual([NOW, NOW + 1, NOW + 2, NOW + 3, NOW + 4])
    expect(steps.every((step) => step.status === 'reached')).toBe(true)
  })

  test('a step the command jumped over counts as passed', () => {
    const done = sampleCommand({ state: 'done', reached: { queued: NOW, sent: NOW + 1, done: NOW + 3 } })
    expect(shape(done)).toEqual([
      'queued reached',
      'sent reached',
      'accepted reached',
      'done reached',
      'confirmed awaited',
    ])
  })

  test.each(['failed', 'expired', 'superseded', 'cancelled', 'unknown'] as const)(
    'of a command that ended %s stops there',
    (state) => {
      const command = sampleCommand({ state, reached: { queued: NOW, sent: NOW + 1, [state]: NOW + 9 } })
      expect(shape(command)).toEqual(['queued reached', 'sent reached', `${state} ended`])
    },
  )
})

describe('a pushed command', () => {
  const held = sampleCommand({ state: 'done', updatedAt: NOW + 5, reached: { queued: NOW, done: NOW + 5 } })

  test('replaces its older form in place', () => {
    const pushed = { ...held, state: 'confirmed' as const, updatedAt: NOW + 9 }
    expect(mergeCommands([held], [pushed])).toEqual([pushed])
  })

  test('that comes late or belongs elsewhere changes nothing', () => {
    const list = [held]
    expect(mergeCommands(list, [sampleCommand({ state: 'sent', updatedAt: NOW + 1 })])).toBe(list)
    expect(mergeCommands(list, [sampleCommand({ id: 'other', updatedAt: NOW + 99 })])).toBe(list)
  })

  test('of the same instant that knows more replaces', () => {
    const reached = { ...held.reached, confirmed: NOW + 5 }
    const pushed = { ...held, state: 'confirmed' as const, reached }
    expect(mergeCommands([held], [pushed])).toEqual([pushed])
  })

  test('counts in its newest form, in whatever order a moment brings them', () => {
    const confirmed = { ...held, state: 'confirmed' as const, updatedAt: NOW + 9 }
    expect(mergeCommands([sampleCommand()], [confirmed, held])).toEqual([confirmed])
  })

  test('takes the place of an older one to its device in a list of last ones, never of a newer', () => {
    const next = sampleCommand({ id: `${held.id}1`, createdAt: NOW + 20 })
    const devices = new Set([held.deviceId])
    expect(mergeLast([held], [next], devices)).toEqual([next])
    const list = [next]
    expect(mergeLast(list, [{ ...held, updatedAt: NOW + 99 }], devices)).toBe(list)
  })
})
