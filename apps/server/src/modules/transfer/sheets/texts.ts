import { deviceKind } from '@isotherm/contract/devices'
import { type ErrorCode, errors } from '@isotherm/contract/errors'
import { groupMode, outageRule } from '@isotherm/contract/irrigation'
import { type Language, toErrorText } from '@isotherm/contract/locales/error-text'
import { emitterKind } from '@isotherm/contract/network/emitters'
import { pipeMaterial } from '@isotherm/contract/network/pipes'
import { transferSheet } from '@isotherm/contract/transfer'
import { curveKind } from '@isotherm/contract/valve-characteristic'
import { z } from 'zod'
import { columns } from './columns.ts'
import * as en from './locales/en.ts'
import { examplesEn } from './locales/examples.en.ts'
import { examplesZh } from './locales/examples.zh.ts'
import * as zh from './locales/zh.ts'

/** All texts of the workbooks, by language. */
export const texts = {
  zh: {
    sheets: zh.sheetsZh,
    headings: zh.headingsZh,
    kinds: zh.kindsZh,
    materials: zh.materialsZh,
    emitters: zh.emittersZh,
    curves: zh.curvesZh,
    modes: zh.modesZh,
    outages: zh.outagesZh,
    words: zh.wordsZh,
    meanings: zh.meaningsZh,
    notes: zh.notesZh,
    examples: examplesZh,
    reasons: zh.reasonsZh,
  },
  en: {
    sheets: en.sheetsEn,
    headings: en.headingsEn,
    kinds: en.kindsEn,
    materials: en.materialsEn,
    emitters: en.emittersEn,
    curves: en.curvesEn,
    modes: en.modesEn,
    outages: en.outagesEn,
    words: en.wordsEn,
    meanings: en.meaningsEn,
    notes: en.notesEn,
    examples: examplesEn,
    reasons: en.reasonsEn,
  },
} as const

/** Why a row or a file failed: a reason of imports, or the error that a call with the same values would get. */
export type FaultCode = zh.Reason | ErrorCode
export type FaultParams = Readonly<Record<string, string | number>>

export interface Fault {
  readonly code: FaultCode
  readonly params: FaultParams
}

export const toFault = (code: FaultCode, params: FaultParams = {}): Fault => ({ code, params })

const reasonName = z.enum(Object.keys(zh.reasonsZh) as [zh.Reason, ...zh.Reason[]])
const errorName = z.enum(Object.keys(errors) as [ErrorCode, ...ErrorCode[]])
const anyColumn = z.enum(Object.values(columns).flat())

/** Text of a parameter; columns and sheets get their names in the language. */
function toValue(language: Language, name: string, value: string | number | undefined): string {
  const { headings, sheets } = texts[language]
  const column = name === 'column' ? anyColumn.safeParse(value).data : undefined
  const sheet = name === 'sheet' ? transferSheet.safeParse(value).data : undefined
  return column ? headings[column] : sheet ? sheets[sheet] : String(value ?? `{${name}}`)
}

/** Returns the text of a stored fault. */
export function toFaultText(language: Language, code: string, params: FaultParams): string {
  const reason = reasonName.safeParse(code).data
  if (reason === undefined) {
    return toErrorText(language, errorName.catch('server.internal').parse(code), {
      requestId: '-',
      ...params,
    })
  }
  return texts[language].reasons[reason].replace(/\{(\w+)\}/g, (_place, name: string) =>
    toValue(language, name, params[name]),
  )
}

/** Ignores width, case and spaces. */
const normalize = (text: string): string => text.normalize('NFKC').toLowerCase().replace(/\s+/g, '')

const toLookup = <Key extends string>(
  keys: readonly Key[],
  names: readonly Readonly<Record<Key, string>>[],
): ReadonlyMap<string, Key> =>
  new Map(
    keys.flatMap((key) => [key, ...names.map((named) => named[key])].map((name) => [normalize(name), key])),
  )

const sheetByName = toLookup(transferSheet.options, [zh.sheetsZh, en.sheetsEn])
const columnByHeading = toLookup(Object.values(columns).flat(), [
  zh.headingsZh,
  en.headingsEn,
  en.formerHeadingsEn,
])
const kindByName = toLookup(deviceKind.options, [zh.kindsZh, en.kindsEn, zh.formerKindsZh])
const materialByName = toLookup(pipeMaterial.options, [zh.materialsZh, en.materialsEn])
const emitterByName = toLookup(emitterKind.options, [zh.emittersZh, en.emittersEn])
const curveByName = toLookup(curveKind.options, [zh.curvesZh, en.curvesEn])
const modeByName = toLookup(groupMode.options, [zh.modesZh, en.modesEn])
const outageByName = toLookup(outageRule.options, [zh.outagesZh, en.outagesEn])
const reasonHeadings = new Set([zh.wordsZh.reason, en.wordsEn.reason, en.FORMER_REASON_EN].map(normalize))
const yes = new Set(['是', 'yes', 'true', '1', 'y', '√'])
const no = new Set(['否', 'no', 'false', '0', 'n'])

/** Stands behind the headings of needed columns in the template. */
export const NEEDED_MARK = ' *'

/** Find a sheet, column or word of a column by its name in either language, ignoring width, case and spaces. */
export const findSheet = (name: string) => sheetByName.get(normalize(name))
export const findColumn = (heading: string) => columnByHeading.get(normalize(heading).replace(/\*$/, ''))
export const findKind = (name: string) => kindByName.get(normalize(name))
export const findMaterial = (name: string) => materialByName.get(normalize(name))
export const findEmitter = (name: string) => emitterByName.get(normalize(name))
export const findCurve = (name: string) => curveByName.get(normalize(name))
export const findMode = (name: string) => modeByName.get(normalize(name))
export const findOutageRule = (name: string) => outageByName.get(normalize(name))
/** Whether a column contains the failure reasons of an earlier import. */
export const isReasonHeading = (heading: string): boolean => reasonHeadings.has(normalize(heading))
export const isYes = (text: string): boolean => yes.has(normalize(text))
/** Whether a text means yes or no; undefined if neither. */
export function findAnswer(text: string): boolean | undefined {
  if (isYes(text)) return true
  return no.has(normalize(text)) ? false : undefined
}
