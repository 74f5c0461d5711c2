import type { TreeHit } from '@isotherm/contract/endpoints/network/tree'
import type { TFunction } from 'i18next'
import type { ComponentType } from 'react'
import { findLevelName } from '../../shared/nodes/level-name.ts'
import type { Page } from '../../shared/page.ts'
import type { Titles } from '../state/use-titles.ts'
import { findMatch, findRanges, type Range, toWords } from './find-match.ts'

/** What a chosen entry does. */
export type Choice =
  | { readonly kind: 'page'; readonly path: string }
  | { readonly kind: 'node'; readonly hit: TreeHit }
  | { readonly kind: 'action'; readonly run: () => void }

/** One line of the palette. */
export interface Entry {
  /** Unique among all lines shown. */
  readonly id: string
  readonly label: string
  readonly marked: readonly Range[]
  /** Text beside the label: where the entry is, or what it belongs to. */
  readonly beside: string
  readonly besideMarked: readonly Range[]
  /** At the end of the line: the path of a page, the kind of a device or the level of a node; empty for an action. */
  readonly hint: string
  readonly icon?: ComponentType
  readonly choice: Choice
}

export interface Section {
  readonly id: 'recent' | 'pages' | 'nodes' | 'actions'
  readonly entries: readonly Entry[]
}

/** A command of the palette that is not a navigation. */
export interface Action {
  readonly id: string
  readonly label: string
  /** Further search words, such as its English name in a Chinese console. */
  readonly words: string
  readonly icon: ComponentType
  readonly run: () => void
}

interface Candidate {
  readonly entry: Entry
  /** Search text besides the label. */
  readonly words: string
}

/** Entries that contain every word, best match first; all entries in their order without input. */
function pick(candidates: readonly Candidate[], typed: string): readonly Entry[] {
  const words = toWords(typed)
  return candidates
    .flatMap(({ entry, words: beside }) => {
      const match = findMatch(entry.label, beside, words)
      return match ? [{ entry: { ...entry, marked: match.ranges }, rank: match.rank }] : []
    })
    .toSorted((left, right) => left.rank - right.rank)
    .map(({ entry }) => entry)
}

const plain = { marked: [], besideMarked: [] } as const

export function toPageEntry(page: Page, titles: Titles): Entry {
  return {
    ...plain,
    id: `page ${page.path}`,
    label: titles.ofPage(page),
    beside: page.group ? titles.ofGroup(page.group) : '',
    hint: page.path,
    ...(page.icon ? { icon: page.icon } : {}),
    choice: { kind: 'page', path: page.path },
  }
}

/** Permitted pages, found by title, group, path or pinyin initials. */
export const findPages = (pages: readonly Page[], typed: string, titles: Titles): readonly Entry[] =>
  pick(
    pages.map((page) => {
      const entry = toPageEntry(page, titles)
      return { entry, words: `${entry.beside} ${page.path}` }
    }),
    typed,
  )

export const findActions = (actions: readonly Action[], typed: string): readonly Entry[] =>
  pick(
    actions.map(({ id, label, words, icon, run }) => ({
      entry: {
        ...plain,
        id: `action ${id}`,
        label,
        beside: '',
        hint: '',
        icon,
        choice: { kind: 'action', run },
      },
      words,
    })),
    typed,
  )

/** From this level down, a label includes its parents, because 301 exists in every building. */
const FIRST_ADDRESS_LEVEL = 6

/** `name`: the address of a hit from the building down. `above`: the address above the building. */
function toPlace({ chain }: TreeHit): { readonly name: string; readonly above: string } {
  const first = chain.findIndex((step) => step.level >= FIRST_ADDRESS_LEVEL)
  const split = first < 0 ? chain.length - 1 : first
  const toLabels = (steps: TreeHit['chain']) => steps.map((step) => step.label)
  return {
    name: toLabels(chain.slice(split)).join(' '),
    above: toLabels(chain.slice(0, split)).join(' / '),
  }
}

/** A hit of the server's search: the node, or the device with the node it is placed on. */
export function toHitEntry(hit: TreeHit, typed: string, t: TFunction): Entry {
  const last = hit.chain.at(-1)
  const { name, above } = toPlace(hit)
  const words = hit.match === 'address' ? toWords(typed.replaceAll('-', ' ')) : toWords(typed)
  const label = hit.device ? `${hit.device.name} ${hit.device.serial}` : name
  const beside = hit.device ? `${above} / ${name}` : above
  return {
    id: `node ${last?.node ?? ''} ${hit.device?.id ?? ''}`,
    label,
    marked: findRanges(label, words),
    beside,
    besideMarked: hit.match === 'address' ? [] : findRanges(beside, words),
    hint: hit.device
      ? t(`deviceKind.${hit.device.kind}`)
      : last
        ? t(`level.${findLevelName(last.level) ?? 'address'}`)
        : '',
    choice: { kind: 'node', hit },
  }
}
