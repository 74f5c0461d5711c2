import { endpointNamesEn } from './endpoint-names.en.ts'
import { endpointNamesZh } from './endpoint-names.zh.ts'
import type { Language } from './error-param.ts'

/** Operations of the system itself. They are no endpoints. */
const automatic = {
  zh: {
    campaign: '平衡任务自动执行',
    strategy: '策略自动执行',
    irrigation: '灌溉自动执行',
    'registry-file': '启动时导入清单文件',
    'valve-exercise': '阀门活动自动执行',
    'log-retention': '删除超过保存期限的日志',
  },
  en: {
    campaign: 'Step of a campaign',
    strategy: 'Step of a strategy',
    irrigation: 'Step of an irrigation run',
    'registry-file': 'Import of the registry file at the start',
    'valve-exercise': 'Step of a valve exercise',
    'log-retention': 'Deletion of log entries past their retention',
  },
} as const

const tables: Readonly<Record<Language, ReadonlyMap<string, string>>> = {
  zh: new Map(Object.entries({ ...endpointNamesZh, ...automatic.zh })),
  en: new Map(Object.entries({ ...endpointNamesEn, ...automatic.en })),
}

/** Name of an operation of the log: of an endpoint, or of an automatic one. The name in the contract if it has no text. */
export const toOperationText = (language: Language, operation: string): string =>
  tables[language].get(operation) ?? operation

/** Prefixes of the names of calls that only read. Downloads are logged, also the one whose name starts like a reading call. */
const READS =
  /^(get|query|count|preview|search|rbacGet|wxGet|isExist|refreshToken|reflushToken|recordActivity)/
const DOWNLOADS: ReadonlySet<string> = new Set(['getTemplate'])

/**
 * Names of the operations that the log can contain. They are found by their names, because the schemas of all endpoints are
 * too large for the console.
 */
export const listLoggedOperations = (language: Language): readonly string[] =>
  [...tables[language].keys()].filter((name) => !READS.test(name) || DOWNLOADS.has(name))
