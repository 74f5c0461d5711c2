import type { SeededRole } from '@isotherm/contract/access/roles'

/** Names of the roles every installation starts with (product.md). */
export const roleNames: Readonly<Record<SeededRole, string>> = {
  administrator: '管理员',
  dispatcher: '运行调度',
  maintenance: '维修',
  service: '客服',
  irrigation: '灌溉',
  viewer: '只读',
}
