import { CloseOutlined, LoadingOutlined, QrcodeOutlined, SearchOutlined } from '@ant-design/icons'
import { type KeyboardEvent, type MouseEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../shared/api/api-error.ts'
import type { Entry } from './entries.ts'
import './palette.css'
import { LIST_ID, PaletteList, toOptionId } from './palette-list.tsx'
import { showPalette, showScan, usePalette } from './palette-store.ts'
import { useChoose } from './use-choose.ts'
import { type Sections, useSections } from './use-sections.ts'

const close = (): void => showPalette(false)

/** Next position in the list for an arrow key, wrapping at the ends; undefined for other keys. */
function step(key: string, place: number, count: number): number | undefined {
  if (count === 0) return undefined
  if (key === 'ArrowDown') return (place + 1) % count
  if (key === 'ArrowUp') return (place - 1 + count) % count
  return undefined
}

/** Status text beside the list. */
function Status({ typed, sections, search }: Sections & { readonly typed: string }): ReactNode {
  const { t } = useTranslation('common')
  const count = sections.reduce((sum, section) => sum + section.entries.length, 0)
  const text = () => {
    if (search.failure) return t('palette.failed', { reason: toFailureText(search.failure) })
    if (search.searching) return t('palette.searching')
    if (count === 0) return t('palette.none', { text: typed.trim() })
    return search.more ? t('palette.more') : t('palette.hint')
  }
  return (
    <div className={count === 0 ? 'palette-status palette-status-alone' : 'palette-status'} role="status">
      {search.searching && <LoadingOutlined />} {text()}
    </div>
  )
}

/** Command palette (Ctrl-K): opens a page, node or device by a few letters, and runs commands of the shell. */
export default function Palette(): ReactNode {
  const { t } = useTranslation('common')
  const [typed, setTyped] = useState(() => usePalette.getState().text)
  const [chosenId, setChosenId] = useState<string>()
  const dialog = useRef<HTMLDialogElement>(null)
  const choose = useChoose()
  const { sections, search } = useSections(typed)
  const entries = sections.flatMap((section) => section.entries)
  const place = Math.max(
    0,
    entries.findIndex((entry) => entry.id === chosenId),
  )
  const chosen = entries[place]
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    // Closing gives the focus back to where it was.
    return () => element?.close()
  }, [])
  const pick = (entry: Entry) => {
    close()
    choose(entry.choice)
  }
  const handleKey = (event: KeyboardEvent) => {
    // Enter that only completes a Chinese word in the input method must not select an entry.
    if (event.nativeEvent.isComposing) return
    const next = step(event.key, place, entries.length)
    if (next !== undefined) {
      event.preventDefault()
      setChosenId(entries[next]?.id)
    } else if (event.key === 'Enter' && chosen) {
      event.preventDefault()
      pick(chosen)
    }
  }
  const closeOutside = (event: MouseEvent) => {
    if (event.target === dialog.current) close()
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click beside it is an extra; Escape closes it by key
    <dialog
      ref={dialog}
      className="palette"
      aria-label={t('palette.title')}
      onClick={closeOutside}
      onClose={close}
    >
      <div className="palette-box">
        <div className="palette-field">
          <SearchOutlined className="palette-icon" />
          <input
            type="text"
            role="combobox"
            aria-expanded={entries.length > 0}
            aria-controls={LIST_ID}
            aria-activedescendant={toOptionId(chosen)}
            aria-autocomplete="list"
            aria-label={t('palette.title')}
            placeholder={t('palette.placeholder')}
            autoComplete="off"
            spellCheck={false}
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value)
              setChosenId(undefined)
            }}
            onKeyDown={handleKey}
            data-testid="palette-input"
          />
          <button
            type="button"
            aria-label={t('scan.title.device')}
            title={t('scan.title.device')}
            data-testid="palette-scan"
            onClick={() => showScan(true)}
          >
            <QrcodeOutlined />
          </button>
          <button type="button" aria-label={t('palette.close')} onClick={close}>
            <CloseOutlined />
          </button>
        </div>
        <PaletteList
          sections={sections}
          chosen={chosen}
          onPick={pick}
          onPoint={(entry) => setChosenId(entry.id)}
        />
        <Status typed={typed} sections={sections} search={search} />
      </div>
    </dialog>
  )
}
