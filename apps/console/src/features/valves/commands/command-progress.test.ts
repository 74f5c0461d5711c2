import { describe, expect, test } from 'vitest'
import { NOW, sampleCommand } from '../../../shared/devices/valve-samples.testkit.ts'
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

  test('of a confirmed command has every step reached, with its instant', () => {
    const reached = { queued: NOW, sent: NOW + 1, accepted: NOW + 2, done: NOW + 3, confirmed: NOW + 4 }
    const steps = toSteps(sampleCommand({ state: 'confirmed', reached }))
    expect(steps.map((step) => step.at)).toEqual([NOW, NOW + 1, NOW + 2, NOW + 3, NOW + 4])
    expect(steps.every((step) => step.status === 'reached')).toBe(true)
  })

  test('a step that the command skipped counts as reached', () => {
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
  const cached = sampleCommand({ state: 'done', updatedAt: NOW + 5, reached: { queued: NOW, done: NOW + 5 } })

  test('replaces its older form in place', () => {
    const pushed = { ...cached, state: 'confirmed' as const, updatedAt: NOW + 9 }
    expect(mergeCommands([cached], [pushed])).toEqual([pushed])
  })

  test('that is late or not in the list changes nothing', () => {
    const list = [cached]
    expect(mergeCommands(list, [sampleCommand({ state: 'sent', updatedAt: NOW + 1 })])).toBe(list)
    expect(mergeCommands(list, [sampleCommand({ id: 'other', updatedAt: NOW + 99 })])).toBe(list)
  })

  test('of the same instant with more reached states replaces the cached one', () => {
    const reached = { ...cached.reached, confirmed: NOW + 5 }
    const pushed = { ...cached, state: 'confirmed' as const, reached }
    expect(mergeCommands([cached], [pushed])).toEqual([pushed])
  })

  test('is applied in its newest form, in whatever order the forms arrive', () => {
    const confirmed = { ...cached, state: 'confirmed' as const, updatedAt: NOW + 9 }
    expect(mergeCommands([sampleCommand()], [confirmed, cached])).toEqual([confirmed])
  })

  test('replaces an older command to the same device in a list of last commands, never a newer one', () => {
    const next = sampleCommand({ id: `${cached.id}1`, createdAt: NOW + 20 })
    const devices = new Set([cached.deviceId])
    expect(mergeLast([cached], [next], devices)).toEqual([next])
    const list = [next]
    expect(mergeLast(list, [{ ...cached, updatedAt: NOW + 99 }], devices)).toBe(list)
  })
})
