import type { NodeKey } from '@isotherm/contract/tree'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { ALARMS_PATH } from '../../shared/alarms/alarms-path.ts'
import { useMayHandleAlarms } from '../../shared/alarms/use-may-handle-alarms.ts'
import { useSelectedNodes } from '../../shared/nodes/tree-selection.ts'
import { findParts } from '../../shared/parts/page-parts.ts'
import { PageFrame } from '../../shared/ui/page-frame.tsx'
import { SelectionGone } from '../../shared/ui/selection-gone.tsx'
import { LoadingState } from '../../shared/ui/states.tsx'
import { WrappingTabs } from '../../shared/ui/wrapping-tabs.tsx'
import { usePageUrl } from '../../shared/url/use-page-url.ts'
import { AlarmDrawer } from './detail/alarm-drawer.tsx'
import { parseAlarmsUrl, type Section, sections, toAlarmsSearch } from './filter/alarms-url.ts'
import type { SectionProps } from './filter/section-props.ts'
import { LogSection } from './log/log-section.tsx'
import { OpenSection } from './open/open-section.tsx'
import styles from './parts/alarms.module.css'
import { RulesSection } from './rules/rules-section.tsx'
import { SilencesSection } from './silences/silences-section.tsx'
import { TargetsSection } from './targets/targets-section.tsx'

/**
 * Room temperature control: rooms that need somebody, with the sections of the rooms; and the alarms of every kind below the
 * selection with rules, silences, log and receivers.
 */
export default function RtalarmPage() {
  const { t } = useTranslation('alarms')
  const { t: translate } = useTranslation()
  const nodes = useSelectedNodes()
  const mayHandle = useMayHandleAlarms()
  const [url, change] = usePageUrl(parseAlarmsUrl, toAlarmsSearch)
  // The server sends receivers only to users who may change them.
  const offered = sections.filter((section) => section !== 'targets' || mayHandle)
  const section = offered.includes(url.section) ? url.section : 'open'
  const parts = findParts(ALARMS_PATH)
  const part = parts.find(({ key }) => key === url.part)
  return (
    <PageFrame fill>
      <WrappingTabs
        className={styles.tabs ?? ''}
        activeKey={part?.key ?? section}
        size="small"
        items={[
          ...parts.map(({ key, title }) => ({ key, label: title(translate) })),
          ...offered.map((each) => ({ key: each, label: t(`section.${each}`) })),
        ]}
        aria-label={t('section.label')}
        onChange={(key) => {
          const next = sections.find((each) => each === key)
          const other = next ? { section: next, part: undefined } : { part: key }
          change({ ...other, picked: [], page: 1, text: '' }, { push: true })
        }}
      />
      <div className={styles.section} data-testid={`alarms-${part?.key ?? section}`}>
        {nodes && part ? (
          <Suspense fallback={<LoadingState />}>
            <part.Content />
          </Suspense>
        ) : nodes ? (
          <SectionContent section={section} nodes={nodes} url={url} change={change} />
        ) : (
          <SelectionGone />
        )}
      </div>
      <AlarmDrawer id={url.alarm} onAlarm={(alarm) => change({ alarm }, { push: alarm !== undefined })} />
    </PageFrame>
  )
}

interface SectionContentProps extends SectionProps {
  readonly section: Section
  readonly nodes: readonly NodeKey[]
}

function SectionContent({ section, ...props }: SectionContentProps) {
  switch (section) {
    case 'open':
      return <OpenSection {...props} />
    case 'rules':
      return <RulesSection {...props} />
    case 'silences':
      return <SilencesSection nodes={props.nodes} />
    case 'log':
      return <LogSection {...props} />
    case 'targets':
      return <TargetsSection nodes={props.nodes} />
  }
}
