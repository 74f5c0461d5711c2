import type { CampaignMember } from '@isotherm/contract/balancing/campaign'
import { isMoved } from './order-figures.ts'

/** Filter of the valves: `limited` have a restricted target, `judged` behaved differently than predicted. */
export const memberFilters = ['moves', 'excluded', 'limited', 'judged', 'all'] as const
export type MemberFilter = (typeof memberFilters)[number]

const isJudged = ({ verdict }: CampaignMember): boolean =>
  verdict === 'stuck' || verdict === 'slipping' || verdict === 'inverted' || verdict === 'learn'

const tests: Readonly<Record<MemberFilter, (member: CampaignMember) => boolean>> = {
  moves: isMoved,
  excluded: ({ excluded }) => excluded !== undefined,
  limited: ({ limit }) => limit !== undefined,
  judged: isJudged,
  all: () => true,
}

export const filterMembers = (
  members: readonly CampaignMember[],
  filter: MemberFilter,
): readonly CampaignMember[] => members.filter(tests[filter])

/** Number of valves for each filter; empty filters are omitted except `all` and `moves`. */
export const countMembers = (
  members: readonly CampaignMember[],
): readonly { readonly filter: MemberFilter; readonly count: number }[] =>
  memberFilters
    .map((filter) => ({ filter, count: members.filter(tests[filter]).length }))
    .filter(({ filter, count }) => count > 0 || filter === 'all' || filter === 'moves')

export const memberSorts = [
  'place',
  'move',
  'return',
  'expectedReturn',
  'afterReturn',
  'room',
  'afterRoom',
  'flow',
  'target',
  'afterFlow',
] as const
export type MemberSort = (typeof memberSorts)[number]

/** Size of the move, %. */
const toMovePct = ({ before, expected }: CampaignMember): number => expected.openingPct - before.openingPct

const values: Readonly<Record<Exclude<MemberSort, 'place'>, (member: CampaignMember) => number | undefined>> =
  {
    move: (member) => Math.abs(toMovePct(member)),
    return: ({ before }) => before.returnC,
    expectedReturn: ({ expected }) => expected.returnC,
    afterReturn: ({ after }) => after?.returnC,
    room: ({ before }) => before.roomC,
    afterRoom: ({ after }) => after?.roomC,
    flow: ({ before }) => before.flowM3H,
    target: ({ targetFlowM3H }) => targetFlowM3H,
    afterFlow: ({ after }) => after?.flowM3H,
  }

const places = new Intl.Collator('zh', { numeric: true })

export const compareByPlace = (one: CampaignMember, other: CampaignMember): number =>
  places.compare(one.nestaddr, other.nestaddr) || one.deviceId - other.deviceId

/** Sorted rows. Rows without a value come last; equal rows are sorted by place. */
export function sortMembers(
  members: readonly CampaignMember[],
  sort: MemberSort,
  descending: boolean,
): readonly CampaignMember[] {
  const sign = descending ? -1 : 1
  if (sort === 'place') return members.toSorted((one, other) => sign * compareByPlace(one, other))
  const readValue = values[sort]
  return members.toSorted((one, other) => {
    const [a, b] = [readValue(one), readValue(other)]
    if (a === undefined || b === undefined)
      return Number(a === undefined) - Number(b === undefined) || compareByPlace(one, other)
    return sign * (a - b) || compareByPlace(one, other)
  })
}
