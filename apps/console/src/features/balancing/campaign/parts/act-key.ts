import type { CampaignAbility, CampaignDetail } from '@isotherm/contract/balancing/campaign'

/** By which word something that may be done is told: what trims a balance by the model is the next round of a proportional loop. */
export const toActKey = <Ability extends CampaignAbility>(
  { mode }: Pick<CampaignDetail, 'mode'>,
  ability: Ability,
): Ability | 'nextRound' =>
  ability === 'trim' && mode.kind === 'temperature' && mode.method === 'proportional' ? 'nextRound' : ability
