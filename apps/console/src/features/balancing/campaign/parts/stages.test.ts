import type { CampaignDetail } from '@isotherm/contract/balancing/campaign'
import { expect, test } from 'vitest'
import { sampleCampaign } from '../campaign-samples.testkit.ts'
import { toStages } from './stages.ts'

const say = (part: Partial<CampaignDetail>) =>
  toStages(sampleCampaign(part))
    .map(({ name, state }) => `${name}:${state}`)
    .join(' ')
const step = (state: 'waiting' | 'done') =>
  ({ round: 1, kind: 'open', valves: 1, state, unanswered: 0 }) as const

test('a running campaign has finished stages, a current stage and future stages', () => {
  expect(say({})).toBe('draft:now executing:todo settling:todo verified:todo accepted:todo')
  expect(say({ state: 'paused', approvedAt: 1 })).toContain('draft:done executing:now settling:todo')
  expect(say({ state: 'settling', approvedAt: 1 })).toContain('executing:done settling:now verified:todo')
  expect(say({ state: 'verified', approvedAt: 1 })).toContain('settling:done verified:done accepted:now')
})

test('a campaign that left the normal path shows the last stage it reached', () => {
  expect(say({ state: 'discarded' })).toBe(
    'draft:done executing:skipped settling:skipped verified:skipped discarded:stopped',
  )
  expect(say({ state: 'aborted', approvedAt: 1, steps: [step('done'), step('waiting')] })).toBe(
    'draft:done executing:cut settling:skipped verified:skipped aborted:stopped',
  )
  expect(say({ state: 'aborted', approvedAt: 1, steps: [step('done')] })).toContain(
    'executing:done settling:cut verified:skipped aborted:stopped',
  )
})

test('a rollback ends with the previous openings, regardless of the reached stage', () => {
  const indices = { ...sampleCampaign().indices, after: { sigmaReturnK: 0.5 } }
  const steps = [step('done'), { ...step('waiting'), round: 2, kind: 'back' as const }]
  expect(say({ state: 'rolling-back', approvedAt: 1, indices, steps })).toBe(
    'draft:done executing:done settling:done verified:done rolled-back:now',
  )
  expect(say({ state: 'rolled-back', approvedAt: 1, steps })).toContain('verified:skipped rolled-back:done')
  expect(say({ state: 'accepted', approvedAt: 1, indices, steps })).toContain('accepted:done')
})
