import type { Duty } from '../../access/duties.ts'
import type { SeededRole } from '../../access/roles.ts'
import type { Language } from '../error-param.ts'

/** Names of the roles that every installation starts with, and of those of the three duties (三员分立). */
export const roleNames: Readonly<Record<SeededRole | Duty, Readonly<Record<Language, string>>>> = {
  administrator: { zh: '管理员', en: 'Administrator' },
  dispatcher: { zh: '运行调度', en: 'Dispatcher' },
  maintenance: { zh: '维修', en: 'Maintenance' },
  service: { zh: '客服', en: 'Service desk' },
  irrigation: { zh: '灌溉', en: 'Irrigation keeper' },
  viewer: { zh: '只读', en: 'Viewer' },
  system: { zh: '系统管理员', en: 'System administrator' },
  security: { zh: '安全管理员', en: 'Security administrator' },
  audit: { zh: '审计管理员', en: 'Audit administrator' },
}

const byStored = new Map(Object.values(roleNames).map((names) => [names.zh, names]))

/**
 * The name of a role or role code for users: in their language while it is the one of a new installation, else as
 * stored.
 */
export const toRoleName = (language: Language, stored: string): string =>
  byStored.get(stored)?.[language] ?? stored
