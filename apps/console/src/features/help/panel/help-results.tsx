import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Place } from '../help-store.ts'
import { findSections } from '../manual/find-sections.ts'
import type { Chapter } from '../manual/read-chapter.ts'
import styles from './help-panel.module.css'

/** Most sections shown. */
const MAX_SHOWN = 30

interface HelpResultsProps {
  readonly chapters: readonly Chapter[]
  readonly typed: string
  readonly onGo: (place: Place) => void
}

/** The sections of the manual that contain the typed words. */
export function HelpResults({ chapters, typed, onGo }: HelpResultsProps): ReactNode {
  const { t } = useTranslation('help')
  const found = findSections(chapters, typed)
  return (
    <div className={styles.chapter}>
      <p role="status">
        {found.length === 0 ? t('none', { text: typed.trim() }) : t('found', { count: found.length })}
      </p>
      <ul className={styles.results}>
        {found.slice(0, MAX_SHOWN).map(({ chapter, section, excerpt }) => (
          <li key={`${chapter.name} ${section.slug}`}>
            <button type="button" onClick={() => onGo({ chapter: chapter.name, heading: section.slug })}>
              <b>
                {chapter.title}
                {section.level > 1 && ` › ${section.text}`}
              </b>
              <span>{excerpt}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
