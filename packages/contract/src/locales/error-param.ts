import type { CommandPriority } from '../command.ts'
import type { DeviceKind } from '../devices.ts'
import type { ErrorCode, ErrorParams } from '../errors.ts'
import type { SensorPart } from '../irrigation.ts'
import type { TransferState } from '../transfer.ts'
import type { CurveFault } from '../valve-characteristic.ts'
import { permissionNamesEn } from './access/permissions.en.ts'
import { permissionNamesZh } from './access/permissions.zh.ts'
import { errorNamesEn } from './error-names.en.ts'
import { errorNamesZh } from './error-names.zh.ts'
import { toMalformedZh } from './requests/malformed.zh.ts'

export type Language = 'zh' | 'en'

/** Things that an error may name by key: entities of the operation log, and stored readings. */
export type EntityName = keyof typeof errorNamesZh.entities
/** Fields that an error may name by key: fields of endpoints, and columns of tables in camel case. */
export type FieldName = keyof typeof errorNamesZh.fields

type Names<Key extends string | number> = Readonly<Record<Key, string>>

/** What every language has a name for. */
export interface ErrorNames {
  readonly entities: Names<EntityName>
  readonly fields: Names<FieldName>
  readonly kinds: Names<DeviceKind>
  readonly states: Names<TransferState>
  readonly rights: Names<keyof typeof errorNamesZh.rights>
  readonly levels: Names<keyof typeof errorNamesZh.levels>
  readonly priorities: Names<CommandPriority>
  readonly worse: Names<keyof typeof errorNamesZh.worse>
  readonly curveFaults: Names<CurveFault>
  readonly sensorParts: Names<SensorPart>
  readonly records: Names<keyof typeof errorNamesZh.records>
  readonly unknownAccount: string
  readonly deviceItself: string
  readonly otherFields: string
  readonly comma: string
}

const names: Readonly<Record<Language, ErrorNames>> = { zh: errorNamesZh, en: errorNamesEn }
const permissionNames = { zh: permissionNamesZh, en: permissionNamesEn } as const

const find = (table: Readonly<Record<string, string>>, key: string): string | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined

/** Items of a list that the server joined. */
const split = (text: string): readonly string[] => text.split(', ')

/** Text of a parameter in a language. `params` are all parameters of the error. */
type Reader = (language: Language, value: string, params: ErrorParams) => string

const readEntity: Reader = (language, value) =>
  find(names[language].entities, value) ?? names[language].otherFields

const readFields: Reader = (language, value) => {
  const { fields, otherFields, comma } = names[language]
  return [...new Set(split(value).map((field) => find(fields, field) ?? otherFields))].join(comma)
}

/** A field that the caller named: its name, or the caller's own text if there is no such field. */
const readGivenField: Reader = (language, value) => find(names[language].fields, value) ?? value

const readKind: Reader = (language, value) =>
  find(names[language].kinds, value) ?? names[language].entities.device

const readState: Reader = (language, value) =>
  find(names[language].states, value) ?? names[language].otherFields

/** Accounts that changed something; a dash if the operation log does not name any. */
const readAccounts: Reader = (language, value) =>
  value === '-' ? names[language].unknownAccount : split(value).join(names[language].comma)

/** Who got a password: an account, or the device itself if it is empty. */
const readViewer: Reader = (language, value) => (value === '' ? names[language].deviceItself : value)

/** Rights that the caller lacks: pages, other rights, or names of nodes, devices and roles. */
const readRights: Reader = (language, value) =>
  split(value)
    .map((right) => find(permissionNames[language], right) ?? find(names[language].rights, right) ?? right)
    .join(names[language].comma)

/** "name (5)" with the name of level 5. */
const readPlaces: Reader = (language, value) =>
  value.replace(/\((\d)\)/g, (place, level: string) => {
    const name = find(names[language].levels, level)
    if (name === undefined) return place
    return language === 'zh' ? `（${name}）` : `(${name})`
  })

/** "name (manual, account, until)" with the name of the priority. */
const readHolds: Reader = (language, value) =>
  value.replace(/\((\w+), /g, (start, priority: string) => {
    const name = find(names[language].priorities, priority)
    return name === undefined ? start : `(${name}${names[language].comma}`
  })

/** "place: reason" with the name of the field, if it has one, and the reason in words. A value without a place is a reason. */
const readMalformed: Reader = (language, value) => {
  if (language === 'en') return value
  const [place = '', ...rest] = value.split(': ')
  if (rest.length === 0) return toMalformedZh(value)
  const field = place.split(/[. ]/).findLast((part) => !/^\d+$/.test(part)) ?? ''
  return `${find(names.zh.fields, field) ?? place}：${toMalformedZh(rest.join(': '))}`
}

const readWorse: Reader = (language, value) =>
  find(names[language].worse, value) ?? names[language].otherFields

const readCurveFault: Reader = (language, value) =>
  find(names[language].curveFaults, value) ?? names[language].otherFields

const readSensorPart: Reader = (language, value) =>
  find(names[language].sensorParts, value) ?? names[language].otherFields

/** Missing records: "areas 3/60" are the areas of 3 of 60 valves. */
const readMissing: Reader = (language, value) =>
  split(value)
    .map((item) => {
      const [key = '', share] = item.split(' ')
      const name = find(names[language].records, key) ?? names[language].otherFields
      if (share === undefined) return name
      // Limits exist where they stop a valve; everything else is missing.
      const isThere = key === 'limits'
      if (language === 'zh') return `${name}（${share} 个阀门${isThere ? '受限' : '没有'}）`
      return `${name} (${isThere ? 'they stop' : 'missing for'} ${share} valves)`
    })
    .join(names[language].comma)

/** `count` entities in the words of a language. */
function toCounted(language: Language, entity: string, count: number): string {
  const name = readEntity(language, entity, {})
  if (language === 'zh') return `${count} ${entity === 'device' ? '台' : '个'}${name}`
  return `${count} ${name}${count === 1 ? '' : 's'}`
}

/** Users of an entity: names, or entities of a kind with their number or with the name they belong to. */
const readUsers: Reader = (language, value, { entity, count, of: owner }) => {
  if (typeof entity !== 'string') return split(value).join(names[language].comma)
  if (typeof count === 'number') return toCounted(language, entity, count)
  const name = readEntity(language, entity, {})
  if (owner === undefined) return name
  return language === 'zh' ? `${owner} 的${name}` : `${name} of ${owner}`
}

/** How the parameters of an error become text; a parameter without a reader is text or a number already. */
const readers: Readonly<Partial<Record<ErrorCode, Readonly<Record<string, Reader>>>>> = {
  'request.malformed': { detail: readMalformed },
  'entity.stale': { what: readEntity, by: readAccounts, fields: readFields },
  'entity.taken': { field: readFields },
  'entity.in-use': { by: readUsers },
  'filter.unknown-field': { field: readGivenField },
  'filter.bad-pattern': { field: readGivenField },
  'node.bad-place': { detail: readPlaces },
  'device.bad-model': { kind: readKind },
  'device.wrong-kind': { kind: readKind, field: readFields },
  'device.login-shown': { by: readViewer },
  'device.bad-curve': { fault: readCurveFault },
  'account.beyond-yours': { what: readRights },
  'transfer.not-now': { state: readState },
  'command.held': { devices: readHolds },
  'irrigation.sensor-unsuited': { part: readSensorPart },
  'irrigation.too-many': { what: readEntity },
  'balance.not-identified': { reason: readWorse, help: readMissing },
}

/** Text of a parameter; undefined if the error does not carry it. */
export function toParamText(
  language: Language,
  code: ErrorCode,
  name: string,
  params: ErrorParams,
): string | undefined {
  const value = params[name]
  const reader = readers[code]?.[name]
  if (reader && (value !== undefined || params.entity !== undefined)) {
    return reader(language, String(value ?? ''), params)
  }
  return value === undefined ? undefined : String(value)
}
