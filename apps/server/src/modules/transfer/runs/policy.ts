import type { TransferAbility, TransferState } from '@isotherm/contract/transfer'
import { transitions } from './state-machine.ts'

const abilities: readonly TransferAbility[] = ['check', 'import', 'cancel']

/** What the account of an import may do with it in a state. */
export const toAbilities = (state: TransferState): TransferAbility[] =>
  abilities.filter((ability) => transitions[state][ability] !== undefined)
