import { ArrowLeftOutlined, CloseOutlined, UnorderedListOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLanguage } from '../../../shared/i18n/i18n.ts'
import { SearchInput } from '../../../shared/inputs/search-input.tsx'
import { ErrorState, LoadingState } from '../../../shared/ui/states.tsx'
import { CONTENTS, closeHelp, goBack, type Place, showHelp, useHelp } from '../help-store.ts'
import { manualQuery } from '../manual/manual-query.ts'
import { MarkdownView, toHeadingId } from '../manual/markdown-view.tsx'
import type { Chapter } from '../manual/read-chapter.ts'
import styles from './help-panel.module.css'
import { HelpResults } from './help-results.tsx'

function Bar({ isFirst }: { readonly isFirst: boolean }): ReactNode {
  const { t } = useTranslation('help')
  return (
    <div className={styles.bar}>
      <Button
        type="text"
        icon={<ArrowLeftOutlined />}
        aria-label={t('back')}
        title={t('back')}
        disabled={isFirst}
        onClick={goBack}
        data-testid="help-back"
      />
      <b className={styles.title}>{t('title')}</b>
      <Button
        type="text"
        icon={<UnorderedListOutlined />}
        onClick={() => showHelp({ chapter: CONTENTS })}
        data-testid="help-contents"
      >
        {t('contents')}
      </Button>
      <Button
        type="text"
        icon={<CloseOutlined />}
        aria-label={t('close')}
        title={t('close')}
        onClick={closeHelp}
        data-testid="help-close"
      />
    </div>
  )
}

/** The chapter, scrolled to the heading of the place or to its start. */
function ChapterView({ chapter, place }: { readonly chapter: Chapter; readonly place: Place }): ReactNode {
  const container = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const heading =
      place.heading === undefined ? undefined : document.getElementById(toHeadingId(place.heading))
    if (heading) {
      heading.scrollIntoView()
      heading.focus({ preventScroll: true })
    } else container.current?.scrollTo(0, 0)
  }, [place])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the text scrolls, so the keyboard must reach it
    <article ref={container} className={styles.chapter} tabIndex={0} data-testid={`help-${chapter.name}`}>
      <MarkdownView chapter={chapter} onGo={showHelp} />
    </article>
  )
}

/** Search field and chapter, or the results of the search. */
export function HelpContent(): ReactNode {
  const { t } = useTranslation('help')
  const manual = useQuery(manualQuery(useLanguage()))
  const { trail } = useHelp()
  const [typed, setTyped] = useState('')
  const place = trail.at(-1) ?? { chapter: CONTENTS }
  const chapter = manual.data?.get(place.chapter) ?? manual.data?.get(CONTENTS)
  const go = (to: Place) => {
    setTyped('')
    showHelp(to)
  }
  const content = () => {
    if (manual.isError) return <ErrorState error={manual.error} onRetry={() => void manual.refetch()} />
    if (!manual.data || !chapter) return <LoadingState />
    if (typed.trim() !== '')
      return <HelpResults chapters={[...manual.data.values()]} typed={typed} onGo={go} />
    return <ChapterView key={chapter.name} chapter={chapter} place={place} />
  }
  return (
    <>
      <Bar isFirst={trail.length < 2} />
      <div className={styles.search}>
        <SearchInput text={typed} onText={setTyped} label={t('search')} testId="help-search" />
      </div>
      {content()}
    </>
  )
}
