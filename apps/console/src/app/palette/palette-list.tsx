import { ApartmentOutlined } from '@ant-design/icons'
import { createElement, type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Entry, Section } from './entries.ts'
import { MarkedText } from './marked-text.tsx'

export const LIST_ID = 'palette-list'

/** Id of an entry's element, for aria-activedescendant. */
export const toOptionId = (entry: Entry | undefined): string | undefined =>
  entry && `palette-${entry.id.replaceAll(/\s+/g, '_')}`

interface OptionProps {
  readonly entry: Entry
  readonly chosen: boolean
  readonly onPick: (entry: Entry) => void
  readonly onPoint: (entry: Entry) => void
}

function Option({ entry, chosen, onPick, onPoint }: OptionProps): ReactNode {
  const item = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (chosen) item.current?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the combobox that owns the list
    // biome-ignore lint/a11y/useFocusableInteractive: the combobox keeps the focus and names the chosen option
    <div
      ref={item}
      role="option"
      id={toOptionId(entry)}
      aria-selected={chosen}
      className={chosen ? 'palette-option palette-chosen' : 'palette-option'}
      onClick={() => onPick(entry)}
      onPointerMove={() => onPoint(entry)}
      data-testid={`palette-${entry.id}`}
    >
      <span className="palette-icon">{createElement(entry.icon ?? ApartmentOutlined)}</span>
      <span className="palette-text">
        <span className="palette-label">
          <MarkedText text={entry.label} ranges={entry.marked} />
        </span>
        {entry.beside !== '' && (
          <span className="palette-beside" title={entry.beside}>
            <MarkedText text={entry.beside} ranges={entry.besideMarked} />
          </span>
        )}
      </span>
      <span className="palette-hint">{entry.hint}</span>
    </div>
  )
}

/** The listbox of the palette, section by section. */
export function PaletteList(props: {
  readonly sections: readonly Section[]
  readonly chosen: Entry | undefined
  readonly onPick: (entry: Entry) => void
  readonly onPoint: (entry: Entry) => void
}): ReactNode {
  const { t } = useTranslation('common')
  const { sections, chosen, onPick, onPoint } = props
  return (
    <div role="listbox" id={LIST_ID} className="palette-list" aria-label={t('palette.title')}>
      {sections.map(({ id, entries }) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of options in a listbox, not of form fields
        <div role="group" key={id} aria-labelledby={`palette-head-${id}`}>
          <div className="palette-head" id={`palette-head-${id}`} role="presentation">
            {t(`palette.${id}`)}
          </div>
          {entries.map((entry) => (
            <Option
              key={entry.id}
              entry={entry}
              chosen={entry === chosen}
              onPick={onPick}
              onPoint={onPoint}
            />
          ))}
        </div>
      ))}
    </div>
  )
}
