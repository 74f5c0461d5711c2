import type { CampaignDetail, FlowKnowledge } from '@isotherm/contract/balancing/campaign'
import type { RoomSource } from '@isotherm/contract/balancing/member-point'
import type { CampaignTexts } from '@isotherm/contract/locales/campaign-texts'
import type { Language } from '@isotherm/contract/locales/error-text'
import { en } from './locales/en.ts'
import { zh } from './locales/zh.ts'

type ValveColumn =
  | 'device'
  | 'place'
  | 'area'
  | 'excluded'
  | 'limit'
  | 'openingBefore'
  | 'targetOpening'
  | 'openingAfter'
  | 'flowBefore'
  | 'flowTarget'
  | 'flowExpected'
  | 'flowAfter'
  | 'supplyBefore'
  | 'returnBefore'
  | 'returnExpected'
  | 'returnLow'
  | 'returnHigh'
  | 'returnAfter'
  | 'roomSource'
  | 'roomBefore'
  | 'roomExpected'
  | 'roomAfter'
  | 'verdict'

/** Texts of a campaign's report. */
export interface ReportTexts extends CampaignTexts {
  /** Name of the file, without its extension. */
  readonly file: string
  readonly sheets: Readonly<Record<'plan' | 'valves' | 'indices' | 'history', string>>
  readonly columns: Readonly<
    Record<'item' | 'unit' | 'before' | 'expected' | 'best' | 'worst' | 'after' | 'afterBeforeBack', string>
  >
  /** Units that have a name in the language. */
  readonly units: Readonly<Record<string, string>>
  readonly items: Readonly<
    Record<
      | 'id'
      | 'node'
      | 'station'
      | 'mode'
      | 'state'
      | 'abort'
      | 'round'
      | 'plannedAt'
      | 'createdBy'
      | 'approvedBy'
      | 'approvedAt'
      | 'endedAt'
      | 'flows'
      | 'settle'
      | 'valves'
      | 'moves'
      | 'movesMade'
      | 'excluded'
      | 'advisedHead'
      | 'head'
      | 'flow'
      | 'pump'
      | 'supply'
      | 'return'
      | 'outdoor'
      | 'corrected'
      | 'uncorrected'
      | 'heatAim'
      | 'flowAim',
      string
    >
  >
  readonly flows: Readonly<Record<FlowKnowledge, string>>
  readonly roomSources: Readonly<Record<RoomSource, string>>
  readonly stepStates: Readonly<Record<CampaignDetail['steps'][number]['state'], string>>
  /** A wave, with {round}, {kind}, {valves}, {state} and {unanswered}. */
  readonly wave: string
  readonly pumpWave: string
  /** A rollback of a pump to the nearest head that its limits allow, with {wave} and {wantedKpa}. */
  readonly pumpWanted: string
  /** State of a rollback wave whose devices take no command now. */
  readonly stepLeft: string
  readonly valveColumns: Readonly<Record<ValveColumn, string>>
  readonly historyColumns: Readonly<Record<'at' | 'event' | 'by', string>>
}

export const texts: Readonly<Record<Language, ReportTexts>> = { en, zh }
