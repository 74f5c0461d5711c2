import { indexMeanings } from '@isotherm/balancing/indices/index-meanings'
import { correctSigma } from '@isotherm/balancing/indices/weather-correction'
import {
  type BalanceMode,
  type CampaignAbort,
  type CampaignDetail,
  type CampaignMember,
  type CampaignState,
  type CampaignStep,
  isStepLeft,
} from '@isotherm/contract/balancing/campaign'
import { type ErrorCode, errors } from '@isotherm/contract/errors'
import { toAbortText } from '@isotherm/contract/locales/abort-text'
import { type Language, toErrorText } from '@isotherm/contract/locales/error-text'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import type { Cell, Sheet } from '../../platform/spreadsheet/workbook-writer.ts'
import { type ReportTexts, texts } from './texts.ts'

/** A campaign as its report shows it to every reader. */
export type ReportedCampaign = Omit<CampaignDetail, 'abilities'>

interface Writing {
  readonly texts: ReportTexts
  readonly language: Language
  /** An instant in the time zone of the company. */
  readonly toTime: (at: number) => string
}

/** Instants as 2026-11-21 12:00:00. */
function toClockText(timeZone: string): (at: number) => string {
  // The Swedish format is that of ISO 8601.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  return (at) => format.format(at)
}

/** Measured values have three decimals at most. */
const toCell = (value: number | undefined): Cell =>
  value === undefined || !Number.isFinite(value) ? undefined : Math.round(value * 1_000) / 1_000

const fill = (text: string, values: Readonly<Record<string, Cell>>): string =>
  text.replace(/\{(?<name>\w+)\}/g, (_, name: string) => String(values[name] ?? ''))

function toModeText(mode: BalanceMode, { kinds, targets, methods }: ReportTexts): string {
  if (mode.kind !== 'temperature') return kinds[mode.kind]
  const method = mode.method === undefined ? [] : [methods[mode.method]]
  return [kinds.temperature, targets[mode.target], ...method].join(' · ')
}

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errors, code)

/** Why the campaign aborted, as a sentence with the values that were read. */
function toReasonText(
  abort: CampaignAbort,
  { members }: Pick<ReportedCampaign, 'members'>,
  { abortSentences }: ReportTexts,
  language: Language,
): string {
  return toAbortText(abortSentences[abort.kind], abort, {
    number: (value) => String(toCell(value)),
    devices(deviceIds) {
      const ids = new Set(deviceIds)
      return members.flatMap(({ deviceId, deviceName }) => (ids.has(deviceId) ? deviceName : [])).join()
    },
    refusal: ({ code, params }) => (isErrorCode(code) ? toErrorText(language, code, params) : code),
  })
}

/** The target of a mode whose target is a number. */
function toTargetRow(mode: BalanceMode, { items }: ReportTexts): Cell[][] {
  if (mode.kind === 'energy') return [[items.heatAim, 'W/m²', toCell(mode.heatWM2)]]
  if (mode.kind === 'flow' && mode.flowKgHM2 !== undefined)
    return [[items.flowAim, 'kg/(h·m²)', toCell(mode.flowKgHM2)]]
  return []
}

/**
 * Row with the spread of returns before the campaign, and the spread after it as it would be in the same weather.
 * A note if this correction is not possible; no row until the spread is measured.
 */
function toCorrectedRow({ indices: { before, after } }: ReportedCampaign, { items }: ReportTexts): Cell[][] {
  if (before.sigmaReturnK === undefined || after?.sigmaReturnK === undefined) return []
  const corrected = correctSigma(before, after)
  if (corrected === undefined) return [[items.uncorrected]]
  return [[items.corrected, 'K', toCell(before.sigmaReturnK), undefined, toCell(corrected)]]
}

/** A wave with its commands and its progress. A pump that could not reach its target head also shows the target. */
function toWaveText(step: CampaignStep, words: ReportTexts): string {
  const { kind, state, pump, ...rest } = step
  const wave = fill(pump ? words.pumpWave : words.wave, {
    ...rest,
    fromKpa: toCell(pump?.fromKpa),
    toKpa: toCell(pump?.toKpa),
    kind: words.steps[kind],
    state: isStepLeft(step) ? words.stepLeft : words.stepStates[state],
  })
  return pump?.wantedKpa === undefined
    ? wave
    : fill(words.pumpWanted, { wave, wantedKpa: toCell(pump.wantedKpa) })
}

function toPlanRows(campaign: ReportedCampaign, { texts: words, toTime, language }: Writing): Cell[][] {
  const { items, columns } = words
  const { before, expected, after, advisedHeadKpa } = campaign.station
  const at = (instant: number | undefined): Cell => (instant === undefined ? undefined : toTime(instant))
  const station = (item: keyof typeof items, unit: string, name: keyof typeof before): Cell[] => [
    items[item],
    unit,
    ...[before, expected, after].map((point) => toCell(point?.[name])),
  ]
  return [
    [columns.item, columns.unit, columns.before, columns.expected, columns.after],
    [items.id, undefined, campaign.id],
    [items.node, undefined, campaign.nestaddr || campaign.nodeName],
    [items.station, undefined, campaign.stationName],
    [items.mode, undefined, toModeText(campaign.mode, words)],
    ...toTargetRow(campaign.mode, words),
    [items.state, undefined, words.states[campaign.state]],
    ...(campaign.abort
      ? [[items.abort, undefined, toReasonText(campaign.abort, campaign, words, language)]]
      : []),
    [items.round, undefined, campaign.round],
    [items.plannedAt, undefined, at(campaign.plannedAt)],
    [items.createdBy, undefined, campaign.createdBy],
    [items.approvedBy, undefined, campaign.approvedBy],
    [items.approvedAt, undefined, at(campaign.approvedAt)],
    [items.endedAt, undefined, at(campaign.endedAt)],
    [items.flows, undefined, campaign.flows && words.flows[campaign.flows]],
    [
      items.settle,
      'min',
      toCell(campaign.settleMs === undefined ? undefined : campaign.settleMs / MINUTE_MS),
    ],
    [items.valves, undefined, campaign.valves],
    [items.moves, undefined, campaign.moves],
    [items.movesMade, undefined, campaign.movesMade],
    [items.excluded, undefined, campaign.excluded],
    [items.advisedHead, 'kPa', toCell(advisedHeadKpa)],
    station('head', 'kPa', 'headKpa'),
    station('flow', 'm³/h', 'flowM3H'),
    station('pump', 'kW', 'pumpKw'),
    station('supply', '°C', 'supplyC'),
    station('return', '°C', 'returnC'),
    station('outdoor', '°C', 'outdoorC'),
    ...toCorrectedRow(campaign, words),
    ...campaign.steps.map((step) => [toWaveText(step, words)]),
  ]
}

function* toValveRows(
  members: readonly CampaignMember[],
  { exclusions, limits, verdicts, roomSources, valveColumns: columns }: ReportTexts,
): Generator<Cell[]> {
  yield [
    columns.device,
    columns.place,
    columns.area,
    columns.excluded,
    columns.limit,
    columns.openingBefore,
    columns.targetOpening,
    columns.openingAfter,
    columns.flowBefore,
    columns.flowTarget,
    columns.flowExpected,
    columns.flowAfter,
    columns.supplyBefore,
    columns.returnBefore,
    columns.returnExpected,
    columns.returnLow,
    columns.returnHigh,
    columns.returnAfter,
    columns.roomSource,
    columns.roomBefore,
    columns.roomExpected,
    columns.roomAfter,
    columns.verdict,
  ]
  for (const { before, expected, after, excluded, limit, verdict, ...member } of members)
    yield [
      member.deviceName,
      member.nestaddr,
      toCell(member.areaM2),
      excluded && exclusions[excluded],
      limit && limits[limit],
      ...[before.openingPct, expected.openingPct, after?.openingPct].map(toCell),
      ...[before.flowM3H, member.targetFlowM3H, expected.flowM3H, after?.flowM3H].map(toCell),
      ...[before.supplyC, before.returnC, expected.returnC].map(toCell),
      ...[expected.returnLowC, expected.returnHighC, after?.returnC].map(toCell),
      before.roomSource && roomSources[before.roomSource],
      ...[before.roomC, expected.roomC, after?.roomC].map(toCell),
      verdict && verdicts[verdict],
    ]
}

function* toIndexRows(
  { before, expected, best, worst, after }: ReportedCampaign['indices'],
  { columns, units, indices: names }: ReportTexts,
): Generator<Cell[]> {
  const hasBest = best !== undefined
  const bounds = hasBest ? [columns.best, columns.worst] : [columns.worst]
  yield [columns.item, columns.unit, columns.before, columns.expected, ...bounds, columns.after]
  for (const [name, { unit }] of Object.entries(indexMeanings)) {
    const values = [before, expected, ...(hasBest ? [best] : []), worst, after].map(
      (indices) => indices?.[name],
    )
    if (values.every((value) => value === undefined)) continue
    // Shares are stored as 0 to 1.
    const scale = unit === '%' ? 100 : 1
    const cells = values.map((value) => toCell(value === undefined ? undefined : value * scale))
    yield [names[name] ?? name, unit === '1' ? undefined : (units[unit] ?? unit), ...cells]
  }
}

function* toHistoryRows(
  history: ReportedCampaign['history'],
  { texts: { historyColumns, events }, toTime }: Writing,
): Generator<Cell[]> {
  yield [historyColumns.at, historyColumns.event, historyColumns.by]
  for (const { at, event, by } of history) yield [toTime(at), events[event], by]
}

/** After a rollback, the column of results is named as measured before the rollback. */
const toWords = (words: ReportTexts, state: CampaignState): ReportTexts =>
  state === 'rolling-back' || state === 'rolled-back'
    ? { ...words, columns: { ...words.columns, after: words.columns.afterBeforeBack } }
    : words

/** The report of a campaign as sheets in the language, with instants in the time zone of its company. */
export function toReport(campaign: ReportedCampaign, language: Language, timeZone: string): readonly Sheet[] {
  const words = toWords(texts[language], campaign.state)
  const writing = { texts: words, language, toTime: toClockText(timeZone) }
  const { plan, valves, indices, history } = words.sheets
  return [
    { name: plan, widths: [48, 10, 24, 16, 16], rows: toPlanRows(campaign, writing) },
    {
      name: valves,
      widths: [20, 36, 10, 24, 20, ...Array.from({ length: 17 }, () => 14), 20],
      rows: toValveRows(campaign.members, words),
    },
    { name: indices, widths: [36, 12, 14, 14, 18, 18, 14], rows: toIndexRows(campaign.indices, words) },
    { name: history, widths: [20, 24, 20], rows: toHistoryRows(campaign.history, writing) },
  ]
}
