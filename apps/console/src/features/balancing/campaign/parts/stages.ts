import type { CampaignDetail, CampaignState } from '@isotherm/contract/balancing/campaign'

export const stageNames = [
  'draft',
  'executing',
  'settling',
  'verified',
  'accepted',
  'aborted',
  'discarded',
  'rolled-back',
] as const
export type StageName = (typeof stageNames)[number]
/** `cut`: started but not finished. */
export type StageState = 'done' | 'now' | 'todo' | 'cut' | 'stopped' | 'skipped'

export interface Stage {
  readonly name: StageName
  readonly state: StageState
}

type Staged = Pick<CampaignDetail, 'state' | 'steps' | 'indices' | 'round' | 'approvedAt'>

const way = ['draft', 'executing', 'settling', 'verified'] as const
type ReachedStage = (typeof way)[number]

/** Stage of each state on the normal path. For other final states the reached stage decides. */
const stageOfState: Readonly<Partial<Record<CampaignState, ReachedStage>>> = {
  draft: 'draft',
  executing: 'executing',
  paused: 'executing',
  settling: 'settling',
  verified: 'verified',
}

/** Last stage reached by a campaign that left the normal path. */
function findReached({ steps, indices, approvedAt }: Staged): ReachedStage {
  if (indices.after) return 'verified'
  const moves = steps.filter(({ kind }) => kind !== 'back')
  if (approvedAt === undefined) return 'draft'
  return moves.every(({ state }) => state === 'done' || state === 'dropped') ? 'settling' : 'executing'
}

/** Final stage of campaigns that are not accepted. */
const otherEnds: Readonly<Partial<Record<CampaignState, Stage>>> = {
  discarded: { name: 'discarded', state: 'stopped' },
  aborted: { name: 'aborted', state: 'stopped' },
  'rolling-back': { name: 'rolled-back', state: 'now' },
  'rolled-back': { name: 'rolled-back', state: 'done' },
}

/** The stages of a campaign in order, with their states. */
export function toStages(campaign: Staged): readonly Stage[] {
  const { state } = campaign
  const present = stageOfState[state]
  if (present !== undefined) {
    const at = way.indexOf(present)
    return [
      ...way.map((name, index): Stage => {
        if (index === at) return { name, state: name === 'verified' ? 'done' : 'now' }
        return { name, state: index < at ? 'done' : 'todo' }
      }),
      { name: 'accepted', state: state === 'verified' ? 'now' : 'todo' },
    ]
  }
  const last = findReached(campaign)
  const reached = way.indexOf(last)
  const isCut = last === 'executing' || last === 'settling'
  const end = otherEnds[state] ?? { name: 'accepted', state: 'done' }
  return [
    ...way.map((name, index): Stage => {
      if (index === reached) return { name, state: isCut ? 'cut' : 'done' }
      return { name, state: index < reached ? 'done' : 'skipped' }
    }),
    end,
  ]
}
