import { expect, test } from 'vitest'
import { sampleHold } from '../../../shared/devices/valve-samples.testkit.ts'
import { findLost, type HoldEvent } from './lost-holds.ts'

const toEvent = (over: Partial<HoldEvent> = {}): HoldEvent => ({ type: 'hold', hold: sampleHold(), ...over })

test('a user loses a hold only when another user ends it, not at its end time or by the user’s own release', () => {
  const outranked = toEvent({ ended: 'outranked', by: 'admin' })
  const others = [
    toEvent({ ended: 'expired' }),
    toEvent({ ended: 'released', by: 'dispatcher' }),
    toEvent({ ended: 'outranked', by: 'admin', hold: sampleHold({ actor: 'maintenance' }) }),
    toEvent(),
  ]
  expect(findLost([...others, outranked], 'dispatcher')).toEqual([outranked])
})
