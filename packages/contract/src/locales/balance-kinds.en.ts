import type { BalanceKind } from '../balancing/balance-kind.ts'

export const balanceKindsEn = {
  temperature: 'Temperature balance',
  sequence: 'Time sequence',
  energy: 'Heat balance',
  flow: 'Flow balance',
} as const satisfies Readonly<Record<BalanceKind, string>>
