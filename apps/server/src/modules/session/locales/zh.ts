import type { Duty } from '@isotherm/contract/access/duties'
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

/** Names of the built-in roles of the three duties (三员分立). */
export const dutyNames: Readonly<Record<Duty, string>> = {
  system: '系统管理员',
  security: '安全管理员',
  audit: '审计管理员',
}
