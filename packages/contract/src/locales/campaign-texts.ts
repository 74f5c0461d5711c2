import type { z } from 'zod'
import type { BalanceKind } from '../balancing/balance-kind.ts'
import type { RoundMethod } from '../balancing/balance-method.ts'
import type {
  CampaignAbort,
  CampaignHistoryEvent,
  CampaignMember,
  CampaignState,
  CampaignStep,
  MemberExclusion,
  MoveVerdict,
} from '../balancing/campaign.ts'
import type { targetLimit } from '../balancing/target-limit.ts'

/** Words for campaigns, the same on the console and in what the server writes. */
export interface CampaignTexts {
  readonly kinds: Readonly<Record<BalanceKind, string>>
  /** What temperature balances make equal. */
  readonly targets: Readonly<Record<'return' | 'mean' | 'room', string>>
  /** How openings are found if not by the model. */
  readonly methods: Readonly<Record<RoundMethod, string>>
  readonly states: Readonly<Record<CampaignState, string>>
  readonly exclusions: Readonly<Record<MemberExclusion, string>>
  readonly meters: Readonly<Record<NonNullable<CampaignMember['meter']>, string>>
  /** Sources of an area that is not recorded. */
  readonly areas: Readonly<Record<NonNullable<CampaignMember['areaFrom']>, string>>
  readonly limits: Readonly<Record<z.infer<typeof targetLimit>, string>>
  readonly verdicts: Readonly<Record<MoveVerdict, string>>
  /** Names of the reasons for which campaigns abort. */
  readonly aborts: Readonly<Record<CampaignAbort['kind'], string>>
  /** Sentences for the same reasons; `toAbortText` fills the placeholders. */
  readonly abortSentences: Readonly<Record<CampaignAbort['kind'], string>>
  readonly steps: Readonly<Record<CampaignStep['kind'], string>>
  readonly events: Readonly<Record<CampaignHistoryEvent, string>>
  /** Names of the indices of packages/balancing/src/indices/index-meanings.ts. */
  readonly indices: Readonly<Record<string, string>>
}
