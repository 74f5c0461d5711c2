import type { BalanceKind } from '../balancing/balance-kind.ts'

export const balanceKindsZh = {
  temperature: '温度平衡',
  sequence: '时序控制',
  energy: '热量平衡',
  flow: '流量平衡',
} as const satisfies Readonly<Record<BalanceKind, string>>
