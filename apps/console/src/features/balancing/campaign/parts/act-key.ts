import type { CampaignAbility, CampaignDetail } from '@isotherm/contract/balancing/campaign'

/** Text key of an ability. `trim` is the next round under proportional control. */
export const toActKey = <Ability extends CampaignAbility>(
  { mode }: Pick<CampaignDetail, 'mode'>,
  ability: Ability,
): Ability | 'nextRound' =>
  ability === 'trim' && mode.kind === 'temperature' && mode.method === 'proportional' ? 'nextRound' : ability
