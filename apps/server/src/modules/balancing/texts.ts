import type { CampaignDetail, FlowKnowledge } from '@isotherm/contract/balancing/campaign'
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
  | 'openingAsked'
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
  | 'roomBefore'
  | 'roomExpected'
  | 'roomAfter'
  | 'verdict'

/** What the report of a campaign says. */
export interface ReportTexts extends CampaignTexts {
  /** Of its file. */
  readonly file: string
  readonly sheets: Readonly<Record<'plan' | 'valves' | 'indices' | 'history', string>>
  readonly columns: Readonly<
    Record<'item' | 'unit' | 'before' | 'expected' | 'worst' | 'after' | 'afterBeforeBack', string>
  >
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
      | 'excluded'
      | 'advisedHead'
      | 'head'
      | 'flow'
      | 'pump'
      | 'supply'
      | 'return'
      | 'heatAim'
      | 'flowAim',
      string
    >
  >
  readonly flows: Readonly<Record<FlowKnowledge, string>>
  readonly stepStates: Readonly<Record<CampaignDetail['steps'][number]['state'], string>>
  /** Of a wave: {round}, {kind}, {valves}, {state}, {unanswered}. */
  readonly wave: string
  readonly pumpWave: string
  /** Of one that limits kept from where it was: {wave}, {wantedKpa}. */
  readonly pumpWanted: string
  /** Instead of a state, of a wave of the way back of which nothing could be given. */
  readonly stepLeft: string
  readonly valveColumns: Readonly<Record<ValveColumn, string>>
  readonly historyColumns: Readonly<Record<'at' | 'event' | 'by', string>>
}

export const texts: Readonly<Record<Language, ReportTexts>> = { en, zh }
