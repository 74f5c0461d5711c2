import { expect, test } from 'vitest'
import { sampleHold } from '../rows/valve-samples.testkit.ts'
import { findLost, type HoldNews } from './lost-holds.ts'

const toNews = (over: Partial<HoldNews> = {}): HoldNews => ({ type: 'hold', hold: sampleHold(), ...over })

test('who held is told when somebody else ended it, not of its end by time or by himself', () => {
  const outranked = toNews({ ended: 'outranked', by: 'admin' })
  const others = [
    toNews({ ended: 'expired' }),
    toNews({ ended: 'released', by: 'dispatcher' }),
    toNews({ ended: 'outranked', by: 'admin', hold: sampleHold({ actor: 'maintenance' }) }),
    toNews(),
  ]
  expect(findLost([...others, outranked], 'dispatcher')).toEqual([outranked])
})
