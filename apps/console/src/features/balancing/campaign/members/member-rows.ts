import type { CampaignMember } from '@isotherm/contract/balancing/campaign'
import { isMoved } from './order-figures.ts'

/** Which valves are shown: `limited` could not be given what the mode asks for, `judged` did otherwise than predicted. */
export const memberFilters = ['moves', 'excluded', 'limited', 'judged', 'all'] as const
export type MemberFilter = (typeof memberFilters)[number]

const isJudged = ({ verdict }: CampaignMember): boolean =>
  verdict === 'stuck' || verdict === 'slipping' || verdict === 'learn'

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

/** How many valves each filter shows; of those that show none only `all` and `moves` are offered. */
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

/** How far a valve is turned, %. */
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

/** In order; what has no value comes last either way, and equals stand by their places. */
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
