import type { TreeHit } from '@isotherm/contract/endpoints/network/tree'
import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../shared/api/api-error.ts'
import { splitMatch } from './search-text.ts'
import type { TreeSearch } from './use-tree-search.ts'

/** Ancestors shown for a hit: the nearest ones. The tooltip has all. */
const STEPS = 3

interface HitProps {
  readonly hit: TreeHit
  readonly searchText: string
  readonly onChoose: (hit: TreeHit) => void
}

function Marked({ text, searchText }: { readonly text: string; readonly searchText: string }): ReactNode {
  const parts = splitMatch(text, searchText)
  if (!parts) return text
  return (
    <>
      {parts.before}
      <mark>{parts.match}</mark>
      {parts.after}
    </>
  )
}

function Hit({ hit, searchText, onChoose }: HitProps): ReactNode {
  const { t } = useTranslation('network')
  const { device } = hit
  const name = device ? device.name || device.serial : (hit.chain.at(-1)?.label ?? '')
  const above = device ? hit.chain : hit.chain.slice(0, -1)
  const path = above.slice(-STEPS).map((step) => step.label)
  return (
    <li>
      <button
        type="button"
        className="bare tree-hit"
        onClick={() => onChoose(hit)}
        title={hit.nestaddr}
        data-testid={`tree-hit-${hit.chain.at(-1)?.node}`}
      >
        <span className="tree-hit-name">
          <span className="tree-hit-label">
            <Marked text={name} searchText={searchText} />
          </span>
          <span className="tree-hit-kind">{t(`match.${hit.match}`)}</span>
        </span>
        <span className="tree-hit-path">
          {device && device.serial !== name && (
            <>
              <Marked text={device.serial} searchText={searchText} /> ·{' '}
            </>
          )}
          <Marked text={path.join(' / ')} searchText={searchText} />
        </span>
      </button>
    </li>
  )
}

export interface TreeHitsProps {
  readonly search: TreeSearch
  readonly searchText: string
  readonly onChoose: (hit: TreeHit) => void
  /** Called when the keyboard leaves the list upwards. */
  readonly onLeave: () => void
}

/** The search results of the server over the whole company. The tree itself filters only loaded nodes. */
export function TreeHits({ search, searchText, onChoose, onLeave }: TreeHitsProps): ReactNode {
  const { t } = useTranslation('network')
  const list = useRef<HTMLUListElement>(null)
  const { hits, more, searching, error } = search
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])]
    const index = buttons.findIndex((button) => button.matches(':focus'))
    event.preventDefault()
    if (event.key === 'ArrowUp' && index <= 0) onLeave()
    else buttons[index + (event.key === 'ArrowDown' ? 1 : -1)]?.focus()
  }
  if (!hits && !searching && !error) return null
  return (
    <section className="tree-hits" aria-label={t('hits.title')} aria-busy={searching} data-testid="tree-hits">
      <div className="tree-hits-head" role="status">
        <span>{t('hits.title')}</span>
        <span className="tree-hits-count">
          {searching
            ? t('hits.searching')
            : hits && (more ? t('hits.more', { count: hits.length }) : hits.length)}
        </span>
      </div>
      {Boolean(error) && <p className="tree-hits-none">{toFailureText(error)}</p>}
      {hits?.length === 0 && <p className="tree-hits-none">{t('hits.none')}</p>}
      {hits && hits.length > 0 && (
        <ul ref={list} onKeyDown={onKeyDown}>
          {hits.map((hit) => (
            <Hit
              key={`${hit.chain.at(-1)?.node} ${hit.device?.id ?? ''} ${hit.match}`}
              hit={hit}
              searchText={searchText}
              onChoose={onChoose}
            />
          ))}
        </ul>
      )}
    </section>
  )
}
