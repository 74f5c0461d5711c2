import { endpointNames } from './endpoint-names.ts'
import type { Language } from './error-param.ts'

/** Operations of the system itself. They are no endpoints. */
const automatic = {
  campaign: { zh: '平衡任务自动执行', en: 'Step of a campaign' },
  strategy: { zh: '策略自动执行', en: 'Step of a strategy' },
  irrigation: { zh: '灌溉自动执行', en: 'Step of an irrigation run' },
  'connection-token': { zh: '设备用一次性令牌取得密码', en: 'Password fetched with a one-time token' },
  'registry-file': { zh: '启动时导入清单文件', en: 'Import of the registry file at the start' },
  'valve-exercise': { zh: '阀门活动自动执行', en: 'Step of a valve exercise' },
  'log-retention': { zh: '删除超过保存期限的日志', en: 'Deletion of log entries past their retention' },
} as const

const names = new Map<string, Readonly<Record<Language, string>>>(
  Object.entries({ ...endpointNames, ...automatic }),
)

/** Name of an operation of the log: of an endpoint, or of an automatic one. The name in the contract if it has no text. */
export const toOperationText = (language: Language, operation: string): string =>
  names.get(operation)?.[language] ?? operation

/** Prefixes of the names of calls that change nothing. Downloads are logged, also the one whose name starts like a reading call. */
const READS =
  /^(get|query|count|preview|search|rbacGet|wxGet|isExist|refreshToken|reflushToken|recordActivity|sendReadings)/
const DOWNLOADS: ReadonlySet<string> = new Set(['getTemplate'])

/**
 * Names of the operations that the log can contain. They are found by their names, because the schemas of all endpoints are
 * too large for the console.
 */
export const listLoggedOperations = (): readonly string[] =>
  [...names.keys()].filter((name) => !READS.test(name) || DOWNLOADS.has(name))
