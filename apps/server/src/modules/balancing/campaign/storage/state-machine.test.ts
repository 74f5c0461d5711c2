import { readFileSync } from 'node:fs'
import {
  type CampaignEvent,
  type CampaignState,
  campaignAbility,
  campaignEvent,
  campaignState,
} from '@isotherm/contract/balancing/campaign'
import { expect, test } from 'vitest'
import { campaignTransitions, LONGEST_DRAFT_MS, listAbilities } from './state-machine.ts'

const states = campaignState.options
const spec = readFileSync(new URL('../../../../../../../docs/specs/campaign.md', import.meta.url), 'utf8')
const lines = spec.split('\n').filter((line) => line.startsWith('| '))

test('the table of docs/specs/campaign.md is the machine', () => {
  expect(lines).toContain(`| state | ${campaignEvent.options.join(' | ')} |`)
  for (const state of states) {
    const cells = campaignEvent.options.map((event) => campaignTransitions[state][event] ?? '·')
    expect(lines).toContain(`| ${state} | ${cells.join(' | ')} |`)
  }
})

test('docs/specs/campaign.md explains each state', () => {
  const explained = lines.map((line) => line.split('|')[1]?.trim())
  expect(explained).toEqual(expect.arrayContaining([...states]))
})

const leadsTo = (wanted: CampaignState): readonly CampaignEvent[] =>
  campaignEvent.options.filter((event) =>
    states.some((state) => state !== wanted && campaignTransitions[state][event] === wanted),
  )

/** States in which an event is allowed. */
const statesOpenTo = (event: CampaignEvent): readonly CampaignState[] =>
  states.filter((state) => campaignTransitions[state][event])

test('K1 Accepted, rolled-back and discarded are never left, and no other state is final', () => {
  const final = states.filter((state) =>
    campaignEvent.options.every((event) => !campaignTransitions[state][event]),
  )
  expect(final).toEqual(['accepted', 'rolled-back', 'discarded'])
})

test('K2 Waves are given only in executing and rolling-back', () => {
  expect(statesOpenTo('wave-given')).toEqual(['executing', 'rolling-back'])
  expect(leadsTo('executing')).toEqual(['approve', 'resume', 'take-back', 'trim'])
  expect(leadsTo('rolling-back')).toEqual(['rollback'])
})

test('every campaign that moved valves can be rolled back', () => {
  const open = states.filter(
    (state) => state !== 'draft' && campaignEvent.options.some((event) => campaignTransitions[state][event]),
  )
  expect([...statesOpenTo('rollback'), 'rolling-back'].sort()).toEqual([...open].sort())
})

test('a person may do what has a transition, and approve no old draft', () => {
  for (const state of states) {
    const expected = campaignAbility.options.filter((ability) => campaignTransitions[state][ability])
    expect(
      listAbilities({ state, plannedAt: 1_000, isReadable: true }, 1_000 + LONGEST_DRAFT_MS).sort(),
    ).toEqual(expected.sort())
  }
  const old = { state: 'draft', plannedAt: 0, isReadable: true } as const
  expect(listAbilities(old, LONGEST_DRAFT_MS + 1)).toEqual(['replan', 'discard'])
})

test('a round is trimmed once its rooms are at rest', () => {
  const verified = { state: 'verified', plannedAt: 0, isReadable: true, trimFrom: 1_000 } as const
  expect(listAbilities(verified, 999)).toEqual(['accept', 'rollback'])
  expect(listAbilities(verified, 1_000)).toContain('trim')
})

test('a plan of another server version is neither approved nor trimmed', () => {
  const unreadable = (state: CampaignState) => listAbilities({ state, plannedAt: 0, isReadable: false }, 0)
  expect(unreadable('draft')).toEqual(['replan', 'discard'])
  expect(unreadable('verified')).toEqual(['accept', 'rollback'])
  expect(unreadable('aborted')).toEqual(['accept', 'rollback'])
})
